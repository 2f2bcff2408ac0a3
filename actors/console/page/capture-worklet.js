// Cuts what a microphone hears into 20 ms of 16 bit mono, and says with every third of them how loud it was.

const TOLD_EVERY = 3;

class Capture extends AudioWorkletProcessor {
  #size = Math.round(sampleRate / 50); #chunk = new Int16Array(this.#size); #filled = 0; #loudest = 0; #sent = 0;

  process([channels]) {
    if (channels.length === 0) return true;
    for (let at = 0; at < channels[0].length; at += 1) {
      let sum = 0;
      for (const channel of channels) sum += channel[at];
      const sample = Math.max(-1, Math.min(1, sum / channels.length));
      this.#loudest = Math.max(this.#loudest, Math.abs(sample));
      this.#chunk[this.#filled++] = Math.round(sample * 32767);
      if (this.#filled === this.#size) this.#send();
    }
    return true;
  }

  #send() {
    const told = ++this.#sent % TOLD_EVERY === 0;
    this.port.postMessage({ pcm: this.#chunk.buffer, level: told ? this.#loudest : null }, [this.#chunk.buffer]);
    this.#chunk = new Int16Array(this.#size);
    this.#filled = 0;
    if (told) this.#loudest = 0;
  }
}

registerProcessor("capture", Capture);

// Plays what the room sends: a short buffer for each slot, all of them mixed, and silence when nothing comes.

const LEAST = 0.06 * sampleRate, LONGEST = 0.2 * sampleRate, MORE = 0.05 * sampleRate, LESS = 0.01 * sampleRate;
const MOST = 0.4 * sampleRate, SOON = 0.3 * sampleRate, TOLD_EVERY = 0.1 * sampleRate, DECAY = 0.985;

class Slot {
  #frames = []; #at = 0; #waiting = 0; #waited = 0; #plays = false; #last = 0; #ahead = LEAST; #dry = SOON;
  loudest = 0;

  push(frame) {
    // It ran dry in the middle of something: from now on more is kept ahead of it.
    if (this.#dry < SOON) this.#ahead = Math.min(LONGEST, this.#ahead + MORE);
    this.#dry = SOON;
    this.#frames.push(frame);
    this.#waiting += frame.length;
    while (this.#waiting > MOST) this.#next();
  }

  mixInto(out) {
    if (!this.#plays && this.#waiting > 0) {
      this.#waited += out.length;
      // A sound shorter than the buffer must not wait for more of it.
      this.#plays = this.#waiting >= this.#ahead || this.#waited >= this.#ahead;
    }
    if (this.#dry < SOON) this.#rest(out.length);
    for (let at = 0; at < out.length; at += 1) out[at] += this.#sample();
  }

  #sample() {
    if (!this.#plays) return (this.#last *= DECAY);
    this.#last = this.#frames[0][this.#at++] / 32768;
    this.loudest = Math.max(this.loudest, Math.abs(this.#last));
    if (this.#at === this.#frames[0].length) this.#next();
    if (this.#waiting === 0) { this.#plays = false; this.#waited = this.#dry = 0; }
    return this.#last;
  }

  /** What stays silent has ended, and may begin a little sooner the next time. */
  #rest(samples) {
    this.#dry += samples;
    if (this.#dry >= SOON) this.#ahead = Math.max(LEAST, this.#ahead - LESS);
  }

  #next() {
    this.#waiting -= this.#frames.shift().length;
    this.#at = 0;
  }
}

class Playback extends AudioWorkletProcessor {
  #slots = new Map(); #since = 0;

  constructor() {
    super();
    this.port.onmessage = ({ data }) => {
      if (data.forget) { this.#slots.clear(); return; }
      if (!this.#slots.has(data.slot)) this.#slots.set(data.slot, new Slot());
      this.#slots.get(data.slot).push(new Int16Array(data.pcm));
    };
  }

  process(_, [[out]]) {
    for (const slot of this.#slots.values()) slot.mixInto(out);
    this.#since += out.length;
    if (this.#since >= TOLD_EVERY) this.#tell();
    return true;
  }

  #tell() {
    this.#since = 0;
    const levels = [...this.#slots].filter(([, slot]) => slot.loudest > 0).map(([slot, { loudest }]) => [slot, loudest]);
    for (const slot of this.#slots.values()) slot.loudest = 0;
    if (levels.length) this.port.postMessage(levels);
  }
}

registerProcessor("playback", Playback);

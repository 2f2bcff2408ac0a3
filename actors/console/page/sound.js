// The microphone and the loudspeaker of this page, and what to do when one of them will not.

const REMEDIES = {
  NotAllowedError: "The browser does not let this page use the microphone. Allow it at the left end of the address bar, then try again.",
  NotFoundError: "There is no microphone. Plug one in, then try again.",
  NotReadableError: "Another program holds the microphone. End its call or recording, then try again.",
  OverconstrainedError: "That microphone is gone. Choose another one.",
  AbortError: "The microphone did not start. Unplug it and plug it in again, then try again.",
};
const PATIENCE_MS = 3000;
const insecure = () => `Browsers lend a microphone only to pages of this machine: open this page at http://127.0.0.1:${location.port}/, through an SSH tunnel if the house is elsewhere.`;

/** Fires "chunk" with 20 ms of sound and, now and then, how loud it was of late, and "trouble" with a sentence. */
export class Microphone extends EventTarget {
  muted = false;
  #context = null; #ready = null; #stream = null; #source = null; #node = null; #asked = 0;

  /** The rate of its sound; to be called from a press of a button, or browsers keep it silent. */
  start() {
    if (!this.#context) {
      this.#context = new AudioContext({ latencyHint: "interactive" });
      this.#ready = this.#context.audioWorklet?.addModule("/assets/capture-worklet.js") ?? Promise.resolve();
    }
    this.#context.resume();
    return this.#context.sampleRate;
  }

  get on() { return this.#stream !== null; }

  /** Listen to this device; tells of trouble instead of raising it, and returns whether it listens. */
  async listen(device = "") {
    this.stop();
    const asked = ++this.#asked;
    if (!navigator.mediaDevices || !window.AudioWorkletNode) return this.#fail(insecure());
    const audio = { echoCancellation: true, noiseSuppression: true, autoGainControl: true, channelCount: { ideal: 1 } };
    if (device) audio.deviceId = { exact: device };
    try {
      await this.#ready;
      const stream = await navigator.mediaDevices.getUserMedia({ audio });
      if (asked !== this.#asked) { stream.getTracks().forEach((track) => track.stop()); return this.on; }
      this.#stream = stream;
    } catch (failure) {
      return asked === this.#asked && this.#fail(REMEDIES[failure.name] ?? `The microphone did not start (${failure.name}). Try again.`);
    }
    const [track] = this.#stream.getAudioTracks();
    track.onended = () => { this.stop(); this.#fail("The microphone was unplugged. Plug it in, then try again."); };
    this.#source = this.#context.createMediaStreamSource(this.#stream);
    this.#node = new AudioWorkletNode(this.#context, "capture", { numberOfOutputs: 0 });
    this.#node.port.onmessage = ({ data }) => {
      if (!this.muted) this.dispatchEvent(new CustomEvent("chunk", { detail: data }));
    };
    this.#source.connect(this.#node);
    return true;
  }

  stop() {
    this.#stream?.getTracks().forEach((track) => { track.onended = null; track.stop(); });
    this.#source?.disconnect();
    if (this.#node) this.#node.port.onmessage = null;
    this.#stream = this.#source = this.#node = null;
  }

  close() {
    this.stop();
    this.#asked += 1;
    this.#context?.close();
    this.#context = null;
  }

  async devices() {
    const all = (await navigator.mediaDevices?.enumerateDevices()) ?? [];
    return all.filter(({ kind, deviceId }) => kind === "audioinput" && deviceId);
  }

  get device() { return this.#stream?.getAudioTracks()[0].getSettings().deviceId ?? ""; }

  #fail(sentence) {
    this.dispatchEvent(new CustomEvent("trouble", { detail: sentence }));
    return false;
  }
}

/** Fires "levels" with [slot, level] of all who can be heard, ten times a second, and "plays" with whether it does. */
export class Loudspeaker extends EventTarget {
  #context = null; #gain = null; #node = null; #volume = 1; #wake = () => this.#context?.resume();

  /** To be called from a press of a button. */
  async start() {
    if (this.#context || !window.AudioWorkletNode) return;
    const context = new AudioContext({ sampleRate: 24000, latencyHint: "interactive" });
    this.#context = context;
    this.#watch(context);
    document.addEventListener("visibilitychange", this.#wake);
    context.resume();
    await context.audioWorklet.addModule("/assets/playback-worklet.js");
    if (context.state === "closed") return;
    this.#gain = new GainNode(context, { gain: this.#volume });
    this.#node = new AudioWorkletNode(context, "playback", { numberOfInputs: 0, outputChannelCount: [1] });
    this.#node.port.onmessage = ({ data }) => this.dispatchEvent(new CustomEvent("levels", { detail: data }));
    this.#node.connect(this.#gain).connect(context.destination);
  }

  /** A browser that finds no loudspeaker says nothing of it, and its clock stands still. */
  #watch(context) {
    const tell = () => { if (context === this.#context) this.dispatchEvent(new CustomEvent("plays", { detail: context.state === "running" })); };
    context.onstatechange = () => { if (context.state === "running") tell(); else setTimeout(tell, PATIENCE_MS); };
    setTimeout(tell, PATIENCE_MS);
  }

  set volume(volume) {
    this.#volume = volume;
    if (this.#gain) this.#gain.gain.value = volume;
  }

  play(slot, pcm) {
    this.#node?.port.postMessage({ slot, pcm }, [pcm]);
  }

  /** Whatever still waits is of a connection that is over. */
  forget() {
    this.#node?.port.postMessage({ forget: true });
  }

  close() {
    document.removeEventListener("visibilitychange", this.#wake);
    this.#context?.close();
    this.#context = this.#gain = this.#node = null;
  }
}

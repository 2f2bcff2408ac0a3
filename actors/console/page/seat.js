// A seat in the room: one socket for sound, lines and consent, which comes back when it was lost.

import { keep, kept } from "./kept.js";

const WHERE = "localStorage", TOKEN = "clankie-token";
const FIRST_WAIT = 500, LONGEST_WAIT = 8000, MOST_WAITING = 64 * 1024;

/** By this the house knows the browser again, and what it has noted about its owner; nobody else is told. */
function token() {
  const known = kept(WHERE, TOKEN);
  if (/^[0-9a-f]{32,128}$/.test(known ?? "")) return known;
  const made = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  keep(WHERE, TOKEN, made);
  return made;
}

/** Fires "welcome", "people", "consent", "line", "question" with what the room says, "sound" with a slot and
 * its samples, "lost" while it comes back, and "refused" with a sentence when it cannot be taken. */
export class Seat extends EventTarget {
  #house; #socket = null; #hello = null; #welcomed = false; #known = false; #error = ""; #wait = FIRST_WAIT; #timer = 0;

  constructor(house) {
    super();
    this.#house = house;
  }

  get taken() { return this.#hello !== null; }

  /** Whether the room hears what is sent now. */
  get there() { return this.#welcomed && this.#socket?.readyState === WebSocket.OPEN; }

  join(name, rate) {
    this.#hello = { type: "join", name, rate, token: token() };
    this.#known = false;
    this.#wait = FIRST_WAIT;
    this.#connect();
  }

  leave() {
    this.#say({ type: "leave" });
    this.#forget();
  }

  consent(granted) { return this.#say({ type: "consent", granted }); }
  write(text) { return this.#say({ type: "line", text }); }
  press(granted) { return this.#say({ type: "press", granted }); }

  /** Sound that the line cannot take in time is worth nothing later. */
  send(pcm) {
    if (this.there && this.#socket.bufferedAmount < MOST_WAITING) this.#socket.send(pcm);
  }

  #connect() {
    const socket = this.#house.socket("/room");
    socket.binaryType = "arraybuffer";
    this.#socket = socket;
    this.#welcomed = false;
    this.#error = "";
    socket.onopen = () => socket.send(JSON.stringify(this.#hello));
    socket.onmessage = ({ data }) => { if (socket === this.#socket) this.#heard(data); };
    socket.onclose = () => { if (socket === this.#socket) this.#closed(); };
  }

  #heard(data) {
    if (data instanceof ArrayBuffer) {
      const slot = new Uint8Array(data, 0, 1)[0];
      this.dispatchEvent(new CustomEvent("sound", { detail: { slot, pcm: data.slice(1) } }));
      return;
    }
    const said = JSON.parse(data);
    if (said.type === "error") { this.#error = said.error; return; }
    if (said.type === "welcome") { this.#welcomed = this.#known = true; this.#wait = FIRST_WAIT; }
    this.dispatchEvent(new CustomEvent(said.type, { detail: said }));
  }

  #closed() {
    this.#socket = null;
    if (!this.#known) {
      const sentence = this.#error || "The room did not answer. See whether the house still runs, then try again.";
      this.#forget();
      this.dispatchEvent(new CustomEvent("refused", { detail: sentence }));
      return;
    }
    this.dispatchEvent(new CustomEvent("lost", { detail: this.#error }));
    this.#again();
  }

  #again() {
    this.#timer = setTimeout(async () => {
      const { door } = await this.#house.knock();
      if (!this.#hello || door === "locked") return;
      if (door === "open") this.#connect();
      else this.#again();
    }, this.#wait);
    this.#wait = Math.min(LONGEST_WAIT, this.#wait * 2);
  }

  #say(message) {
    if (!this.there) return false;
    this.#socket.send(JSON.stringify(message));
    return true;
  }

  #forget() {
    clearTimeout(this.#timer);
    const socket = this.#socket;
    this.#hello = this.#socket = null;
    this.#welcomed = false;
    socket?.close();
  }
}

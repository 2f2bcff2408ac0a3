// The way to the house: one key, its questions and orders, and its sockets.

import { keep, kept } from "./kept.js";

const WHERE = "sessionStorage", KEPT = "clankie-key";

/** The key in what was pasted, which may be the whole address; null where that can be none, as no header could carry it. */
export const keyIn = (pasted) => /^(?:\S*#key=)?([\w~.-]{1,256})$/.exec(pasted.trim())?.[1] ?? null;

/** Take the key out of the address bar at once; it stays with this tab only. */
export function takeKey() {
  const shown = location.hash.startsWith("#key=") ? keyIn(location.hash) : null;
  if (location.hash.startsWith("#key=")) history.replaceState(null, "", location.pathname);
  if (shown) keep(WHERE, KEPT, shown);
  return shown ?? kept(WHERE, KEPT);
}

/** Fires "locked" when the key does not open it any more. */
export class House extends EventTarget {
  #key = null;

  get open() { return this.#key !== null; }

  take(key) {
    this.#key = key;
    keep(WHERE, KEPT, key);
  }

  /** "open", "locked", or "away" when nobody answers; the status itself with the first. */
  async knock() {
    try {
      const answer = await this.#fetch("/status");
      return answer.ok ? { door: "open", status: await answer.json() } : { door: this.#key ? "away" : "locked" };
    } catch {
      return { door: "away" };
    }
  }

  async get(path) {
    const answer = await this.#fetch(path);
    if (!answer.ok) throw new Error(await saidBy(answer));
    return answer.json();
  }

  /** What became of an order: {result, code, text, facts}; also when it could not be given. */
  async order(path, body = {}) {
    try {
      const answer = await this.#fetch(path, body), said = await answer.json();
      return said.result ? said : { result: "refused", code: "", text: said.error ?? `the house answered ${answer.status}`, facts: {} };
    } catch {
      return { result: "gone", code: "", text: "the house does not answer; see whether it still runs", facts: {} };
    }
  }

  /** Ask the captain; `told` gets each line of his answer. */
  async ask(request, told, signal) {
    const answer = await this.#fetch("/captain/ask", { request }, signal);
    if (!answer.ok) throw new Error(await saidBy(answer));
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      const lines = (rest + read.value).split("\n");
      rest = lines.pop();
      lines.filter(Boolean).forEach((line) => told(JSON.parse(line)));
    }
  }

  socket(path) {
    return new WebSocket(`${location.origin.replace(/^http/, "ws")}${path}`, ["clankie", `key.${this.#key}`]);
  }

  async #fetch(path, body, signal = AbortSignal.timeout(60_000)) {
    const headers = { Authorization: `Bearer ${this.#key}` };
    if (body !== undefined) headers["Content-Type"] = "application/json";
    const sent = { method: body === undefined ? "GET" : "POST", headers, cache: "no-store", signal };
    const answer = await fetch(path, { ...sent, body: body === undefined ? undefined : JSON.stringify(body) });
    if (answer.status === 401) this.#lock();
    return answer;
  }

  #lock() {
    if (this.#key === null) return;
    this.#key = null;
    keep(WHERE, KEPT, null);
    this.dispatchEvent(new Event("locked"));
  }
}

async function saidBy(answer) {
  try { return (await answer.json()).error; } catch { return `the house answered ${answer.status}`; }
}

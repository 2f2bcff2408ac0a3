// What is being put on record, and the log, as they come.

import { append, clock, make, part, write } from "./dom.js";
import { momentOf, sentence } from "./sentences.js";

const MOST = 400;

export class Record {
  #names; #receipts; #logs; #paused = false; #missed = 0; #pause; #wanted;

  /** `wantLogs` is told whether anybody wants to see the log. */
  constructor(names, wantLogs) {
    this.#names = names;
    this.#receipts = flow("Receipts", "flow");
    this.#logs = flow("Log", "flow logs");
    this.#pause = make("button", { type: "button", "aria-pressed": "false", class: "small", onclick: () => this.#toggle() }, "Pause");
    this.#wanted = make("input", { type: "checkbox", id: "logs", onchange: () => wantLogs(this.#wanted.checked) });
    part("panel-record").append(make("div", { class: "flows" },
      make("section", { class: "card", "aria-label": "Receipts" }, make("div", { class: "flow-top" }, make("h2", {}, "Receipts"), this.#pause), this.#receipts),
      make("section", { class: "card", "aria-label": "Log" }, make("div", { class: "flow-top" }, make("h2", {}, "Log"), make("label", { class: "check", for: "logs" }, this.#wanted, "show the log")), this.#logs)));
  }

  receipt(receipt) {
    if (this.#paused) { this.#missed += 1; write(this.#pause, `Go on (${this.#missed} unseen)`); return; }
    const { kind, text, tone } = sentence(receipt, (person) => this.#names.of(person));
    append(this.#receipts, line(momentOf(receipt), kind, text, tone), MOST);
  }

  /** Somebody begins to look: the latest is what he wants to see. */
  opened() {
    for (const list of [this.#receipts, this.#logs]) list.scrollTop = list.scrollHeight;
  }

  log({ at, level, text }) {
    if (this.#paused) return;
    append(this.#logs, line(at, level, text, level === "ERROR" || level === "CRITICAL" ? "error" : ""), MOST);
  }

  #toggle() {
    this.#paused = !this.#paused;
    this.#missed = 0;
    this.#pause.setAttribute("aria-pressed", String(this.#paused));
    write(this.#pause, this.#paused ? "Go on" : "Pause");
  }
}

function flow(label, looks) {
  return make("ol", { class: looks, role: "log", "aria-live": "off", "aria-label": label, tabindex: "0" });
}

function line(at, head, text, looks) {
  return make("li", { class: looks }, make("time", {}, clock(at)), make("b", {}, head), make("span", {}, text));
}

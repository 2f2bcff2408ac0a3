// A table of what was heard, what was decided by which rule, and what came of it.

import { Rows, clock, duration, make, part, show, write } from "./dom.js";

const SHOWN = 120;
const NEVER_ANSWERED = "nothing was to be said";

export class Why {
  #chronicle; #names; #rows; #text; #only; #empty; #due = false;

  constructor(chronicle, names) {
    this.#chronicle = chronicle;
    this.#names = names;
    this.#text = make("input", { id: "why-text", type: "search", placeholder: "a name, a rule, an outcome …", oninput: () => this.changed() });
    this.#only = make("select", { id: "why-only", onchange: () => this.changed() },
      ...[["", "everything"], ["silent", "only where he stayed silent"], ["spoke", "only where he spoke"], ["failed", "only what failed"]].map(([value, label]) => make("option", { value }, label)));
    const body = make("tbody");
    this.#rows = new Rows(body, () => make("tr", {}, ...Array.from({ length: 7 }, (_, at) => make("td", { class: at ? "" : "time" }))), (row, item) => this.#row(row, item));
    this.#empty = make("p", { class: "empty" }, "Nothing was heard yet. What he hears, and why he answers it or not, appears here.");
    const heads = ["when", "who", "heard as", "decided", "by the rule", "what came of it", "how long it took"].map((head) => make("th", { scope: "col" }, head));
    part("panel-why").append(
      make("div", { class: "tools" }, make("div", { class: "wide" }, make("label", { for: "why-text" }, "Show only"), this.#text), make("div", {}, make("label", { for: "why-only" }, "Outcome"), this.#only)),
      make("div", { class: "card scroll", tabindex: "0", role: "region", "aria-label": "Lines and turns" },
        make("table", {}, make("caption", {}, "Each line that he heard and each turn that he took, the latest first."), make("thead", {}, make("tr", {}, ...heads)), body), this.#empty));
  }

  /** Show it again, at the next picture, however much has changed. */
  changed() {
    if (this.#due) return;
    this.#due = true;
    requestAnimationFrame(() => { this.#due = false; this.#show(); });
  }

  #show() {
    const wanted = this.#text.value.trim().toLowerCase(), only = this.#only.value;
    const rows = this.#chronicle.rows().filter((row) => (!only || outcome(row) === only) && (!wanted || this.#cells(row).join(" ").toLowerCase().includes(wanted)));
    this.#rows.show(rows.slice(0, SHOWN), ({ key }) => key);
    show(this.#empty, rows.length === 0);
  }

  #row(row, item) {
    row.className = item.line ? `w${this.#names.colour(item.line.person_id)}` : "unasked";
    this.#cells(item).forEach((text, at) => write(row.cells[at], text));
  }

  #cells({ at, line, turn }) {
    const plain = (text) => (text ?? "").replaceAll("_", " ");
    const ended = turn ? `${plain(turn.trigger)} → ${plain(turn.outcome) || "goes on"}${turn.reason ? ` (${plain(turn.reason)})` : ""}${turn.tools?.length ? `, with ${turn.tools.map(plain).join(", ")}` : ""}` : NEVER_ANSWERED;
    const answer = turn?.speech_end_to_first_audio_ms ?? turn?.first_audio_ms;
    const took = [
      answer === null || answer === undefined ? "" : `${duration(answer)} to the first sound`,
      turn?.cut_to_silence_ms === null || turn?.cut_to_silence_ms === undefined ? "" : `${duration(turn.cut_to_silence_ms)} to silence`,
    ].filter(Boolean).join(", ");
    return [clock(at), line ? this.#names.of(line.person_id) : "nobody", line ? plain(line.heard_as) : "–", line ? plain(line.decision) : "a turn of his own", line ? plain(line.rule) : plain(turn.trigger), ended, took];
  }
}

/** As the filter names it. */
function outcome({ turn }) {
  if (!turn || turn.outcome === "silent") return "silent";
  return turn.outcome === "failed" ? "failed" : turn.outcome ? "spoke" : "";
}

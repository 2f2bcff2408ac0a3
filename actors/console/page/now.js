// How things are: why he is silent, each stay in a few facts, how fast he is, and what he may be told to do.

import { Rows, clock, duration, make, part, show, span, write } from "./dom.js";
import { Orders } from "./orders.js";

const KEPT = 40;
const DELAYS = [
  ["speech_end_to_first_audio", "from your last word to his first"],
  ["first_audio", "from his decision to his first sound"],
  ["transcript", "from your last word to its transcript"],
  ["cut_to_silence", "from a cut to his silence"],
];

export class Now {
  #names; #orders; #because; #stays; #series = new Map(DELAYS.map(([name]) => [name, []])); #delays = new Map(); #silent; #foot;

  constructor(house, names, order) {
    this.#names = names;
    this.#orders = new Orders(house, order);
    this.#silent = make("h3", {}, "Why he is silent");
    const because = make("ul", { class: "because", "aria-label": "Why he is silent" });
    this.#because = new Rows(because, () => make("li", {}, make("span")), (row, text) => write(row.firstChild, text));
    const stays = make("div", { class: "orders" });
    this.#stays = new Rows(stays, () => stayCard(), (card, stay) => this.#stay(card, stay));
    this.#foot = make("p", { class: "soft small" });
    part("now").append(make("div", {}, this.#silent, because), stays, this.#delaysBox(), make("hr"), this.#orders.element, this.#foot);
  }

  status(status) {
    const silent = status.silent ?? [];
    show(this.#silent.parentElement, silent.length > 0);
    this.#because.show(silent, String);
    this.#stays.show(status.stays, (stay) => stay.stay_id);
    this.#orders.stays(status.stays);
    write(this.#foot, `Clankie ${status.version}, up ${span(status.uptime_s)}${status.evidence_lost ? `, ${status.evidence_lost} receipts could not be written` : ""}`);
  }

  receipt({ data }) {
    if (data.type === "response") {
      this.#took("first_audio", data.decisionToFirstAudioMs);
      this.#took("speech_end_to_first_audio", data.speechEndToFirstAudioMs);
    }
    if (data.type === "transcription" && data.outcome === "words") this.#took("transcript", data.latencyMs);
    if (data.type === "playback") this.#took("cut_to_silence", data.decisionToSilenceMs);
  }

  /** What came before this page was opened. */
  turns(turns) {
    for (const turn of turns) {
      this.#took("first_audio", turn.first_audio_ms);
      this.#took("speech_end_to_first_audio", turn.speech_end_to_first_audio_ms);
      this.#took("cut_to_silence", turn.cut_to_silence_ms);
    }
  }

  #delaysBox() {
    const boxes = DELAYS.map(([name, label]) => {
      const value = make("b"), median = make("small"), line = document.createElementNS("http://www.w3.org/2000/svg", "svg");
      line.setAttribute("viewBox", "0 0 100 26");
      line.setAttribute("preserveAspectRatio", "none");
      line.setAttribute("aria-hidden", "true");
      line.append(document.createElementNS("http://www.w3.org/2000/svg", "polyline"));
      const box = make("div", { class: "delay", hidden: true }, value, " ", median, line, make("div", { class: "soft small" }, label));
      this.#delays.set(name, { box, value, median, line: line.firstChild });
      return box;
    });
    return make("div", { class: "delays", role: "group", "aria-label": "How fast he is" }, ...boxes);
  }

  #took(name, ms) {
    if (ms === undefined || ms === null) return;
    const series = this.#series.get(name), { box, value, median, line } = this.#delays.get(name);
    series.push(ms);
    if (series.length > KEPT) series.shift();
    const sorted = series.toSorted((a, b) => a - b), most = sorted.at(-1) || 1;
    show(box, true);
    line.parentElement.toggleAttribute("hidden", series.length < 2);
    write(value, duration(ms));
    write(median, series.length > 1 ? `median ${duration(sorted[Math.floor(sorted.length / 2)])}` : "");
    const points = series.map((each, at) => `${(at * 100) / (series.length - 1 || 1)},${24 - (22 * each) / most}`);
    line.setAttribute("points", points.join(" "));
  }

  #stay(card, stay) {
    const [top, facts] = card.children, [title, floor] = top.children, dd = facts.querySelectorAll("dd");
    write(title, `In room ${stay.room_id ?? "unknown"}`);
    const held = stay.floor === "engaged" && stay.holder ? `engaged with ${this.#names.of(stay.holder)}` : stay.floor ?? "unknown";
    write(floor, held);
    floor.className = `pill${stay.floor === "engaged" ? " warm" : ""}`;
    const heard = stay.consented === null ? "unknown" : `${stay.consented} of ${stay.humans ?? "?"}`;
    const told = [
      heard,
      stay.link_lost ? `lost (${stay.link_lost})` : stay.hindrance ? stay.hindrance.replaceAll("_", " ") : "good",
      stay.hushed_s ? span(stay.hushed_s) : "no",
      stay.last_turn ?? "none yet",
      stay.joined_at ? clock(stay.joined_at) : "unknown",
      cost(stay.costs),
    ];
    told.forEach((text, at) => write(dd[at], text));
    dd[1].classList.toggle("bad", Boolean(stay.link_lost || stay.hindrance));
  }
}

function cost(costs) {
  if (!costs?.bill.length && !costs?.amount) return "nothing yet";
  if (costs.bill.every((spent) => spent.provider === "local") && !costs.amount) return "nothing: all local";
  const amount = `${costs.amount.toFixed(costs.amount < 1 ? 4 : 2)} ${costs.currency}`;
  return costs.unpriced?.length ? `${amount}, without ${costs.unpriced.join(", ")}` : amount;
}

function stayCard() {
  const names = ["people heard", "voice link", "told to be silent", "last turn", "since", "cost"];
  return make("article", { class: "stay" }, make("div", { class: "top" }, make("strong"), make("span")),
    make("dl", { class: "facts" }, ...names.map((name) => make("div", {}, make("dt", {}, name), make("dd")))));
}

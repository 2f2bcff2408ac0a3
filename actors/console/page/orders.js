// Orders to him, what comes of each in a sentence, and a second thought before the grave ones.

import { capital, make, part, write } from "./dom.js";

const SHOWN_MS = 9000, MOST = 4;

/** Show what came of an order for a while; also read aloud by a screen reader. */
export function tell({ result, text }) {
  const said = make("div", { class: `answer ${result}` }, capital(text));
  part("answers").append(said);
  while (part("answers").childElementCount > MOST) part("answers").firstElementChild.remove();
  setTimeout(() => said.remove(), SHOWN_MS);
}

/** Whether the operator is sure. */
export function sure(question, verb) {
  const dialog = part("sure");
  write(part("sure-text"), question);
  write(part("sure-yes"), verb);
  dialog.returnValue = "no";
  dialog.showModal();
  return new Promise((resolve) => dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"), { once: true }));
}

export class Orders {
  element; #order; #house; #stay; #stays; #answer; #asking = null;

  constructor(house, order) {
    this.#house = house;
    this.#order = order;
    this.#stay = make("select", { id: "stay" });
    this.#stays = make("div", { hidden: true }, make("label", { for: "stay" }, "Which stay"), this.#stay);
    this.#answer = make("div", { class: "captain", role: "log", "aria-label": "The captain's answer", hidden: true });
    this.element = make("div", { class: "orders" }, this.#stays, this.#say(), this.#quiet(), this.#move(), make("hr"), this.#captain(), make("hr"), this.#whole());
  }

  /** Where there are several, orders name one. */
  stays(stays) {
    const ids = stays.map((stay) => stay.stay_id), known = [...this.#stay.options].map((option) => option.value);
    if (ids.join() !== known.join()) {
      const chosen = this.#stay.value;
      this.#stay.replaceChildren(...stays.map((stay) => make("option", { value: stay.stay_id }, `room ${stay.room_id ?? "unknown"}`)));
      if (ids.includes(chosen)) this.#stay.value = chosen;
    }
    this.#stays.hidden = ids.length < 2;
  }

  #to(path, body = {}) {
    return this.#order(path, this.#stays.hidden ? body : { ...body, stay: this.#stay.value });
  }

  #say() {
    const text = make("input", { id: "say", maxlength: "600", required: true, autocomplete: "off" });
    return form("say", "Say this, word for word", [text, make("button", {}, "Say")], async () => {
      const { result } = await this.#to("/say", { text: text.value.trim() });
      if (result === "done") text.value = "";
    });
  }

  #quiet() {
    const minutes = make("input", { id: "hush", type: "number", class: "minutes", min: "0", max: "1440", step: "any", value: "5", required: true });
    return form("hush", "Be silent for so many minutes (0 ends it)",
      [minutes, make("button", {}, "Hush"), button("Interrupt", () => this.#to("/interrupt"))],
      () => this.#to("/hush", { seconds: Number(minutes.value) * 60 }));
  }

  #move() {
    const room = make("input", { id: "join", maxlength: "128", autocomplete: "off", placeholder: "room id" });
    return form("join", "Have him come into a room (empty: where you are)", [room, make("button", {}, "Come"), button("Leave", () => this.#to("/stays/leave"))],
      () => this.#order("/stays/join", room.value.trim() ? { room: room.value.trim() } : {}));
  }

  #captain() {
    const request = make("input", { id: "ask", maxlength: "4000", required: true, autocomplete: "off" });
    const asked = form("ask", "Ask the captain", [request, make("button", {}, "Ask")], () => this.#ask(request));
    asked.append(this.#answer);
    return asked;
  }

  async #ask(request) {
    this.#asking?.abort();
    const asking = (this.#asking = new AbortController()), lines = [];
    const said = (line) => { lines.push(line); write(this.#answer, lines.join("\n")); };
    this.#answer.hidden = false;
    write(this.#answer, "He is on it …");
    try {
      await this.#house.ask(request.value.trim(), (line) => {
        if (line.tool !== undefined) said(`· ${line.tool}: ${line.outcome}`);
        if (line.answer !== undefined) said(line.failed ? `He could not: ${line.failed.replaceAll("_", " ")}` : line.answer || "He has nothing to say to that.");
      }, asking.signal);
      request.value = "";
    } catch (failure) {
      if (!asking.signal.aborted) said(failure.message);
    }
  }

  #whole() {
    const close = async () => {
      if (await sure("Close the whole house? He leaves every room, and has to be started again by hand.", "Close the house")) this.#order("/shutdown");
    };
    return make("div", { class: "line" }, button("Put the record on disk", () => this.#order("/evidence/flush"), "small"), button("Close the house", close, "small grave"));
  }
}

function button(label, then, looks = "") {
  return make("button", { type: "button", class: looks, onclick: then }, label);
}

function form(id, label, controls, then) {
  const submitted = (event) => { event.preventDefault(); then(); };
  return make("form", { onsubmit: submitted }, make("label", { for: id }, label), make("div", { class: "line" }, ...controls));
}

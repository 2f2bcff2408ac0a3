// Who is in the room, who is speaking, and whom he hears.

import { Rows, make, plain, write } from "./dom.js";
import { HIM } from "./evening.js";

const AUDIBLE = 0.012, LINGER_MS = 350;

export class People {
  element = make("ul", { class: "people", "aria-label": "Who is here" });
  #names; #rows; #people = []; #present = false; #own = null; #heard = new Map(); #until = new Map();

  constructor(names) {
    this.#names = names;
    this.#rows = new Rows(this.element, (one) => person(one), (row, one) => this.#update(row, one));
    setInterval(() => this.#quieten(), 200);
  }

  get present() { return this.#present; }

  own(person) { this.#own = person; }

  here({ people, present }) {
    this.element.classList.remove("stale");
    this.#people = people;
    this.#present = present;
    const here = new Set(people.map((one) => one.person));
    for (const id of this.#heard.keys()) if (!present || !here.has(id)) this.#heard.delete(id);
    for (const { person: id, name } of people) this.#names.know(id, name);
    this.#show();
  }

  /** Whether he may hear this person; that of nobody is known before something was said about it. */
  hears(person, heard) {
    if (this.#heard.get(person) === heard || !this.#people.some((one) => one.person === person)) return;
    this.#heard.set(person, heard);
    this.#show();
  }

  /** The room cannot be reached: whom he hears, and who speaks, is not known any more. */
  lost() {
    this.#heard.clear();
    this.#until.clear();
    this.element.classList.add("stale");
    this.#show();
  }

  /** The person who has this slot. */
  inSlot(slot) {
    return slot === 0 ? HIM : this.#people.find((one) => one.slot === slot)?.person;
  }

  speaks(person, level) {
    if (!person || level < AUDIBLE) return false;
    const silent = !this.#until.has(person);
    this.#until.set(person, performance.now() + LINGER_MS);
    if (silent) this.#show();
    return true;
  }

  #quieten() {
    const before = this.#until.size;
    for (const [person, until] of this.#until) if (until < performance.now()) this.#until.delete(person);
    if (this.#until.size !== before) this.#show();
  }

  #show() {
    const him = { person: HIM, name: "Clankie" };
    this.#rows.show([...this.#people, him], (one) => one.person);
  }

  #update(row, { person: id, name }) {
    const [badge, label, note] = row.children, his = id === HIM, speaks = this.#until.has(id);
    row.className = his ? "his" : `w${this.#names.colour(id)}`;
    row.classList.toggle("speaks", speaks);
    row.classList.toggle("absent", his && !this.#present);
    write(badge, [...name][0]?.toUpperCase() ?? "?");
    write(label, id === this.#own ? `${plain(name)} (you)` : plain(name));
    const state = his ? (this.#present ? "" : "not in the room") : { true: "heard", false: "not heard" }[this.#heard.get(id)] ?? "";
    write(note, speaks ? `${state ? `${state}, ` : ""}speaking` : state);
  }
}

function person() {
  return make("li", {}, make("i", { "aria-hidden": "true" }), make("span"), make("small"));
}

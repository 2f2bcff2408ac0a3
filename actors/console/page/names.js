// Who is who: labels as the room tells them, and one colour for each person for as long as the page is open.

import { plain } from "./dom.js";

const MOST = 300, COLOURS = 6;

export class Names {
  #labels = new Map(); #colours = new Map();

  know(person, label) {
    if (!person || !label) return;
    this.#labels.delete(person);
    this.#labels.set(person, plain(label));
    if (this.#labels.size > MOST) this.#labels.delete(this.#labels.keys().next().value);
  }

  of(person) {
    if (!person) return "nobody";
    const label = this.#labels.get(person);
    return label ?? (person.length > 10 ? `…${person.slice(-6)}` : person);
  }

  /** Who is called this, if anybody is. */
  called(label) {
    return [...this.#labels].findLast(([, known]) => known === plain(label))?.[0];
  }

  colour(person) {
    if (!this.#colours.has(person)) {
      if (this.#colours.size > MOST) this.#colours.clear();
      this.#colours.set(person, this.#colours.size % COLOURS);
    }
    return this.#colours.get(person);
  }
}

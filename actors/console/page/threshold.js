// The way to a seat: a name, and one press for who sat here before this tab was loaded anew.

import { make, plain, show, write } from "./dom.js";
import { keep, kept } from "./kept.js";

const ALWAYS = "localStorage", NAME = "clankie-name", TAB = "sessionStorage", SAT = "clankie-sat";

/** Fires "join" with a name. */
export class Threshold extends EventTarget {
  element; #name; #join;

  constructor() {
    super();
    const name = kept(TAB, SAT) ?? kept(ALWAYS, NAME) ?? "";
    this.#name = make("input", { id: "name", maxlength: "32", required: true, autocomplete: "nickname", value: name, oninput: () => this.#offer() });
    this.#join = make("button", { class: "main order" });
    this.element = make("form", { class: "orders", onsubmit: (event) => this.#submit(event) },
      make("p", { class: "soft" }, "Talk with him from here; nobody needs an account. With headphones he does not hear himself."),
      make("div", {}, make("label", { for: "name" }, "Your name"), make("div", { class: "line" }, this.#name, this.#join)));
    this.#offer();
  }

  /** The room appears: who sat in it before needs no more than the Enter key. */
  appears() {
    if (kept(TAB, SAT) && document.activeElement === document.body) this.#join.focus();
  }

  /** Whoever gave the name sits now. */
  crossed() {
    keep(TAB, SAT, this.#name.value.trim());
    show(this.element, false);
  }

  /** He has got up, and does not want to be asked back. */
  left() { keep(TAB, SAT, null); }

  /** Somebody may sit down, at first or again. */
  open() {
    this.#join.disabled = false;
    this.#offer();
    show(this.element, true);
    this.#name.focus();
  }

  #offer() {
    const sat = kept(TAB, SAT);
    write(this.#join, sat && this.#name.value.trim() === sat ? `Sit down again as ${plain(sat)}` : "Join");
  }

  #submit(event) {
    event.preventDefault();
    const name = this.#name.value.trim();
    if (!name) return;
    keep(ALWAYS, NAME, name);
    this.#join.disabled = true;
    this.dispatchEvent(new CustomEvent("join", { detail: name }));
  }
}

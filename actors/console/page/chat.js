// What is written and said in the room, a line to write in, and the button under his question.

import { append, make, plain, show, write } from "./dom.js";

const MOST = 200;

/** Fires "line" with what is written, and "press" with yes or no. */
export class Chat extends EventTarget {
  element; #names; #list; #scroller; #hint; #asks; #question; #input;

  constructor(names) {
    super();
    this.#names = names;
    this.#list = make("ol", { role: "log", "aria-label": "What is written and said" });
    this.#hint = make("p", { class: "hint", hidden: true }, "Say: ", make("kbd", {}, "Clankie, what time is it?"));
    this.#scroller = make("div", { class: "chat", tabindex: "0", role: "region", "aria-label": "Conversation" }, this.#list, this.#hint);
    this.#question = make("p");
    this.#asks = make("div", { class: "asks", role: "group", "aria-label": "He asks", hidden: true }, this.#question,
      make("div", { class: "line" }, this.#button("Yes", true), this.#button("No", false)));
    this.#input = make("input", { id: "written", maxlength: "2000", autocomplete: "off", placeholder: "Clankie, …" });
    const form = make("form", { onsubmit: (event) => this.#submit(event) },
      make("label", { for: "written" }, "Write to the room"), make("div", { class: "line" }, this.#input, make("button", {}, "Send")));
    this.element = make("div", { class: "orders" }, this.#scroller, this.#asks, form);
  }

  wrote(name, text, his) { this.#line(name, text, his ? "wrote his" : `wrote ${this.#dye(name)}`); }

  said({ label, person_id, text, his, whole }) {
    this.#line(label, text, his ? "his" : `w${this.#names.colour(person_id)}`, whole ? "" : " – cut off");
  }

  note(text) { append(this.#list, make("li", { class: "note" }, text), MOST, this.#scroller); }

  ask({ text, open }) {
    write(this.#question, plain(text));
    show(this.#asks, open);
  }

  hint(shown) { show(this.#hint, shown); }

  clear() {
    this.#list.replaceChildren();
    show(this.#asks, false);
  }

  #line(name, text, looks, ended = "") {
    const said = make("span", {}, make("bdi", {}, plain(text)), ended ? make("em", {}, ended) : null);
    append(this.#list, make("li", { class: looks }, make("b", {}, plain(name)), said), MOST, this.#scroller);
  }

  #dye(name) {
    const person = this.#names.called(name);
    return person ? `w${this.#names.colour(person)}` : "";
  }

  #button(label, granted) {
    const press = () => this.dispatchEvent(new CustomEvent("press", { detail: granted }));
    return make("button", { type: "button", class: granted ? "main" : "", onclick: press }, label);
  }

  #submit(event) {
    event.preventDefault();
    const text = this.#input.value.trim();
    if (!text) return;
    // What could not be sent stays there, to be sent again.
    if (this.dispatchEvent(new CustomEvent("line", { detail: text, cancelable: true }))) this.#input.value = "";
  }
}

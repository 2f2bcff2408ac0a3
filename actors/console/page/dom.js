// Everything that is shown is made here, and words of others only ever become text.

/** An element; "on…" attributes are listeners, false and null are left out, strings become text. */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

export const part = (id) => document.getElementById(id);

/** Words of others without the marks that turn what follows them around. */
export const plain = (text) => text.replace(/[\u202a-\u202e\u2066-\u2069]/g, "");

/** Write this text, if it is not there already: what is not touched keeps its selection and its reader. */
export function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

export function show(element, shown) {
  if (element.hidden === shown) element.hidden = !shown;
}

/** Let a button do nothing for now; a disabled one would drop the keyboard and could not say why. */
export function rest(button, rests) { button.setAttribute("aria-disabled", String(rests)); }

export const rests = (button) => button.getAttribute("aria-disabled") === "true";

/** Add at the end, take away at the beginning; whoever reads the end goes on reading it. */
export function append(list, child, most, scroller = list) {
  const atEnd = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < 40;
  list.append(child);
  while (list.childElementCount > most) list.firstElementChild.remove();
  if (atEnd) scroller.scrollTop = scroller.scrollHeight;
}

/** Keep one child for each key: made once, updated in place, in order, and gone with its key. */
export class Rows {
  #parent; #made = new Map(); #create; #update;

  constructor(parent, create, update) {
    this.#parent = parent; this.#create = create; this.#update = update;
  }

  show(items, keyOf) {
    const wanted = new Map(items.map((item) => [keyOf(item), item]));
    for (const [key, row] of this.#made) {
      if (!wanted.has(key)) { row.remove(); this.#made.delete(key); }
    }
    let place = this.#parent.firstElementChild;
    for (const [key, item] of wanted) {
      let row = this.#made.get(key);
      if (!row) { row = this.#create(item); this.#made.set(key, row); }
      this.#update(row, item);
      if (row === place) place = place.nextElementSibling;
      else this.#parent.insertBefore(row, place);
    }
  }
}

export const clock = (at) => new Date(at * 1000).toLocaleTimeString([], { hour12: false });

/** 1 s 240 ms as "1.24 s", 86 ms as "86 ms". */
export const duration = (ms) => (ms >= 1000 ? `${(ms / 1000).toFixed(ms < 10000 ? 2 : 1)} s` : `${Math.round(ms)} ms`);

/** Seconds as "2 h 3 min", "4 min 5 s" or "9 s". */
export function span(seconds) {
  const whole = Math.max(0, Math.round(seconds)), minutes = Math.floor(whole / 60), hours = Math.floor(minutes / 60);
  if (hours) return `${hours} h ${minutes % 60} min`;
  return minutes ? `${minutes} min ${whole % 60} s` : `${whole} s`;
}

export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

// Every actor of the house as it stands, and a new life for one of them.

import { Rows, make, part, show, write } from "./dom.js";
import { sure } from "./orders.js";

const MOST_FACTS = 12;

export class Tree {
  #rows; #note;

  constructor(order) {
    const body = make("tbody");
    this.#rows = new Rows(body, ({ node }) => row(node, order), (made, item) => update(made, item));
    this.#note = make("p", { class: "empty" }, "The house has not described itself yet.");
    const heads = [["actor", ""], ["state", ""], ["restarts", "number"], ["letters waiting", "number"], ["what it says of itself", ""]];
    part("panel-tree").append(make("div", { class: "card scroll", tabindex: "0", role: "region", "aria-label": "Actors" }, make("table", {},
      make("caption", {}, "Every actor, below the one that starts it again. Old letters were meant for what is over, and were dropped; missed ones could not be handed over."),
      make("thead", {}, make("tr", {}, ...heads.map(([head, looks]) => make("th", { scope: "col", class: looks }, head)), make("th", { scope: "col" }, make("span", { class: "unseen" }, "restart")))), body), this.#note));
  }

  status({ tree }) {
    if (part("panel-tree").hidden) return;
    this.#rows.show(tree ? [...below(tree, 0)] : [], ({ node }) => node.path);
    show(this.#note, !tree);
  }
}

function* below(node, depth) {
  yield { node, depth };
  for (const child of node.children) yield* below(child, depth + 1);
}

function row(node, order) {
  const restart = async () => {
    if (await sure(`Give ${node.path || "the root"} a new life? What it holds is lost; the others go on.`, "Restart")) order("/actors/restart", { path: node.path });
  };
  return make("tr", {}, make("th", { scope: "row", class: "name" }, make("span"), make("span", { class: "kind" })), make("td", {}, make("span")),
    make("td", { class: "number", "data-head": "restarts" }), make("td", { class: "number", "data-head": "letters waiting" }), make("td", { class: "facts-in" }),
    make("td", {}, make("button", { type: "button", class: "small", "aria-label": `Restart ${node.path}`, onclick: restart }, "Restart")));
}

function update(made, { node, depth }) {
  const [name, state, restarts, letters, facts, again] = made.cells;
  name.className = `name d${Math.min(depth, 5)}`;
  write(name.firstChild, short(node.path));
  name.firstChild.title = node.path;
  write(name.lastChild, node.kind);
  write(state.firstChild, node.state);
  state.firstChild.className = `pill${node.state === "open" ? " him" : " wrong"}`;
  write(restarts, String(node.restarts));
  write(letters, String(node.mailbox_depth));
  show(again.firstChild, depth > 0);
  const told = Object.entries(node.facts).filter(([, value]) => value !== null && value !== "").slice(0, MOST_FACTS);
  const text = told.map(([fact, value]) => `${fact.replaceAll("_", " ")} ${value}`);
  if (text.join() !== [...facts.children].map((one) => one.textContent).join()) facts.replaceChildren(...text.map((one) => make("span", {}, one)));
}

function short(path) {
  const last = path.split("/").at(-1);
  return last.length > 24 ? `${last.slice(0, 8)}…${last.slice(-6)}` : last;
}

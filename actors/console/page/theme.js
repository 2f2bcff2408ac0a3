// Light, dark, or as the machine has it.

import { part, write } from "./dom.js";
import { keep, kept } from "./kept.js";

const WHERE = "localStorage", KEPT = "clankie-theme", THEMES = ["auto", "light", "dark"];

/** `changed` is called after another one was chosen. */
export function theme(changed) {
  const button = part("theme");
  const wear = (name) => {
    if (name === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = name;
    write(button, { auto: "◐ Auto", light: "☀ Light", dark: "☾ Dark" }[name]);
    button.setAttribute("aria-label", `Colours: ${name}. Press for the next.`);
  };
  const chosen = kept(WHERE, KEPT);
  let now = THEMES.includes(chosen) ? chosen : "auto";
  wear(now);
  button.addEventListener("click", () => {
    now = THEMES[(THEMES.indexOf(now) + 1) % THEMES.length];
    keep(WHERE, KEPT, now);
    wear(now);
    changed();
  });
}

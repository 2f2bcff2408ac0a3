// Light, dark, or as the machine has it.

import { part, write } from "./dom.js";

const KEPT = "clankie-theme", THEMES = ["auto", "light", "dark"];

/** `changed` is called after another one was chosen. */
export function theme(changed) {
  const button = part("theme");
  const wear = (name) => {
    if (name === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = name;
    write(button, { auto: "◐ Auto", light: "☀ Light", dark: "☾ Dark" }[name]);
    button.setAttribute("aria-label", `Colours: ${name}. Press for the next.`);
  };
  let now = THEMES.includes(localStorage.getItem(KEPT)) ? localStorage.getItem(KEPT) : "auto";
  wear(now);
  button.addEventListener("click", () => {
    now = THEMES[(THEMES.indexOf(now) + 1) % THEMES.length];
    localStorage.setItem(KEPT, now);
    wear(now);
    changed();
  });
}

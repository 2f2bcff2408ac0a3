// One of four views is open, and the arrow keys walk through them.

import { part } from "./dom.js";

/** `opened` is told the name of the view whenever another one is opened. */
export function tabs(opened) {
  const all = [...part("tabs").children];
  const open = (tab) => {
    for (const one of all) {
      one.setAttribute("aria-selected", String(one === tab));
      one.tabIndex = one === tab ? 0 : -1;
      part(one.getAttribute("aria-controls")).hidden = one !== tab;
    }
    opened(tab.id.slice("tab-".length));
  };
  const step = { ArrowRight: 1, ArrowLeft: -1 };
  for (const tab of all) {
    tab.addEventListener("click", () => open(tab));
    tab.addEventListener("keydown", (event) => {
      const to = { Home: 0, End: all.length - 1 }[event.key] ?? (event.key in step ? (all.indexOf(tab) + step[event.key] + all.length) % all.length : null);
      if (to === null) return;
      event.preventDefault();
      all[to].focus();
      open(all[to]);
    });
  }
}

// What a browser keeps for this page; one that keeps nothing only forgets.

/** What is kept under this name in `localStorage` or `sessionStorage`, if anything. */
export function kept(where, name) {
  try { return window[where].getItem(name); } catch { return null; }
}

/** Keep it; null is what there is to forget. */
export function keep(where, name, value) {
  try {
    if (value === null) window[where].removeItem(name);
    else window[where].setItem(name, value);
  } catch { /* It is chosen or asked for anew next time. */ }
}

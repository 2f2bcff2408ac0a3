// Draws the evening on a canvas, calmly, for as long as somebody can see it.

import { part, write } from "./dom.js";
import { HIM, SHOWN_SECONDS } from "./evening.js";

const ROW = 32, GAP = 7, TOP = 4, FLOOR = 15, AXIS = 20, EVERY_MS = 66, CALM_MS = 1000, PEOPLE = 6, READABLE = 64;
const INKS = ["ink", "soft", "line", "lane", "him", "him-ink", "thinks", "cut", "card", "warm", "warm-ink", "p0", "p1", "p2", "p3", "p4", "p5"];
const FONT = '12px system-ui, "Segoe UI", Roboto, sans-serif';

export class Lanes {
  #evening; #names; #canvas = part("lanes"); #told = part("told"); #inks = {}; #hits = []; #pointer = null; #calm = matchMedia("(prefers-reduced-motion: reduce)");

  constructor(evening, names) {
    this.#evening = evening;
    this.#names = names;
    this.dye();
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.dye());
    this.#canvas.addEventListener("pointermove", ({ offsetX, offsetY }) => { this.#pointer = [offsetX, offsetY]; });
    this.#canvas.addEventListener("pointerleave", () => { this.#pointer = null; });
    this.#frame();
  }

  /** Take the colours from the style sheet, which knows whether it is dark. */
  dye() {
    const probe = document.createElement("i");
    document.body.append(probe);
    for (const name of INKS) {
      probe.style.color = `var(--${name})`;
      this.#inks[name] = getComputedStyle(probe).color;
    }
    probe.remove();
  }

  /** Never while nobody can see it, and between two times it leaves the browser alone. */
  #frame() {
    requestAnimationFrame(() => {
      if (this.#canvas.offsetParent) this.#draw(Date.now() / 1000);
      setTimeout(() => this.#frame(), this.#calm.matches ? CALM_MS : EVERY_MS);
    });
  }

  #draw(now) {
    const canvas = this.#canvas, lanes = this.#shown(), ratio = devicePixelRatio || 1;
    const width = canvas.clientWidth, height = TOP + lanes.length * (ROW + GAP) + FLOOR + AXIS;
    if (canvas.height !== Math.round(height * ratio) || canvas.width !== Math.round(width * ratio)) {
      canvas.style.height = `${height}px`;
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
    }
    const pen = canvas.getContext("2d"), left = Math.min(128, width * 0.24), scale = (width - left) / SHOWN_SECONDS;
    const x = (at) => left + (at - now + SHOWN_SECONDS) * scale;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);
    pen.font = FONT;
    pen.textBaseline = "middle";
    this.#hits = [];
    this.#axis(pen, now, x, left, width, height);
    lanes.forEach(([person, marks], row) => this.#lane(pen, person, marks, TOP + row * (ROW + GAP), { x, left, width, now }));
    this.#floor(pen, height - FLOOR - AXIS, { x, left, width, now });
    this.#cuts(pen, lanes, x, left);
    this.#tell();
  }

  #shown() {
    const lanes = [...this.#evening.lanes], him = lanes.filter(([who]) => who === HIM);
    return [...lanes.filter(([who]) => who !== HIM).slice(-PEOPLE), ...him];
  }

  #axis(pen, now, x, left, width, height) {
    pen.textAlign = "center";
    const every = width - left < 420 ? 60 : 30, y = height - AXIS / 2 + 1;
    for (let ago = 15; ago < SHOWN_SECONDS; ago += 15) {
      const at = Math.round(x(now - ago));
      pen.fillStyle = this.#inks.line;
      pen.fillRect(at, TOP, 1, height - AXIS - TOP);
      pen.fillStyle = this.#inks.soft;
      if (ago % every === 0) pen.fillText(ago < 60 ? `${ago} s` : `${ago / 60} min`, at, y);
    }
    pen.textAlign = "left";
    pen.fillText(`${SHOWN_SECONDS / 60} min ago`, left, y);
    pen.textAlign = "right";
    pen.fillText("now", width, y);
  }

  #lane(pen, person, marks, y, { x, left, width, now }) {
    const his = person === HIM, name = his ? "Clankie" : this.#names.of(person);
    const colour = this.#inks[his ? "him" : `p${this.#names.colour(person)}`];
    pen.fillStyle = this.#inks.lane;
    round(pen, left, y, width - left, ROW, 7);
    pen.textAlign = "right";
    pen.fillStyle = colour;
    pen.font = `600 ${FONT.replace("12px", "13px")}`;
    pen.fillText(fitting(pen, name, left - 16), left - 12, y + ROW / 2);
    pen.font = FONT;
    pen.save();
    pen.beginPath();
    pen.rect(left, y, width - left, ROW);
    pen.clip();
    for (const mark of marks) this.#mark(pen, mark, colour, his, { from: x(mark.from), to: x(mark.to ?? now), y, name });
    if (his) this.#ducked(pen, y, x, now);
    pen.restore();
  }

  #mark(pen, mark, colour, his, { from, to, y, name }) {
    const wide = Math.max(3, to - from);
    pen.fillStyle = colour;
    pen.globalAlpha = 1;
    switch (mark.kind) {
      case "air": pen.globalAlpha = 0.3; round(pen, from, y + ROW / 2 - 5, wide, 10, 5); break;
      case "thinks": pen.fillStyle = mark.failed ? this.#inks.cut : this.#inks.thinks; pen.globalAlpha = mark.silent ? 0.45 : 1; round(pen, from, y + ROW - 6, wide, 4, 2); break;
      case "typed": round(pen, from - 4, y + ROW / 2 - 4, 8, 8, 2); break;
      default: this.#utterance(pen, mark, colour, his, from, wide, y);
    }
    pen.globalAlpha = 1;
    this.#hits.push({ from: from - 2, to: from + wide + 2, y, text: told(mark, name) });
  }

  #utterance(pen, mark, colour, his, from, wide, y) {
    pen.globalAlpha = mark.empty ? 0.35 : 1;
    round(pen, from, y + 3, wide, ROW - 6, 6);
    if (mark.empty) return;
    if (mark.cut || mark.failed) { pen.fillStyle = this.#inks.cut; pen.fillRect(from + wide - 3, y + 3, 3, ROW - 6); }
    if (!mark.text || wide < READABLE) return;
    pen.textAlign = "left";
    pen.fillStyle = his ? this.#inks["him-ink"] : this.#inks.card;
    pen.fillText(fitting(pen, mark.text, wide - 14), from + 8, y + ROW / 2);
  }

  #ducked(pen, y, x, now) {
    pen.fillStyle = this.#inks.ink;
    pen.globalAlpha = 0.28;
    for (const duck of this.#evening.ducks) pen.fillRect(x(duck.from), y + 3, Math.max(2, x(duck.to ?? now) - x(duck.from)), ROW - 6);
    pen.globalAlpha = 1;
  }

  #floor(pen, y, { x, left, width, now }) {
    pen.textAlign = "right";
    pen.fillStyle = this.#inks.soft;
    pen.fillText("floor", left - 12, y + FLOOR / 2);
    for (const { from, to, state, holder } of this.#evening.floor) {
      const start = Math.max(left, x(from)), end = Math.min(width, x(to ?? now));
      if (state !== "engaged" || end <= start) continue;
      pen.fillStyle = this.#inks.warm;
      round(pen, start, y, Math.max(2, end - start), FLOOR, 5);
      const text = holder ? this.#names.of(holder) : "engaged";
      pen.fillStyle = this.#inks["warm-ink"];
      pen.textAlign = "left";
      if (end - start > 44) pen.fillText(fitting(pen, text, end - start - 14), start + 8, y + FLOOR / 2 + 0.5);
      this.#hits.push({ from: start, to: end, y: y - 8, text: `engaged with ${text}` });
    }
  }

  #cuts(pen, lanes, x, left) {
    const row = (person) => TOP + lanes.findIndex(([who]) => who === person) * (ROW + GAP) + ROW / 2;
    pen.strokeStyle = this.#inks.cut;
    pen.lineWidth = 2;
    for (const { at, person } of this.#evening.cuts) {
      if (x(at) < left || !lanes.some(([who]) => who === person)) continue;
      pen.beginPath();
      pen.moveTo(x(at), row(person));
      pen.lineTo(x(at), row(HIM));
      pen.stroke();
    }
  }

  #tell() {
    const [px, py] = this.#pointer ?? [-1, -1];
    write(this.#told, this.#hits.findLast((hit) => hit.from <= px && px <= hit.to && hit.y <= py && py <= hit.y + ROW)?.text ?? "");
  }
}

function told(mark, name) {
  const said = mark.text ? `: ${mark.text}` : "";
  switch (mark.kind) {
    case "air": return `${name} can be heard here`;
    case "thinks": return `a turn${said}${mark.silent ? ", silent by choice" : mark.failed ? ", failed" : ""}`;
    case "typed": return `${name} wrote${said}`;
    default: return `${name}${mark.empty ? ": no words in it" : said}${mark.cut ? " (cut off)" : ""}`;
  }
}

function round(pen, x, y, width, height, radius) {
  pen.beginPath();
  pen.roundRect(x, y, Math.max(0, width), height, Math.min(radius, width / 2));
  pen.fill();
}

function fitting(pen, text, width) {
  if (pen.measureText(text).width <= width) return text;
  let whole = Math.max(0, Math.floor((text.length * width) / pen.measureText(text).width));
  while (whole > 0 && pen.measureText(`${text.slice(0, whole)}…`).width > width) whole -= 1;
  return whole > 0 ? `${text.slice(0, whole).trimEnd()}…` : "";
}

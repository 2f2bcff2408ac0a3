
"use strict";
const LOOKS = {/*LOOKS*/};
const SUBJECTS = { turns: "he", captain: "his captain", trouble: "", floor: "" };
const STEPS = [0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 28800, 86400];
const WIDEST = 256, SVG = "http://www.w3.org/2000/svg";

const clock = (seconds, tenths) => {
  const all = Math.round(Math.max(seconds, 0) * 10), whole = Math.floor(all / 10);
  const h = Math.floor(whole / 3600), m = Math.floor(whole / 60) % 60, s = String(whole % 60).padStart(2, "0");
  return (h ? `${h}:${String(m).padStart(2, "0")}:${s}` : `${m}:${s}`) + (tenths ? `.${all % 10}` : "");
};
const lasted = seconds => seconds < 0.05 ? "" : seconds < 60 ? `, ${seconds.toFixed(1)} s` : `, ${Math.round(seconds / 60)} min`;
const unfold = element => {
  for (let each = element; each; each = each.parentElement) if (each.tagName === "DETAILS") each.open = true;
};
const make = (name, facts, text) => {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(facts)) element.setAttribute(key, value);
  if (text) element.textContent = text;
  return element;
};

const pictures = new Map();
class Picture {
  constructor(element) {
    this.scroll = element.querySelector(".scroll");
    this.svg = element.querySelector("svg");
    this.from = Number(element.dataset.from);
    this.span = Number(element.dataset.span);
    this.timeline = element.closest(".timeline");
    this.told = this.timeline.querySelector(".told");
    this.wide = 1;
    this.lanes = [...element.querySelectorAll(".lane")].map(lane => [...lane.querySelectorAll("rect:not(.ground)")]);
    this.lane = 0;
    this.mark = null;
    this.svg.addEventListener("mouseover", event => {
      if (event.target.matches(".lane rect:not(.ground)")) this.tell(event.target);
    });
    this.svg.addEventListener("click", event => {
      if (event.target.matches(".lane rect:not(.ground)")) { this.tell(event.target); this.explain(); }
    });
    this.scroll.addEventListener("keydown", event => this.key(event));
  }
  place(mark) { return Number.parseFloat(mark.getAttribute("x")); }
  middle() { return (this.scroll.scrollLeft + this.scroll.clientWidth / 2) / this.svg.clientWidth; }
  zoom(wide, around = this.middle()) {
    this.wide = Math.min(WIDEST, Math.max(1, wide));
    this.svg.style.width = `${100 * this.wide}%`;
    this.axis();
    this.centre(around);
  }
  centre(part) { this.scroll.scrollLeft = part * this.svg.clientWidth - this.scroll.clientWidth / 2; }
  axis() {
    const fitting = Math.max(2, this.svg.clientWidth / 90), axis = this.svg.querySelector(".axis");
    const every = STEPS.find(step => this.span / step <= fitting) ?? STEPS.at(-1) * Math.ceil(this.span / STEPS.at(-1) / fitting);
    const ticks = [], height = this.svg.getAttribute("height");
    for (let n = Math.ceil(this.from / every); n * every <= this.from + this.span; n++) {
      const x = `${(n * every - this.from) / this.span * 100}%`;
      ticks.push(make("line", { x1: x, x2: x, y1: 14, y2: height }), make("text", { x, dx: 4, y: 14 }, clock(n * every, every < 1)));
    }
    axis.replaceChildren(...ticks);
  }
  tell(mark) {
    if (this.mark) this.mark.classList.remove("at");
    this.mark = mark;
    mark.classList.add("at");
    const lane = mark.parentNode.dataset.name, look = mark.classList[0], x = this.place(mark);
    const at = this.from + x / 100 * this.span, long = Number.parseFloat(mark.getAttribute("width")) / 100 * this.span;
    const subject = lane in SUBJECTS ? SUBJECTS[lane] : lane, label = mark.dataset.t || "";
    let says = `${subject} ${LOOKS[look]}${label ? `: ${label}` : ""}`;
    if (look === "holds") says = `${label} ${LOOKS[look]}`;
    if (look.startsWith("level")) says = `${lane}: ${Number(look.slice(5)) + 1} of 10, where 10 is the fullest; Enter or a click opens it`;
    this.told.textContent = `${clock(at, true)}  ${says.trim()}${lasted(long)}${mark.dataset.r ? ". Enter or a click shows why." : "."}`;
    this.point(x);
  }
  point(x) {
    const cursor = this.svg.querySelector(".cursor");
    cursor.setAttribute("x1", `${x}%`);
    cursor.setAttribute("x2", `${x}%`);
  }
  explain() {
    if (this.mark && this.mark.classList[0].startsWith("level")) {
      const width = Number.parseFloat(this.mark.getAttribute("width"));
      show(this.timeline.dataset.stay, this.from + (this.place(this.mark) + width / 2) / 100 * this.span);
      return;
    }
    const row = this.mark && this.mark.dataset.r && document.getElementById(`r${this.timeline.dataset.stay}-${this.mark.dataset.r}`);
    if (!row) return;
    row.hidden = false;
    unfold(row);
    document.querySelectorAll("tr.hit").forEach(each => each.classList.remove("hit"));
    row.classList.add("hit");
    row.scrollIntoView({ block: "center" });
    row.querySelector("a").focus({ preventScroll: true });
  }
  step(by) {
    const marks = [...this.lanes[this.lane]].sort((a, b) => this.place(a) - this.place(b));
    const now = marks.indexOf(this.mark);
    const next = marks[now < 0 ? (by > 0 ? 0 : marks.length - 1) : Math.min(marks.length - 1, Math.max(0, now + by))];
    if (next) { this.tell(next); this.follow(); }
  }
  change(by) {
    const x = this.mark ? this.place(this.mark) : 0;
    this.lane = (this.lane + by + this.lanes.length) % this.lanes.length;
    const near = this.lanes[this.lane].reduce((best, each) =>
      best && Math.abs(this.place(best) - x) <= Math.abs(this.place(each) - x) ? best : each, null);
    if (near) { this.tell(near); this.follow(); }
  }
  follow() {
    const x = this.place(this.mark) / 100 * this.svg.clientWidth, left = this.scroll.scrollLeft;
    if (x < left + 20 || x > left + this.scroll.clientWidth - 20) this.centre(x / this.svg.clientWidth);
  }
  key(event) {
    const around = this.mark ? this.place(this.mark) / 100 : this.middle();
    const does = {
      ArrowRight: () => this.step(1), ArrowLeft: () => this.step(-1),
      ArrowDown: () => this.change(1), ArrowUp: () => this.change(-1),
      Home: () => this.step(-1e9), End: () => this.step(1e9),
      "+": () => this.zoom(this.wide * 2, around), "=": () => this.zoom(this.wide * 2, around),
      "-": () => this.zoom(this.wide / 2, around), "0": () => this.zoom(1), Enter: () => this.explain(),
    }[event.key];
    if (!does || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    does();
  }
}
const pictureIn = element => {
  if (!pictures.has(element)) pictures.set(element, new Picture(element));
  return pictures.get(element);
};
const show = (stay, at, row) => {
  const timeline = document.querySelector(`.timeline[data-stay="${stay}"]`);
  const stretches = [...timeline.querySelectorAll(".stretch")];
  const stretch = stretches.find(each => at < Number(each.dataset.to)) ?? stretches.at(-1);
  if (stretch) stretch.open = true;
  const picture = pictureIn((stretch ?? timeline).querySelector(".pic"));
  const x = (at - picture.from) / picture.span;
  picture.zoom(Math.max(picture.wide, picture.span / 90), x);
  const mark = picture.svg.querySelector(`rect[data-r="${row}"]`);
  if (mark) { picture.lane = picture.lanes.findIndex(lane => lane.includes(mark)); picture.tell(mark); }
  else picture.point(100 * x);
  picture.scroll.focus({ preventScroll: true });
  (stretch ?? timeline).scrollIntoView({ block: "nearest" });
};

for (const timeline of document.querySelectorAll(".timeline")) {
  const tools = timeline.querySelector(".tools");
  tools.hidden = false;
  for (const button of tools.querySelectorAll("button")) {
    button.addEventListener("click", () => {
      const picture = pictureIn(timeline.querySelector(".pic")), by = Number(button.dataset.zoom);
      picture.zoom(by ? picture.wide * by : 1);
    });
  }
  for (const picture of timeline.querySelectorAll(".pic")) {
    for (const kind of ["focusin", "pointerover"]) {
      picture.addEventListener(kind, () => pictureIn(picture), { once: true });
    }
  }
}
document.addEventListener("click", event => {
  const link = event.target.closest("a[data-at]");
  if (!link) return;
  event.preventDefault();
  const [stay, row] = link.closest("tr").id.slice(1).split("-");
  show(stay, Number(link.dataset.at), row);
});
for (const sift of document.querySelectorAll(".sift")) {
  const stay = sift.closest(".stay"), rows = [...stay.querySelectorAll(".why tbody tr")];
  const find = sift.querySelector("[type=search]"), quiet = sift.querySelector(".quiet");
  let texts = null;
  const apply = () => {
    texts ??= rows.map(row => `${row.textContent} ${row.querySelector(".who")?.title ?? ""}`.toLowerCase());
    const words = find.value.toLowerCase().split(",").map(word => word.trim()).filter(Boolean);
    let shown = 0;
    rows.forEach((row, n) => {
      row.hidden = (quiet.checked && !row.classList.contains("q")) || !words.every(word => texts[n].includes(word));
      shown += !row.hidden;
    });
    sift.querySelector("output").textContent = shown === rows.length ? `${shown} rows` : `${shown} of ${rows.length} rows`;
    for (const page of stay.querySelectorAll(".rows")) {
      const some = page.querySelector("tbody tr:not([hidden])") !== null;
      page.hidden = !some;
      if (words.length || quiet.checked) page.open = some && shown <= 2000;
    }
  };
  find.addEventListener("input", apply);
  quiet.addEventListener("change", apply);
}
const arrive = () => {
  const target = location.hash && document.getElementById(location.hash.slice(1));
  if (target) { unfold(target); target.scrollIntoView(); }
};
addEventListener("hashchange", arrive);
addEventListener("beforeprint", () => document.querySelectorAll("details.stay").forEach(each => { each.open = true; }));
arrive();

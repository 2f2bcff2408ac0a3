// The operator's page: a key opens it, one socket feeds it, and every view shows its part.

import { Chronicle } from "./chronicle.js";
import { capital, clock, part, plain, rest, show, write } from "./dom.js";
import { Evening } from "./evening.js";
import { Feed } from "./feed.js";
import { House, keyIn, takeKey } from "./house.js";
import { Lanes } from "./lanes.js";
import { Names } from "./names.js";
import { Now } from "./now.js";
import { tell } from "./orders.js";
import { Record } from "./record.js";
import { Room } from "./room.js";
import { momentOf } from "./sentences.js";
import { tabs } from "./tabs.js";
import { theme } from "./theme.js";
import { Tree } from "./tree.js";
import { Why } from "./why.js";

const KEEPS = "It keeps others on this machine from giving orders, and from listening.";
const ORDERS = "#now button, .order, #panel-tree td button";
const house = new House(), feed = new Feed(house), names = new Names(), evening = new Evening(), chronicle = new Chronicle();
const lanes = new Lanes(evening, names);

async function order(path, body) {
  const answer = await house.order(path, body);
  if (house.open) tell(answer);
  return answer;
}

const room = new Room(house, names, evening, order), now = new Now(house, names, order);
const why = new Why(chronicle, names), tree = new Tree(order), record = new Record(names, (logs) => feed.wantLogs(logs));
let latest = null, latestAt = 0, begun = false;

theme(() => lanes.dye());
tabs((view) => {
  if (view === "tree" && latest) tree.status(latest);
  if (view === "record") record.opened();
});

feed.addEventListener("status", ({ detail: status }) => {
  latest = status;
  latestAt = Date.now() / 1000;
  evening.prune(Date.now() / 1000);
  room.status(status);
  now.status(status);
  tree.status(status);
  write(part("headline"), headline(status));
});
feed.addEventListener("receipt", ({ detail: receipt }) => {
  const at = momentOf(receipt);
  evening.receipt(receipt, at);
  room.receipt(receipt);
  now.receipt(receipt);
  record.receipt(receipt);
  if (chronicle.receipt(receipt, at)) why.changed();
});
feed.addEventListener("words", ({ detail }) => {
  const words = { ...detail, label: plain(detail.label), text: plain(detail.text) };
  names.know(words.person_id, words.label);
  evening.words(words);
  room.words(words);
});
feed.addEventListener("log", ({ detail }) => record.log(detail));
feed.addEventListener("link", ({ detail: linked }) => {
  write(part("link"), linked ? "" : "The house does not answer; trying again");
  away(!linked);
  if (linked) { begin(); return; }
  write(part("headline"), "");
  evening.lost(Date.now() / 1000);
});
house.addEventListener("locked", () => {
  feed.close();
  room.leave();
  locked(part("house").hidden ? KEEPS : "The house was started again, and has a new key now.");
});

/** What happened before this page watched, or while the house could not be reached. */
async function begin() {
  let known;
  try { known = await house.get("/why?most=50"); } catch { return; }
  chronicle.begin(known);
  if (!begun) now.turns(known.turns);
  begun = true;
  why.changed();
}

function headline({ stays, silent }) {
  if (silent?.length) return `${capital(silent[0])}.`;
  const [stay] = stays;
  if (!stay) return "He is not in a room.";
  return stay.floor === "engaged" ? `He is in a conversation${stay.holder ? ` with ${names.of(stay.holder)}` : ""}.` : "He listens.";
}

function locked(sentence) {
  write(part("door-why"), sentence);
  write(part("headline"), "");
  write(part("link"), "");
  show(part("house"), false);
  show(part("door"), true);
  part("key").value = "";
  part("key").focus();
}

/** What is shown is of the past while nobody answers, and looks and says so. */
function away(gone) {
  const since = latest ? `This is how it stood at ${clock(latestAt)}. ` : "";
  write(part("away"), gone ? `${since}No order can be given until the house answers.` : "");
  show(part("away"), gone);
  part("house").classList.toggle("away", gone);
  for (const button of part("house").querySelectorAll(ORDERS)) {
    rest(button, gone);
    if (gone) button.setAttribute("aria-describedby", "away");
    else button.removeAttribute("aria-describedby");
  }
}

async function come(pasted) {
  const key = keyIn(pasted);
  if (key) house.take(key);
  if (!key || (await house.knock()).door === "locked") {
    write(part("door-error"), "That key does not open this house. Run clankie page again; each start has a new key.");
    return;
  }
  write(part("door-error"), "");
  const typed = part("door").contains(document.activeElement);
  show(part("door"), false);
  show(part("house"), true);
  if (typed) part("main").focus();
  feed.open();
}

part("door-form").addEventListener("submit", (event) => {
  event.preventDefault();
  come(part("key").value);
});
// Also the Enter key in a field is a click on the button beside it.
part("house").addEventListener("click", (event) => {
  if (!part("house").matches(".away") || !event.target.closest(ORDERS)) return;
  event.preventDefault();
  event.stopPropagation();
}, true);
// Another key is for another life of the house, of which this page knows nothing.
window.addEventListener("hashchange", () => {
  if (!location.hash.startsWith("#key=")) return;
  const shown = takeKey();
  if (house.open) location.reload();
  else if (shown) come(shown);
});
window.addEventListener("pagehide", () => room.leave());
// Whoever comes back to it by the back button finds its sockets gone.
window.addEventListener("pageshow", ({ persisted }) => { if (persisted) location.reload(); });

const key = takeKey();
if (key) come(key);
else locked(KEEPS);

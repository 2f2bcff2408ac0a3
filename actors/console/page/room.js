// A seat in the local room: join, be heard or not, listen, talk and write.

import { Chat } from "./chat.js";
import { make, part, rest, rests, show, write } from "./dom.js";
import { People } from "./people.js";
import { Seat } from "./seat.js";
import { Loudspeaker, Microphone } from "./sound.js";
import { Threshold } from "./threshold.js";

const ANSWER_MS = 6000;
const CONSENT = {
  not_in_room: "You are not in the room any more. Join it again.",
  no_stay: "He is not in the room. Call him in, then let him hear you.",
};

export class Room {
  #house; #names; #evening; #order;
  #seat; #microphone = new Microphone(); #speaker = new Loudspeaker(); #people; #chat; #threshold = new Threshold();
  #own = null; #heard = false; #spoken = false; #timer = 0; #made = {};

  constructor(house, names, evening, order) {
    this.#house = house; this.#names = names; this.#evening = evening; this.#order = order;
    this.#seat = new Seat(house);
    this.#people = new People(names);
    this.#chat = new Chat(names);
    this.#build();
    this.#listen();
  }

  /** A receipt of the house, for what it says of consent. */
  receipt({ data }) {
    if (data.type !== "consent" || data.phase === "counted") return;
    const heard = data.phase === "granted";
    this.#people.hears(data.personId, heard);
    if (data.personId === this.#own && !heard) this.#consented(false);
  }

  /** Whether there is a room to take a seat in, and whom he hears. */
  status({ room, stays }) {
    const came = part("room").hidden;
    show(part("room"), Boolean(room) || this.#seat.taken);
    if (came) this.#threshold.appears();
    for (const stay of stays) for (const person of stay.heard ?? []) this.#people.hears(person, true);
  }

  words(words) {
    if (!this.#own || words.typed) return;
    this.#chat.said(words);
    if (words.person_id === this.#own) { this.#spoken = true; this.#chat.hint(false); }
  }

  leave() {
    this.#seat.leave();
    this.#out();
  }

  #build() {
    const on = this.#made;
    on.trouble = make("div", { class: "trouble", role: "alert", hidden: true }, make("span"),
      make("button", { type: "button", class: "small", onclick: () => this.#openMicrophone() }, "Try again"));
    on.lost = make("p", { class: "reconnects", role: "status", hidden: true });
    on.silent = make("p", { class: "trouble", role: "alert", hidden: true },
      "No sound can be played: the browser finds no loudspeaker, or keeps this page quiet. Plug in headphones or let it play, then leave the room and join again.");
    on.consent = make("button", { type: "button", class: "consent main", "aria-pressed": "false", "aria-describedby": "consent-note", onclick: () => this.#askConsent() });
    on.note = make("p", { id: "consent-note", class: "soft small" });
    on.call = make("button", { type: "button", class: "small order", onclick: () => this.#call() });
    on.leave = make("button", { type: "button", class: "small quiet", onclick: () => this.#stand() }, "Leave the room");
    on.seat = make("div", { class: "orders", hidden: true },
      on.lost, on.silent, on.consent, on.note, this.#sound(), make("div", { class: "top" }, this.#people.element, make("div", { class: "line" }, on.call, on.leave)), this.#chat.element);
    part("room").append(on.trouble, this.#threshold.element, on.seat);
  }

  #stand() {
    this.#threshold.left();
    this.leave();
  }

  #sound() {
    const on = this.#made;
    on.mute = make("button", { type: "button", "aria-pressed": "false", "aria-label": "Mute my microphone", onclick: () => this.#mute() }, "Mute");
    on.level = make("meter", { id: "level", min: "0", max: "1", value: "0" });
    on.devices = make("select", { id: "device", onchange: () => this.#openMicrophone(on.devices.value) });
    on.volume = make("input", { id: "volume", type: "range", min: "0", max: "100", value: "100", oninput: () => { this.#speaker.volume = on.volume.value / 100; } });
    const field = (id, label, control) => make("div", {}, make("label", { for: id }, label), control);
    return make("div", { class: "sound" }, on.mute, field("level", "Your level", make("div", { class: "level" }, on.level)),
      field("device", "Microphone", on.devices), field("volume", "Loudness", on.volume));
  }

  #listen() {
    const seat = this.#seat, on = (source, type, then) => source.addEventListener(type, ({ detail }) => then(detail));
    on(this.#threshold, "join", (name) => this.#join(name));
    on(seat, "welcome", (said) => this.#welcomed(said));
    on(seat, "people", (said) => this.#here(said));
    on(seat, "consent", ({ outcome }) => this.#answered(outcome));
    on(seat, "line", ({ name, text, his }) => this.#chat.wrote(name, text, his));
    on(seat, "question", (said) => this.#chat.ask(said));
    on(seat, "sound", ({ slot, pcm }) => this.#speaker.play(slot, pcm));
    on(seat, "lost", (sentence) => this.#lost(sentence));
    on(seat, "refused", (sentence) => { this.#out(); this.#troubled(sentence, false); });
    on(this.#speaker, "levels", (levels) => levels.forEach(([slot, level]) => this.#audible(this.#people.inSlot(slot), level)));
    on(this.#speaker, "plays", (plays) => show(this.#made.silent, !plays));
    on(this.#microphone, "trouble", (sentence) => { this.#made.level.value = 0; this.#troubled(sentence, true); this.#explain(); });
    navigator.mediaDevices?.addEventListener("devicechange", () => this.#listDevices());
    on(this.#microphone, "chunk", ({ pcm, level }) => this.#captured(pcm, level));
    on(this.#chat, "press", (granted) => seat.press(granted));
    this.#chat.addEventListener("line", (event) => { if (!seat.write(event.detail)) event.preventDefault(); });
  }

  async #join(name) {
    show(this.#made.trouble, false);
    try {
      const rate = this.#microphone.start();
      await this.#speaker.start();
      this.#seat.join(name, rate);
    } catch (failure) {
      this.#out();
      this.#troubled(`This browser plays no sound here (${failure.name}). Try another one, such as Firefox or Chromium.`, false);
    }
  }

  #welcomed(said) {
    const again = this.#own !== null;
    this.#threshold.crossed();
    this.#own = said.person;
    this.#names.know(said.person, said.name);
    this.#people.own(said.person);
    this.#consented(false);
    this.#here(said);
    show(this.#made.lost, false);
    show(this.#made.seat, true);
    if (again) { this.#chat.note("You are back in the room. He hears you again once you let him."); return; }
    this.#spoken = false;
    this.#made.consent.focus();
    this.#openMicrophone();
  }

  #here(said) {
    const came = said.present && !this.#people.present, went = !said.present && this.#people.present;
    this.#people.here(said);
    if (came) this.#chat.note("Clankie is in the room.");
    if (went) { this.#chat.note("Clankie has left the room."); this.#consented(false); }
    const { consent, call } = this.#made;
    rest(consent, !said.present);
    write(call, said.present ? "Ask him to leave" : "Call him in");
    call.classList.toggle("main", !said.present);
    this.#explain();
  }

  async #openMicrophone(device = "") {
    show(this.#made.trouble, false);
    if (await this.#microphone.listen(device)) await this.#listDevices();
    this.#explain();
  }

  async #listDevices() {
    const devices = await this.#microphone.devices(), { devices: select } = this.#made;
    select.replaceChildren(...devices.map(({ deviceId, label }, at) => make("option", { value: deviceId }, label || `Microphone ${at + 1}`)));
    select.value = this.#microphone.device;
  }

  #askConsent() {
    if (rests(this.#made.consent) || !this.#seat.consent(!this.#heard)) return;
    rest(this.#made.consent, true);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#answered("nobody"), ANSWER_MS);
  }

  #answered(outcome) {
    clearTimeout(this.#timer);
    rest(this.#made.consent, !this.#people.present);
    this.#consented(outcome === "granted" || (outcome !== "withdrawn" && this.#heard));
    if (outcome === "granted" || outcome === "withdrawn") this.#people.hears(this.#own, this.#heard);
    else write(this.#made.note, CONSENT[outcome] ?? "Nobody answered. Try it once more.");
  }

  #consented(heard) {
    const { consent } = this.#made;
    this.#heard = heard;
    write(consent, heard ? "He hears me – stop" : "Let him hear me");
    consent.setAttribute("aria-pressed", String(heard));
    consent.classList.toggle("main", !heard);
    this.#explain();
  }

  #explain() {
    const { note } = this.#made;
    if (!this.#people.present) write(note, "He is not in the room. Call him in, then let him hear you.");
    else if (!this.#heard) write(note, "He does not hear you: what you say is dropped unopened, until you press this. Others in the room hear you as on any call.");
    else if (!this.#microphone.on) write(note, "He would hear you, but no microphone is open. You can write to him.");
    else write(note, this.#microphone.muted ? "He would hear you, but your microphone is muted." : "Just talk. He answers when he is spoken to.");
    this.#chat.hint(this.#heard && !this.#spoken);
  }

  #mute() {
    const muted = (this.#microphone.muted = !this.#microphone.muted), { mute, level } = this.#made;
    mute.setAttribute("aria-pressed", String(muted));
    write(mute, muted ? "Muted" : "Mute");
    level.value = 0;
    this.#explain();
  }

  #captured(pcm, level) {
    this.#seat.send(pcm);
    if (level === null) return;
    this.#made.level.value = Math.sqrt(level);
    if (this.#own && this.#seat.there) this.#audible(this.#own, level / 2);
  }

  #audible(person, level) {
    if (this.#people.speaks(person, level) && person !== "him") this.#evening.air(person, Date.now() / 1000);
  }

  async #call() {
    const { call } = this.#made;
    if (rests(call)) return;
    rest(call, true);
    await this.#order(this.#people.present ? "/stays/leave" : "/stays/join");
    rest(call, false);
  }

  #troubled(sentence, again) {
    const [text, button] = this.#made.trouble.children;
    write(text, sentence);
    show(button, again);
    show(this.#made.trouble, true);
  }

  #lost(sentence) {
    this.#speaker.forget();
    clearTimeout(this.#timer);
    this.#consented(false);
    this.#people.lost();
    rest(this.#made.consent, true);
    write(this.#made.lost, `${sentence || "The room does not answer."} Coming back as soon as it can be reached.`);
    show(this.#made.lost, true);
  }

  #out() {
    clearTimeout(this.#timer);
    this.#own = null; this.#consented(false);
    this.#microphone.close();
    this.#speaker.close();
    this.#chat.clear();
    for (const gone of [this.#made.seat, this.#made.silent, this.#made.lost]) show(gone, false);
    this.#threshold.open();
  }
}

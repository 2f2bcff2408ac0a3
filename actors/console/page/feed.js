// What the house shows of itself as it happens, for as long as this page is open.

const FIRST_WAIT = 500, LONGEST_WAIT = 8000;

/** Fires "status", "receipt", "words" and "log" with what was shown, and "link" with whether it is there. */
export class Feed extends EventTarget {
  #house; #logs = false; #socket = null; #wait = FIRST_WAIT; #timer = 0; #life = 0;

  constructor(house) {
    super();
    this.#house = house;
  }

  async open() {
    const life = ++this.#life;
    clearTimeout(this.#timer);
    this.#hangUp();
    const { door, status } = await this.#house.knock();
    if (life !== this.#life || door === "locked") return;
    if (door === "away") { this.#later(); return; }
    this.#tell("status", status);
    this.#connect();
  }

  close() {
    this.#life += 1;
    clearTimeout(this.#timer);
    this.#hangUp();
  }

  wantLogs(logs) {
    if (this.#logs === logs) return;
    this.#logs = logs;
    if (this.#socket) { this.#hangUp(); this.#connect(); }
  }

  #connect() {
    const socket = this.#house.socket(`/events?words=1&logs=${this.#logs ? 1 : 0}`);
    this.#socket = socket;
    socket.onopen = () => { this.#wait = FIRST_WAIT; this.#tell("link", true); };
    socket.onmessage = (message) => this.#shown(message.data);
    socket.onclose = () => { if (socket === this.#socket) { this.#socket = null; this.#later(); } };
  }

  #hangUp() {
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
  }

  #later() {
    this.#tell("link", false);
    this.#timer = setTimeout(() => this.open(), this.#wait);
    this.#wait = Math.min(LONGEST_WAIT, this.#wait * 2);
  }

  #shown(text) {
    const { view, ...rest } = JSON.parse(text);
    if (view === "status" || view === "receipt") this.#tell(view, rest[view]);
    else if (view === "words" || view === "log") this.#tell(view, rest);
  }

  #tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}

// The last minutes as marks on lanes, folded from receipts, words and the sound that reaches this page.

export const SHOWN_SECONDS = 120;
const AIR_GAP = 0.35, MOST_LANES = 8, MOST_MARKS = 400;
export const HIM = "him";

/** Times are seconds since the epoch; a mark without `to` goes on. */
export class Evening {
  lanes = new Map([[HIM, []]]);
  floor = []; ducks = []; cuts = [];
  #segments = new Map(); #speeches = new Map();

  receipt(receipt, at) {
    const data = receipt.data;
    const fold = {
      utterance: () => this.#heard(data, at),
      transcription: () => this.#understood(data),
      text_input: () => this.#lane(data.personId).push({ kind: "typed", from: at, to: at, text: "" }),
      model_response: () => this.#turn(data, at),
      playback: () => this.#playback(data, at),
      overlap: () => (data.phase === "ducked" ? this.ducks.push({ from: at }) : close(this.ducks, at)),
      interrupted: () => this.cuts.push({ at, person: data.personId, rule: data.rule }),
      floor: () => { close(this.floor, at); this.floor.push({ from: at, state: data.state, holder: data.holderId ?? null }); },
      membership: () => { if (data.change === "arrived") this.#lane(data.personId); },
      left: () => this.#over(at),
    }[data.type];
    fold?.();
  }

  words({ person_id, his, typed, text, whole }) {
    const lane = his ? this.lanes.get(HIM) : this.#lane(person_id);
    const kind = his ? "speech" : typed ? "typed" : "heard";
    const mark = lane.findLast((one) => one.kind === kind && !one.text);
    if (mark) { mark.text = text; if (his && !whole) mark.cut = true; }
  }

  /** This page hears somebody, or its own microphone does. */
  air(person, at) {
    const lane = this.#lane(person), last = lane.findLast((mark) => mark.kind === "air");
    if (last && at - last.to < AIR_GAP) last.to = at;
    else lane.push({ kind: "air", from: at - 0.1, to: at });
  }

  /** The house cannot be seen: how what goes on there ends will not be told. */
  lost(at) { this.#over(at); }

  /** Forget what nobody sees any more. */
  prune(now) {
    const since = now - SHOWN_SECONDS - 5, fresh = (mark) => (mark.to ?? mark.at ?? now) >= since;
    for (const [person, marks] of this.lanes) {
      const kept = marks.filter(fresh).slice(-MOST_MARKS);
      if (kept.length || person === HIM) this.lanes.set(person, kept);
      else this.lanes.delete(person);
    }
    this.floor = this.floor.filter(fresh); this.ducks = this.ducks.filter(fresh); this.cuts = this.cuts.filter(fresh);
    for (const known of [this.#segments, this.#speeches]) {
      while (known.size > MOST_MARKS) known.delete(known.keys().next().value);
    }
  }

  #lane(person) {
    if (!this.lanes.has(person)) {
      if (this.lanes.size > MOST_LANES) {
        const [idle] = [...this.lanes].filter(([who]) => who !== HIM).sort((a, b) => latest(a[1]) - latest(b[1]));
        this.lanes.delete(idle[0]);
      }
      this.lanes.set(person, []);
    }
    return this.lanes.get(person);
  }

  #heard(data, at) {
    const mark = { kind: "heard", from: at - data.durationMs / 1000, to: at, text: "" };
    const lane = this.#lane(data.personId);
    // The ear tells of it only after a silence; what this page heard itself is nearer to the truth.
    const air = lane.findLast((one) => one.kind === "air" && one.to > mark.from - 0.6 && one.to <= at + 0.2);
    if (air) { mark.to = air.to; mark.from = Math.min(mark.from, air.to - data.durationMs / 1000); }
    lane.push(mark);
    this.#segments.set(data.segmentId, mark);
  }

  #understood(data) {
    const mark = this.#segments.get(data.segmentId);
    if (mark) mark.empty = data.outcome !== "words";
    this.#segments.delete(data.segmentId);
  }

  #turn(data, at) {
    const lane = this.lanes.get(HIM);
    if (data.phase === "requested") { lane.push({ kind: "thinks", from: at, turn: data.turnId, text: data.trigger }); return; }
    const mark = lane.findLast((one) => one.kind === "thinks" && one.turn === data.turnId);
    if (mark) { mark.to = at; mark.failed = data.phase === "failed"; mark.silent = data.outcome === "silent"; }
  }

  #playback(data, at) {
    const lane = this.lanes.get(HIM);
    if (data.phase === "started") {
      const mark = { kind: "speech", from: at, text: "" };
      lane.push(mark);
      this.#speeches.set(data.utteranceId, mark);
    } else if (data.phase !== "buffered") {
      const mark = this.#speeches.get(data.utteranceId);
      if (mark) { mark.to = at; mark.cut = data.phase === "cut"; mark.failed = data.phase === "failed"; }
      this.#speeches.delete(data.utteranceId);
      close(this.ducks, at);
    }
  }

  #over(at) {
    close(this.floor, at);
    close(this.ducks, at);
    for (const mark of this.lanes.get(HIM)) mark.to ??= at;
  }
}

function close(marks, at) {
  const last = marks.at(-1);
  if (last) last.to ??= at;
}

const latest = (marks) => Math.max(0, ...marks.map((mark) => mark.to ?? Infinity));

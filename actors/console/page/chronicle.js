// Why he spoke, or did not, kept up to date by the receipts as they come.

const MOST = 200;

/** Lines and turns in the words of GET /why. */
export class Chronicle {
  #lines = new Map(); #turns = new Map();

  /** What was known before this page was opened; what is known better already stays. */
  begin({ lines, turns }) {
    for (const line of lines) if (!this.#lines.has(line.line_id)) this.#lines.set(line.line_id, line);
    for (const turn of turns) this.#turns.set(turn.turn_id, { ...turn, ...this.#turns.get(turn.turn_id) });
    this.#bound();
  }

  /** Whether this receipt tells something about why. */
  receipt({ data }, at) {
    if (data.type === "floor_decision") {
      this.#lines.set(data.lineId, { at, stay_id: data.stayId, line_id: data.lineId, person_id: data.personId,
        heard_as: data.heardAs, decision: data.decision, rule: data.rule, turn_id: data.turnId ?? null });
      this.#bound();
      return true;
    }
    const told = data.turnId && TOLD[data.type]?.(data, this.#turns.get(data.turnId) ?? {}, at);
    if (!told) return false;
    const known = this.#turns.get(data.turnId) ?? { turn_id: data.turnId, stay_id: data.stayId, at };
    this.#turns.set(data.turnId, { ...known, ...told });
    this.#bound();
    return true;
  }

  /** Each line with its turn, and each turn that no line asked for; the latest first. */
  rows() {
    const lines = [...this.#lines.values()].map((line) => ({ key: line.line_id, at: line.at, line, turn: this.#turns.get(line.turn_id) }));
    const asked = new Set(lines.map(({ line }) => line.turn_id));
    const unasked = [...this.#turns.values()].filter((turn) => !asked.has(turn.turn_id)).map((turn) => ({ key: turn.turn_id, at: turn.at, line: null, turn }));
    return [...lines, ...unasked].sort((a, b) => b.at - a.at);
  }

  #bound() {
    for (const known of [this.#lines, this.#turns]) {
      while (known.size > MOST) known.delete(known.keys().next().value);
    }
  }
}

const TOLD = {
  model_response: (data, turn, at) => {
    if (data.phase === "requested") return { trigger: data.trigger };
    const outcome = data.phase === "failed" ? "failed" : turn.outcome === "cut" ? "cut" : data.outcome ?? "";
    return { trigger: data.trigger, outcome, reason: data.reason ?? turn.reason ?? "", model_ms: data.latencyMs, first_text_ms: data.firstTextMs, ended_at: at };
  },
  response: (data) => ({ first_audio_ms: data.decisionToFirstAudioMs, speech_end_to_first_audio_ms: data.speechEndToFirstAudioMs }),
  interrupted: (data) => ({ outcome: "cut", reason: data.rule }),
  playback: (data) => (data.phase === "cut" ? { outcome: "cut", cut_to_silence_ms: data.decisionToSilenceMs } : null),
  realtime_tool: (data, turn) => (data.phase === "called" ? { tools: [...(turn.tools ?? []), data.name] } : null),
  failed: (data) => ({ outcome: "failed", reason: data.reason }),
};

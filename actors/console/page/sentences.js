// A receipt in a few plain words; it has ids and counts, and nobody's words.

const because = (reason) => (reason ? `: ${reason.replaceAll("_", " ")}` : "");
const people = (many) => (many === 1 ? "1 person" : `${many} people`);
const took = (ms) => (ms === undefined ? "" : `, ${ms} ms`);

const SAID = {
  joined: (d) => `he came into room ${d.roomId}, ${people(d.humans)} there, ${d.encryption}`,
  left: (d) => `he left${because(d.reason)}, after ${Math.round(d.durationMs / 1000)} s`,
  membership: (d, who) => `${who(d.personId)} ${d.change}, ${people(d.humans)} there`,
  consent: (d, who) => (d.phase === "counted"
    ? `${who(d.personId)}: ${d.decoded ?? 0} packets heard, ${d.unread ?? 0} never opened`
    : `${who(d.personId)}: consent ${d.phase}`),
  utterance: (d, who) => `${who(d.personId)} spoke for ${d.durationMs} ms`,
  transcription: (d, who) => `${who(d.personId)}: ${d.outcome}${because(d.reason)}${took(d.latencyMs)}`,
  text_input: (d, who) => `${who(d.personId)} wrote ${d.characters} characters`,
  floor_decision: (d, who) => `${who(d.personId)} was heard as ${d.heardAs}: ${d.decision}, by the rule ${d.rule.replaceAll("_", " ")}`,
  floor: (d, who) => `the floor is ${d.state}${d.holderId ? `, ${who(d.holderId)} has it` : ""}${because(d.rule)}`,
  overlap: (d, who) => (d.phase === "ducked" ? `${who(d.personId)} talks over him: ${d.reaction}` : `${who(d.personId)} stopped, he goes on`),
  interrupted: (d, who) => `${who(d.personId)} cut him off by ${d.rule}${took(d.wordEndToCutMs)}`,
  model_response: (d) => (d.phase === "requested" ? `a turn was asked for: ${d.trigger}`
    : `the turn for ${d.trigger} ended ${d.outcome ?? d.phase}${because(d.reason)}${took(d.latencyMs)}`),
  usage: (d) => `${d.service} by ${d.model}${d.outputTokens ? `: ${d.inputTokens ?? 0} tokens in, ${d.outputTokens} out` : ""}${d.audioMs ? `: ${d.audioMs} ms of sound` : ""}${d.characters ? `: ${d.characters} characters` : ""}`,
  realtime_tool: (d) => `${d.name}: ${d.outcome ?? d.phase}`,
  playback: (d) => `his speech ${d.phase}${because(d.reason)} at ${d.atMs} ms`,
  response: (d) => `he was heard ${d.whole ? "to the end" : "in part"}, ${d.speechEndToFirstAudioMs ?? d.decisionToFirstAudioMs} ms to the first sound`,
  volition: (d) => `speaking unasked was ${d.outcome}`,
  handoff: (d, who) => `the captain's work for ${who(d.askerId)} ${d.phase.replaceAll("_", " ")}${because(d.reason)}${took(d.latencyMs)}`,
  degraded: (d) => `the voice link is ${d.phase}${because(d.reason)}`,
  failed: (d) => `${d.stage.replaceAll("_", " ")} failed${because(d.reason)}`,
  bridge_ready: (d) => `the account is online and sees ${d.rooms} rooms`,
  bridge_stopped: (d) => `the account is offline${because(d.reason)}`,
  text_ingress: (d, who) => `${who(d.personId)} wrote ${d.characters} characters: ${d.outcome}${because(d.reason)}`,
  text_reply: (d) => `a message was answered: ${d.outcome}${because(d.reason)}${took(d.latencyMs)}`,
  captain_tool: (d) => `the captain used ${d.name}: ${d.outcome}${because(d.reason)}${took(d.latencyMs)}`,
  captain_usage: (d) => `the captain's ${d.model}: ${d.inputTokens ?? 0} tokens in, ${d.outputTokens ?? 0} out`,
};
const HIS = new Set(["playback", "response", "model_response", "volition"]);

/** {kind, text, tone}: tone is "failed", "him" or "". */
export function sentence(receipt, who) {
  const { type: kind, ...data } = receipt.data;
  const text = SAID[kind]?.(data, who)
    ?? Object.entries(data).filter(([name]) => !["origin", "stayId"].includes(name)).map(([name, value]) => `${name} ${value}`).join(", ");
  const failed = kind === "failed" || kind === "degraded" || data.phase === "failed" || data.outcome === "failed";
  return { kind: String(kind).replaceAll("_", " "), text, tone: failed ? "failed" : HIS.has(kind) ? "him" : "" };
}

export const momentOf = (receipt) => Date.parse(receipt.occurredAt) / 1000;

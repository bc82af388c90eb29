// A recording of whole frames: long runs and large populations, of which only some moments are kept, and runs of ring
// algorithms, of which every step is.

import { FrameDecoder } from "./frame_decoder.js";
import { bytesOfBase64 } from "./frame_decoder.js";
import { inflated } from "./frame_decoder.js";

export class FramesPlayer {
  static async open(recording) {
    const decoder = new FrameDecoder();
    decoder.states = recording.states ?? [];
    decoder.table = recording.frames[0]?.table ?? 0;
    const payloads = await Promise.all(recording.frames.map((header) => payloadOf(header)));
    const frames = recording.frames.map((header, place) => decoder.complete(kindOf(header, recording), payloads[place]));
    return new FramesPlayer(recording, frames);
  }

  constructor(recording, frames) {
    this.frames = frames;
    this.steps = frames.map((frame) => BigInt(frame.step));
    this.marks = recording.marks ?? [];
    this.place = 0;
    this.hasEveryStep = recording.kind === "messages";
  }

  position() {
    return this.steps[this.place];
  }

  last() {
    return this.steps[this.steps.length - 1];
  }

  /** The last frame that is not after this step. */
  goto(step) {
    let [low, high] = [0, this.steps.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.steps[middle] <= step) low = middle;
      else high = middle - 1;
    }
    this.place = low;
  }

  advance(count) {
    const target = this.position() + BigInt(count);
    while (this.place + 1 < this.steps.length && this.steps[this.place + 1] <= target) this.place += 1;
  }

  /** One kept frame forward or back. */
  shift(count) {
    this.place = Math.min(this.frames.length - 1, Math.max(0, this.place + count));
  }

  /** The next kept frame that differs in what is asked for. */
  next(what) {
    if (what === "goal") {
      const mark = this.marks.find(([step, kind]) => kind === "goal" && BigInt(step) > this.position());
      return mark ? BigInt(mark[0]) : null;
    }
    const now = this.frames[this.place];
    const found = this.frames.findIndex((frame, place) => place > this.place && (what === "change" || frame.leaders !== now.leaders));
    return found < 0 ? null : this.steps[found];
  }

  frame() {
    return { ...this.frames[this.place], step: String(this.steps[this.place]) };
  }

  points() {
    return this.frames.map((frame) => [String(frame.step), String(frame.leaders ?? "0"), []]);
  }

  card(agent) {
    const frame = this.frames[this.place];
    const number = frame.ids?.[agent];
    return { agent, state: number === undefined ? null : frame.states[number], process: frame.processes?.[agent] ?? null, meetings: [] };
  }
}

function kindOf(header, recording) {
  const kind = header.kind ?? (recording.kind === "messages" ? "messages" : header.ids || header.data ? "agents" : "counts");
  return { dead: [], cuts: [], pair: null, ...header, kind };
}

async function payloadOf(header) {
  const text = header.data ?? (typeof header.ids === "string" && header.ids.length > 3 ? header.ids : null);
  return text ? (await inflated(bytesOfBase64(text))).buffer : new ArrayBuffer(0);
}

// A recording of whole frames: long runs and large populations, of which only some moments are kept, and runs of ring
// algorithms, of which every step is.

import { FrameDecoder } from "./frame_decoder.js";
import { bytesOfBase64 } from "./frame_decoder.js";
import { inflated } from "./frame_decoder.js";

export class FramesPlayer {
  static async open(recording) {
    const headers = recording.frames ?? JSON.parse(new TextDecoder().decode(await inflated(bytesOfBase64(recording.data))));
    const decoder = new FrameDecoder();
    decoder.states = recording.states ?? [];
    const payloads = await Promise.all(headers.map((header) => payloadOf(header)));
    const frames = headers.map((header, place) => decoder.complete(kindOf(header), payloads[place]));
    return new FramesPlayer(recording, frames);
  }

  constructor(recording, frames) {
    this.frames = frames;
    this.steps = frames.map((frame) => BigInt(frame.step));
    this.marks = recording.marks ?? [];
    this.place = 0;
    this.predicates = recording.about.predicates?.length ?? 0;
    this.isMarked = true; // as far as is known
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

  framesBefore(count) {
    return this.hasEveryStep ? this.frames.slice(Math.max(0, this.place - count), this.place) : null;
  }

  points() {
    this.kept ??= this.frames.map((frame) => [String(frame.step), String(frame.leaders ?? "0"), censusOf(frame, this.predicates)]);
    return this.kept;
  }

  card(agent) {
    const frame = this.frames[this.place];
    const number = frame.ids?.[agent];
    return { agent, state: number === undefined ? null : frame.states[number], process: frame.processes?.[agent] ?? null, meetings: [] };
  }
}

/** How many agents satisfy each predicate, as texts; nothing where it is not known in which state each one is. */
function censusOf(frame, predicates) {
  const isCounted = frame.bars && BigInt(frame.others) === 0n;
  if (!isCounted && !frame.ids) return [];
  const counts = new Array(predicates).fill(0n);
  for (const [number, count] of isCounted ? frame.bars : tallied(frame)) {
    frame.states[number].p.forEach((holds, place) => (counts[place] += holds ? BigInt(count) : 0n));
  }
  return counts.map(String);
}

function tallied({ ids, states }) {
  const counts = new Uint32Array(states.length);
  for (const number of ids) counts[number] += 1;
  return [...counts].map((count, number) => [number, count]).filter(([, count]) => count > 0);
}

function kindOf(header) {
  return { dead: [], cuts: [], pair: null, ...header };
}

async function payloadOf(header) {
  return header.data ? await inflated(bytesOfBase64(header.data)) : new Uint8Array(0);
}

// A recording of meetings: who met whom at each step and what became of both. Any step is reached from the nearest
// earlier keyframe, which is a copy of all states, and what happened since.

import { bytesOfBase64 } from "./frame_decoder.js";
import { inflated } from "./frame_decoder.js";

const KEYFRAME_STATES = 2000000; // numbers of states kept in all keyframes together
const SERIES_POINTS = 1000;
const COUNTED_STATES = 4000000; // agents that are counted for the plot, at all its points together

/** The arrays of a recording, by name. */
async function arraysOf(recording) {
  const bytes = await inflated(bytesOfBase64(recording.data));
  const arrays = {};
  let place = 0;
  for (const [name, type, length] of recording.layout) {
    const size = type === "bits" ? Math.ceil(length / 8) : length * (type === "u32" ? 4 : 2);
    const part = bytes.slice(place, place + size);
    arrays[name] = type === "bits" ? part : type === "u32" ? new Uint32Array(part.buffer) : new Uint16Array(part.buffer);
    place += size;
  }
  return arrays;
}

export class MeetingsPlayer {
  static async open(recording) {
    return new MeetingsPlayer(recording, await arraysOf(recording));
  }

  constructor(recording, arrays) {
    Object.assign(this, { states: recording.states, n: Number(recording.n), end: Number(recording.steps), arrays });
    this.first = Number(recording.first ?? 0); // the step at which the recording begins
    this.events = (recording.events ?? []).map((event) => [Number(event[0]) - this.first, ...event.slice(1)]);
    this.marks = recording.marks ?? [];
    this.kept = recording.lines ?? null;
    this.spacing = Math.max(256, Math.ceil((this.end * this.n) / KEYFRAME_STATES));
    this.predicates = recording.about.predicates?.length ?? 0;
    this.changes = []; // [step, leaders] wherever their number changes
    this.counts = []; // [step, leaders, how many satisfy each predicate], at most SERIES_POINTS of them
    this.reset();
    this.keyframes = [this.copy()];
    this.read();
    this.goto(0n);
  }

  isChange(step) {
    return (this.arrays.changed[step >> 3] >> (step & 7)) & 1;
  }

  leads(number) {
    return this.states[number]?.leader ? 1 : 0;
  }

  /** The configuration at step 0, events before the first meeting included. */
  reset() {
    const { start } = this.arrays;
    Object.assign(this, { ids: start.slice(), step: 0, change: 0, event: 0, dead: new Set(), gone: new Set(), paused: new Set(), cuts: new Map(), pair: null, before: null, after: null });
    this.leaders = this.ids.reduce((sum, number) => sum + this.leads(number), 0);
    this.applyEvents();
  }

  copy() {
    const { ids, step, change, event, dead, gone, paused, cuts, leaders, pair, before, after } = this;
    return { before, after, ids: ids.slice(), step, change, event, dead: new Set(dead), gone: new Set(gone), paused: new Set(paused), cuts: new Map(cuts), leaders, pair };
  }

  restore(kept) {
    Object.assign(this, { ...kept, ids: kept.ids.slice(), dead: new Set(kept.dead), gone: new Set(kept.gone), paused: new Set(kept.paused), cuts: new Map(kept.cuts) });
  }

  put(agent, number) {
    if (!this.dead.has(agent)) this.leaders += this.leads(number) - this.leads(this.ids[agent]);
    this.ids[agent] = number;
  }

  /** A dead agent is no part of the population, and does not lead. */
  kill(agent, dies) {
    if (this.dead.has(agent) === dies) return;
    this.leaders += this.leads(this.ids[agent]) * (dies ? -1 : 1);
    if (dies) this.dead.add(agent);
    else this.dead.delete(agent);
  }

  applyEvents() {
    for (; this.event < this.events.length && this.events[this.event][0] <= this.step; this.event++) {
      const [, kind, first, second] = this.events[this.event];
      if (kind === "set") for (const [agent, number] of first) this.put(agent, number);
      else if (kind === "dead" || kind === "alive") this.kill(first, kind === "dead");
      else if (kind === "killed") this.gone.add(first); // a process, whose agent may come back
      else if (kind === "returned") this.gone.delete(first);
      else if (kind === "paused") this.paused.add(first);
      else if (kind === "resumed") this.paused.delete(first);
      else if (kind === "cut") this.cuts.set(`${first} ${second}`, [first, second]);
      else if (kind === "heal") this.cuts.delete(`${first} ${second}`);
    }
  }

  /** One meeting. */
  forward() {
    const [i, j] = [this.arrays.i[this.step], this.arrays.j[this.step]];
    this.before = [this.ids[i], this.ids[j]];
    if (this.isChange(this.step)) {
      this.put(i, this.arrays.after_i[this.change]);
      this.put(j, this.arrays.after_j[this.change]);
      this.change += 1;
    }
    this.pair = [i, j];
    this.after = [this.ids[i], this.ids[j]];
    this.step += 1;
    this.applyEvents();
  }

  /** How many agents satisfy each predicate. */
  census() {
    const counts = new Array(this.predicates).fill(0);
    this.ids.forEach((number, agent) => {
      if (!this.dead.has(agent)) this.states[number].p.forEach((holds, place) => (counts[place] += holds));
    });
    return counts;
  }

  /** Once through the whole recording: keyframes, where the number of leaders changes, and counts for the plot. */
  read() {
    const apart = Math.max(1, Math.ceil((this.end * 2) / SERIES_POINTS), Math.ceil((this.end * this.n) / COUNTED_STATES));
    let last = this.leaders;
    this.changes.push([0, last]);
    this.counts.push([0, last, this.census()]);
    while (this.step < this.end) {
      this.forward();
      if (this.leaders !== last) this.changes.push([this.step, (last = this.leaders)]);
      if (this.step % this.spacing === 0) this.keyframes.push(this.copy());
      if (this.step % apart === 0 || this.step === this.end) this.counts.push([this.step, this.leaders, this.census()]);
    }
  }

  position() {
    return BigInt(this.first + this.step);
  }

  last() {
    return BigInt(this.first + this.end);
  }

  goto(step) {
    const target = Math.min(this.end, Math.max(0, Number(step) - this.first));
    const kept = this.keyframes[Math.min(this.keyframes.length - 1, Math.floor(target / this.spacing))];
    if (target < this.step || kept.step > this.step) this.restore(kept);
    while (this.step < target) this.forward();
  }

  /** Goes on for at most so many steps and milliseconds. */
  advance(count, milliseconds = Infinity) {
    const target = Math.min(this.end, this.step + Number(count));
    const until = performance.now() + milliseconds;
    while (this.step < target) {
      this.forward();
      if ((this.step & 1023) === 0 && performance.now() > until) break;
    }
  }

  /** The next step after which something has changed. */
  next(what) {
    const found = what === "leaders" ? this.changes.find(([step]) => step > this.step)?.[0] : what === "goal" ? this.nextGoal() : this.nextChange();
    return found === undefined ? null : BigInt(this.first + found);
  }

  nextGoal() {
    const mark = this.marks.find(([step, kind]) => kind === "goal" && Number(step) - this.first > this.step);
    return mark && Number(mark[0]) - this.first;
  }

  nextChange() {
    for (let step = this.step; step < this.end; step++) if (this.isChange(step)) return step + 1;
    return undefined;
  }

  frame() {
    const { ids, leaders, pair } = this;
    const counts = new Map();
    for (const number of ids) counts.set(number, (counts.get(number) ?? 0) + 1);
    const bars = [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
    const shown = bars.slice(0, 64).map(([number, count]) => [number, String(count)]);
    const others = bars.slice(64).reduce((sum, [, count]) => sum + count, 0);
    const frame = { kind: "agents", step: String(this.first + this.step), leaders: String(leaders), pair, ids: ids.slice(), states: this.states };
    return { ...frame, table: 0, branch: 0, dead: [...new Set([...this.dead, ...this.gone])], paused: [...this.paused], cuts: [...this.cuts.values()], bars: shown, others: String(others) };
  }

  /** The lines of the rule that the last meeting executed, where they are kept, and what it made of the two. */
  lines() {
    if (!this.pair) return { lines: null };
    const set = this.kept?.of[[...this.before, ...this.after].join(" ")];
    const texts = (numbers) => numbers.map((number) => this.states[number].t);
    return { lines: set === undefined ? null : this.kept.sets[set], pair: this.pair, before: texts(this.before), after: texts(this.after) };
  }

  /** Counts at even distances; the leaders also where they change. */
  points() {
    const every = Math.ceil(this.changes.length / SERIES_POINTS);
    const changes = this.changes.filter((_, place) => place % every === 0).map(([step, leaders]) => [step, leaders, []]);
    const all = [...changes, ...this.counts].sort((a, b) => a[0] - b[0]);
    return all.map(([step, leaders, census]) => [String(this.first + step), String(leaders), census.map(String)]);
  }

  /** Whether every change of the number of leaders has a mark. */
  get isMarked() {
    return this.marks.filter(([, kind]) => kind === "leaders").length >= this.changes.length - 1;
  }

  /** As the server tells it, without the states: what became of both is not kept for every step. */
  meeting(step, isInitiator) {
    const [i, j] = [this.arrays.i[step], this.arrays.j[step]];
    const role = isInitiator ? "initiator" : "responder";
    return { step: String(this.first + step + 1), with: isInitiator ? j : i, role, changed: Boolean(this.isChange(step)) };
  }

  card(agent) {
    const meetings = [];
    for (let step = this.step - 1; step >= 0 && meetings.length < 8 && step > this.step - 200000; step--) {
      const [i, j] = [this.arrays.i[step], this.arrays.j[step]];
      if (i === agent || j === agent) meetings.push(this.meeting(step, i === agent));
    }
    return { agent, state: this.states[this.ids[agent]], dead: this.dead.has(agent) || this.gone.has(agent), meetings };
  }
}

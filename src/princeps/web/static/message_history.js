// What happened on a ring of messages, put together from the frames that were shown. Links are first in, first out: in
// one step a process takes at most one message from its own links and sends to its neighbours, so two frames that are
// one step apart say which message was taken and which are new. Steps that are not known leave a gap, which is a row.

const LONGEST_HISTORY = 5000;

function portOf(message) {
  return `${message.to} ${message.side}`;
}

/** Messages by the port at which they arrive, the next one first. */
function byPort(messages) {
  const ports = new Map();
  for (const message of messages) {
    const port = portOf(message);
    if (!ports.has(port)) ports.set(port, []);
    ports.get(port).push(message);
  }
  return ports;
}

export class MessageHistory {
  constructor(n) {
    this.n = n;
    this.clear();
  }

  clear() {
    this.rows = []; // {step, process, action, text, received: id|null, sent: [ids], gap: null|steps left out before it}
    this.messages = new Map(); // id -> {id, from, to, side, text, sentAt, takenAt}
    this.queues = new Map(); // port -> ids
    this.step = null;
    this.nextId = 0;
  }

  sender(message) {
    return (message.to + (message.side === "left" ? this.n - 1 : 1)) % this.n;
  }

  /** Whether something is left out of the last `count` steps. */
  hasGap(count) {
    return this.rows.some((row) => row.gap && row.step > this.step - count);
  }

  /** Takes a frame; one step after the last it adds a row, otherwise the history begins anew or has a gap. */
  take(frame) {
    const step = Number(frame.step);
    if (this.step === step) return this.correct(frame);
    if (this.step !== null && step < this.step) this.rewind(step);
    else if (this.step !== null && step === this.step + 1) this.follow(frame, step);
    else this.jump(frame, step);
    if (this.step !== step) this.jump(frame, step);
    if (this.rows.length > LONGEST_HISTORY) this.rows.splice(0, this.rows.length - LONGEST_HISTORY);
    return undefined;
  }

  /** The same step once more: an attack may have taken messages off the links. */
  correct(frame) {
    const now = byPort(frame.messages);
    for (const [port, ids] of this.queues) while (ids.length > (now.get(port)?.length ?? 0)) ids.shift();
  }

  add(message, step) {
    const id = this.nextId++;
    this.messages.set(id, { id, from: this.sender(message), to: message.to, side: message.side, text: message.text, sentAt: step, takenAt: null });
    return id;
  }

  follow(frame, step) {
    const now = byPort(frame.messages);
    const actor = frame.last?.process ?? null;
    const row = { step, process: actor, action: frame.last?.action, text: frame.last?.text, received: null, sent: [], gap: null };
    for (const port of new Set([...now.keys(), ...this.queues.keys()])) {
      const [before, after] = [this.queues.get(port) ?? [], now.get(port) ?? []];
      const ids = before.slice();
      if (Number(port.split(" ")[0]) === actor && after.length < ids.length) {
        const taken = ids.shift();
        row.received = taken;
        this.messages.get(taken).takenAt = step;
      }
      while (ids.length > after.length) ids.shift(); // lost by an attack
      while (ids.length < after.length) {
        const id = this.add(after[ids.length], step);
        ids.push(id);
        row.sent.push(id);
      }
      this.queues.set(port, ids);
    }
    this.rows.push(row);
    this.step = step;
  }

  /** Forgets what lies after this step; the queues are as they were then. */
  rewind(step) {
    const first = this.rows.findIndex((row) => row.step > step);
    if (first < 0 || (this.rows[first].step !== step + 1 && !this.rows.some((row) => row.step === step))) return;
    for (const row of this.rows.splice(first).reverse()) {
      if (row.gap) return;
      for (const id of row.sent) this.remove(id);
      if (row.received !== null) {
        const message = this.messages.get(row.received);
        message.takenAt = null;
        this.queues.get(portOf(message))?.unshift(row.received);
      }
    }
    this.step = step;
  }

  remove(id) {
    const queue = this.queues.get(portOf(this.messages.get(id)));
    const place = queue?.indexOf(id) ?? -1;
    if (place >= 0) queue.splice(place, 1);
    this.messages.delete(id);
  }

  /** Gaps that follow one another are one. */
  jump(frame, step) {
    this.rows = this.rows.filter((row) => row.step < step);
    const before = this.rows.at(-1);
    const known = before?.gap ? before.step - before.gap : (before?.step ?? 0);
    if (before?.gap) this.rows.pop();
    this.queues.clear();
    for (const [port, messages] of byPort(frame.messages)) this.queues.set(port, messages.map((message) => this.add(message, step)));
    if (step > known) this.rows.push({ step, process: null, received: null, sent: [], gap: step - known });
    this.step = step;
  }

  /** Messages under way with their place in the queue: [{id, from, to, side, text, place}..]. */
  underWay() {
    return [...this.queues.values()].flatMap((ids) => ids.map((id, place) => ({ ...this.messages.get(id), place, of: ids.length })));
  }
}

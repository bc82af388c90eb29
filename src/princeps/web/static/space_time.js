// The space-time diagram of a ring: a column for each process, time downwards, a dot for each action, a line for each
// message from where it was sent to where it was taken. It follows the present step and keeps the last rows in view.

import { el } from "./dom.js";
import { svgEl } from "./dom.js";
import { countOf } from "./numbers.js";
import { grouped } from "./numbers.js";

const ROW_HEIGHT = 16;
const SHOWN_ROWS = 160;
const DIAGRAM_TOP = 34;

export class SpaceTime {
  constructor(n, events) {
    this.n = n;
    this.events = events;
    this.apart = Math.max(14, Math.min(46, 640 / n));
    this.left = 62;
    this.width = this.left + this.apart * (n - 1) + 34;
    this.svg = svgEl("svg", { class: "space-time", role: "img", width: this.width });
    this.scroll = el("div", { class: "space-time-scroll", tabindex: "0", role: "region", "aria-label": "Space-time diagram" }, this.svg);
    this.element = el("figure", { class: "space-time-figure" }, el("figcaption", {}, "Space-time diagram: time runs downwards"), this.scroll);
  }

  column(process) {
    return this.left + process * this.apart;
  }

  /** As wide as there is room for, if columns remain distinguishable. */
  fit() {
    const room = this.scroll.clientWidth - this.left - 40;
    if (room > 0) this.apart = Math.max(14, Math.min(60, room / Math.max(1, this.n - 1)));
    this.width = this.left + this.apart * (this.n - 1) + 34;
    this.svg.setAttribute("width", this.width);
  }

  draw(history, frame) {
    if (this.drawn === `${history.step} ${history.rows.length}`) return;
    this.drawn = `${history.step} ${history.rows.length}`;
    this.fit();
    const rows = history.rows.slice(-SHOWN_ROWS);
    let y = DIAGRAM_TOP + 18 - ROW_HEIGHT;
    const heightOf = new Map(rows.map((row) => [row.step, (y += row.gap ? 1.6 * ROW_HEIGHT : ROW_HEIGHT)]));
    const bottom = y + ROW_HEIGHT + 26;
    this.svg.setAttribute("viewBox", `0 0 ${this.width} ${bottom}`);
    this.svg.setAttribute("height", bottom);
    this.svg.setAttribute("aria-label", `${rows.length} steps of ${this.n} processes up to step ${frame.step}`);
    const parts = this.columns(frame, bottom);
    for (const message of history.messages.values()) {
      if (heightOf.has(message.sentAt) || heightOf.has(message.takenAt)) parts.push(...this.line(message, heightOf, bottom));
    }
    for (const row of rows) parts.push(...this.row(row, heightOf.get(row.step)));
    this.svg.replaceChildren(...parts);
    this.scroll.scrollTop = this.scroll.scrollHeight;
  }

  columns(frame, bottom) {
    return frame.processes.flatMap((process, place) => [
      svgEl("line", { x1: this.column(place), x2: this.column(place), y1: DIAGRAM_TOP, y2: bottom - 14, class: process.halted ? "life halted-life" : "life" }),
      ...(this.apart >= 20 || place % 5 === 0 ? [20, bottom - 2].map((y) => svgEl("text", { x: this.column(place), y, class: "life-label" }, String(process.label))) : []),
    ]).filter(Boolean);
  }

  row(row, y) {
    if (row.gap) {
      return [
        svgEl("line", { x1: this.left - 8, x2: this.width - 20, y1: y, y2: y, class: "gap-line" }),
        svgEl("text", { x: this.left - 14, y: y + 4, class: "step-label" }, grouped(row.step)),
        svgEl("text", { x: (this.left + this.width) / 2, y: y - 5, class: "gap-label" }, `${countOf(row.gap, "step")} left out`),
      ];
    }
    const step = row.step % 5 === 0 ? svgEl("text", { x: this.left - 14, y: y + 4, class: "step-label" }, grouped(row.step)) : null;
    const title = svgEl("title", {}, `step ${row.step}: process ${row.process} ${row.action ?? ""} ${row.text ?? ""}`);
    const dot = row.process === null ? null : svgEl("circle", { cx: this.column(row.process), cy: y, r: 4, class: "act" }, title);
    dot?.addEventListener("click", () => this.events.goTo(BigInt(row.step)));
    return [step, dot].filter(Boolean);
  }

  /** From sender to receiver; around the edge of the drawing in two halves; under way: a dashed stub. */
  line(message, heightOf, bottom) {
    const y1 = heightOf.get(message.sentAt) ?? DIAGRAM_TOP;
    const waits = message.takenAt === null;
    const y2 = waits ? Math.max(y1 + ROW_HEIGHT, bottom - 18) : (heightOf.get(message.takenAt) ?? bottom);
    const [x1, x2] = [this.column(message.from), this.column(message.to)];
    const name = `path-line ${message.side === "left" ? "forward" : "backward"}${waits ? " waits" : ""}`;
    const straight = (a, b, c, d) => svgEl("line", { x1: a, y1: b, x2: c, y2: d, class: name });
    if (this.n > 2 && Math.abs(message.from - message.to) > 1) {
      const outside = message.side === "left" ? 1 : -1;
      const half = (y1 + y2) / 2;
      return [straight(x1, y1, x1 + (outside * this.apart) / 2, half), straight(x2 - (outside * this.apart) / 2, half, x2, y2)];
    }
    return [straight(x1, y1, x2, y2)];
  }
}

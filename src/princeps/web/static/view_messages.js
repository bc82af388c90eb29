// A ring of processes with the messages on its links, and beside it the space-time diagram. The next message of a link
// is the nearest to its receiver. Messages move by CSS transitions, which stand still where motion is reduced.

import { atMostEvery } from "./dom.js";
import { el } from "./dom.js";
import { setText } from "./dom.js";
import { svgEl } from "./dom.js";
import { glyphAt } from "./agent_glyph.js";
import { glyphPath } from "./glyphs.js";
import { markClass } from "./palette.js";
import { MessageHistory } from "./message_history.js";
import { SpaceTime } from "./space_time.js";
import { grouped } from "./numbers.js";

const RING_EDGE = 500;
const RECALLED = 150; // steps before the present one that the diagram shows after a jump
const RECALLED_MESSAGES = 20000; // of them all, about
const RECALL_PAUSE = 400; // milliseconds

export class MessagesView {
  constructor(about, events) {
    this.n = Number(about.n);
    this.events = events;
    this.radius = 372;
    const apart = (2 * Math.PI * this.radius) / this.n;
    this.node = Math.max(5, Math.min(46, apart * 0.26));
    this.apart = apart;
    this.look = about.look;
    this.history = new MessageHistory(this.n);
    this.recalled = Math.max(20, Math.min(RECALLED, Math.floor(RECALLED_MESSAGES / this.n)));
    this.recall = atMostEvery(RECALL_PAUSE, () => this.fillGaps());
    this.diagram = new SpaceTime(this.n, events);
    this.svg = svgEl("svg", { viewBox: `${-RING_EDGE} ${-RING_EDGE} ${2 * RING_EDGE} ${2 * RING_EDGE}`, class: "ring-picture", role: "img" });
    this.capsules = svgEl("g", {});
    this.shown = new Map();
    this.number = svgEl("text", { class: "centre-number small-number", y: 0 });
    this.caption = svgEl("text", { class: "centre-caption", y: 40 });
    this.processes = Array.from({ length: this.n }, (_, process) => this.makeProcess(process));
    this.svg.append(
      svgEl("circle", { r: this.radius, class: "ring-line" }),
      this.number,
      this.caption,
      this.capsules,
      ...this.processes.map((process) => process.group),
    );
    this.element = el("div", { class: "picture messages-picture" }, this.svg, this.diagram.element);
  }

  point(place, radius) {
    const angle = (2 * Math.PI * place) / this.n;
    return [radius * Math.sin(angle), -radius * Math.cos(angle)];
  }

  makeProcess(process) {
    const [x, y] = this.point(process, this.radius);
    const body = svgEl("circle", { r: this.node, class: "process" });
    const label = svgEl("text", { class: "process-label", "font-size": Math.max(9, Math.min(26, this.node * 0.9)) });
    const [crownX, crownY] = [0, -(this.node + 17)];
    const transform = `translate(${crownX} ${crownY}) scale(16)`;
    const crown = svgEl("path", { class: "glyph crown", transform, d: glyphPath("crown"), visibility: "hidden" });
    const [dx, dy] = [this.point(process, this.radius + this.node + 32)[0] - x, this.point(process, this.radius + this.node + 32)[1] - y];
    const note = svgEl("text", { class: "process-note" });
    const marks = svgEl("g", { transform: `translate(${(-dx * 0.8).toFixed(1)} ${(-dy * 0.8).toFixed(1)})` });
    const group = svgEl("g", { transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})`, class: "agent", "data-agent": process }, body, label, crown, note, marks);
    group.addEventListener("click", () => this.events.chooseAgent(process));
    return { group, body, label, crown, note, outwards: [dx, dy], marks, shown: "" };
  }

  draw(frame, coloring, chosen) {
    if (this.frame && this.frame.branch !== frame.branch) this.history.clear();
    this.frame = frame;
    this.history.take(frame);
    if (this.history.hasGap(this.recalled)) this.recall();
    frame.processes.forEach((process, place) => {
      const { body, label, crown, note, outwards } = this.processes[place];
      const acted = frame.last?.process === place;
      const names = [
        ...["process", process.started ? "" : "not-started", process.halted ? "halted" : ""],
        ...[process.leader ? "leads" : "", acted ? "acted" : "", chosen === place ? "chosen-process" : ""],
      ];
      body.setAttribute("class", names.filter(Boolean).join(" "));
      setText(label, this.node >= 9 ? String(process.label) : "");
      crown.setAttribute("visibility", process.leader ? "visible" : "hidden");
      setText(note, acted && this.n <= 40 ? String(frame.last.action) : "");
      const far = process.leader && -outwards[1] > Math.abs(outwards[0]) ? 1.5 : 1; // at the top of the ring a crown lies in its way
      note.setAttribute("x", (far * outwards[0]).toFixed(1));
      note.setAttribute("y", (far * outwards[1]).toFixed(1));
    });
    frame.processes.forEach((process, place) => this.drawMarks(this.processes[place], process.marks ?? []));
    this.drawMessages();
    this.diagram.draw(this.history, frame);
    setText(this.number, grouped(frame.messages.length));
    setText(this.caption, frame.messages.length === 1 ? "message under way" : "messages under way");
    const last = frame.last ? `, last: process ${frame.last.process}, ${frame.last.action}` : "";
    this.svg.setAttribute("aria-label", `${this.n} processes on a ring, ${frame.messages.length} messages under way${last}`);
  }

  /** The marks of a process, inside the ring. */
  drawMarks(place, marks) {
    const key = marks.join(" ");
    if (place.shown === key || this.node < 9) return;
    place.shown = key;
    const size = Math.min(24, this.node * 0.6);
    const drawn = marks.map((number, order) => [this.look?.marks?.[number], (order - (marks.length - 1) / 2) * size * 1.2]);
    place.marks.replaceChildren(...drawn.filter(([mark]) => mark).map(([mark, x]) => glyphAt(mark.shape, x, 0, size, `mark ${markClass(mark.hue)}`)));
  }

  /** The source knows what happened before the frame that is shown now; a run that plays may be further already. */
  async fillGaps() {
    const frames = await this.events.framesBefore(this.recalled);
    const now = Number(this.frame.step);
    const before = (frames ?? []).filter((frame) => Number(frame.step) < now);
    if (!before.length || Number(before.at(-1).step) !== now - 1 || !this.history.hasGap(this.recalled)) return;
    this.history.clear();
    for (const frame of before) this.history.take(frame);
    this.history.take(this.frame);
    this.drawMessages();
    this.diagram.draw(this.history, this.frame);
  }

  drawMessages() {
    const present = new Set();
    for (const message of this.history.underWay()) {
      present.add(message.id);
      let capsule = this.shown.get(message.id);
      if (!capsule) {
        capsule = this.makeCapsule(message);
        this.shown.set(message.id, capsule);
        this.capsules.append(capsule);
        this.place(capsule, message, 0.12);
        capsule.getBoundingClientRect(); // the browser must know where the movement begins
      }
      const edge = Math.min(0.47, (this.node + 7 + this.capsuleSize(message).width / 2) / this.apart); // outside of the nodes
      const last = 1 - edge;
      const room = Math.min(0.2, (last - edge) / Math.max(1, message.of - 1));
      this.place(capsule, message, last - room * message.place);
    }
    for (const [id, capsule] of this.shown) {
      if (present.has(id)) continue;
      this.shown.delete(id);
      const message = this.history.messages.get(id);
      if (message) this.place(capsule, message, 1);
      capsule.classList.add("gone");
      setTimeout(() => capsule.remove(), 260);
    }
  }

  /** Clockwise messages lie a little outside the ring, the others a little inside. */
  place(capsule, message, part) {
    const forward = message.side === "left";
    const [x, y] = this.point(message.from + (forward ? part : -part), this.radius + (forward ? 17 : -17));
    capsule.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
  }

  capsuleSize(message) {
    const text = message.text.length > 14 ? `${message.text.slice(0, 13)}…` : message.text;
    const size = this.n <= 16 ? 22 : this.n <= 32 ? 16 : this.n <= 60 ? 12 : 0;
    return { text, size, width: size ? Math.max(22, text.length * size * 0.66 + 18) : 9 };
  }

  makeCapsule(message) {
    const { text, size, width } = this.capsuleSize(message);
    const height = size ? size + 10 : 9;
    const capsule = svgEl("g", { class: `capsule ${message.side === "left" ? "forward" : "backward"}` });
    capsule.append(svgEl("rect", { x: -width / 2, y: -height / 2, width, height, rx: height / 2 }), svgEl("title", {}, message.text));
    if (size) capsule.append(svgEl("text", { "font-size": size, y: size * 0.35 }, text));
    return capsule;
  }
}

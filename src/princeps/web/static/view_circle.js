// Agents on a circle, agent 0 on top, clockwise: the view of rings up to 500 agents. Outside the node lie the crown and
// a lane for each kind of mark; inside, the bar points to the centre; in the centre stands how many lead.

import { AgentsPicture } from "./agents_picture.js";
import { lanesOf } from "./agent_glyph.js";
import { setText } from "./dom.js";
import { svgEl } from "./dom.js";
import { grouped } from "./numbers.js";

const CIRCLE_EDGE = 500; // half the side of the drawing
const NUMBERED_INSIDE = 30; // so many agents have their numbers inside the nodes
const NUMBER_ROOM = 34; // for numbers outside

/** Sizes for n agents with so many lanes of marks; what does not fit between two agents is smaller. */
function circleMeasures(n, lanes, hasBar) {
  const labels = n <= NUMBERED_INSIDE ? 4 : NUMBER_ROOM;
  let [radius, lane, node] = [400, 0, 0];
  for (let round = 0; round < 6; round++) {
    const apart = (2 * Math.PI * radius) / n;
    lane = Math.min(46, Math.max(8, apart * 0.68));
    node = Math.min(40, Math.max(2, apart * 0.36));
    radius = CIRCLE_EDGE - labels - lane * (lanes + 1) - node * 1.3 - 3;
  }
  const length = hasBar ? radius * 0.38 : 0;
  return { radius, lane, node, length, outer: CIRCLE_EDGE - labels };
}

function onCircle(n, agent, radius) {
  const angle = (2 * Math.PI * agent) / n;
  return [radius * Math.sin(angle), -radius * Math.cos(angle)];
}

export class CircleView extends AgentsPicture {
  constructor(about, events) {
    const n = Number(about.n);
    const measures = circleMeasures(n, lanesOf(about.look).length, Boolean(about.look?.bar));
    super(about, Array.from({ length: n }, (_, agent) => onCircle(n, agent, measures.radius)), measures.node);
    this.measures = measures;
    this.number = svgEl("text", { class: "centre-number", y: 12 });
    this.caption = svgEl("text", { class: "centre-caption", y: 52 });
    const box = `${-CIRCLE_EDGE} ${-CIRCLE_EDGE} ${2 * CIRCLE_EDGE} ${2 * CIRCLE_EDGE}`;
    const below = [svgEl("circle", { r: measures.radius, class: "ring-line" }), ...this.numbersOutside()];
    this.compose({ viewBox: box, class: "picture circle-picture" }, events, below, [...this.numbersInside(), this.number, this.caption]);
  }

  turnOf(agent) {
    return (360 * agent) / this.n;
  }

  placeOf(agent) {
    const [x, y] = this.points[agent];
    return `translate(${x.toFixed(2)} ${y.toFixed(2)}) rotate(${this.turnOf(agent).toFixed(3)})`;
  }

  /** Numbers of a few agents, on top of their nodes. */
  numbersInside() {
    if (this.n > NUMBERED_INSIDE) return [];
    const size = Math.min(30, this.node * 0.85);
    return this.points.map(([x, y], agent) => svgEl("text", { x: x.toFixed(1), y: y.toFixed(1), "font-size": size, class: "number-inside" }, String(agent)));
  }

  /** Of many agents every fifth has its number, of more of them every tenth or fiftieth. */
  numbersOutside() {
    if (this.n <= NUMBERED_INSIDE) return [];
    const every = this.n <= 120 ? 5 : this.n <= 200 ? 10 : 50;
    const made = [];
    for (let agent = 0; agent <= this.n - every / 2; agent += every) {
      const [x, y] = onCircle(this.n, agent, this.measures.outer + NUMBER_ROOM / 2);
      made.push(svgEl("text", { x: x.toFixed(1), y: y.toFixed(1), class: "agent-number" }, String(agent)));
    }
    return made;
  }

  /** Where the parts of an agent lie when outside is up. */
  layout() {
    const { node, lane, length } = this.measures;
    const first = node * 1.3 + 3;
    return {
      radius: node,
      crown: [0, -(first + lane * 0.5), Math.min(40, lane * 0.94)],
      mark: (number) => [0, -(first + lane * (number + 1.5)), lane * 0.9],
      shield: (hue) => {
        const reach = node * 1.28 + 2;
        const side = reach * 0.82;
        const up = -Math.sqrt(reach * reach - side * side);
        return svgEl("path", { d: `M${-side} ${up}A${reach} ${reach} 0 0 1 ${side} ${up}`, class: `shield-arc ${hue}` });
      },
      bar: (value) => {
        const width = Math.max(1.4, node * 0.62);
        const begin = node * 1.45 + 2;
        const full = Math.max(0.5, value * length);
        return [
          svgEl("line", { x1: 0, x2: 0, y1: begin, y2: begin + length, class: "bar-track" }),
          svgEl("rect", { x: -width / 2, y: begin, width, height: full.toFixed(2), rx: Math.min(2, width / 2), class: "bar" }),
        ];
      },
    };
  }

  draw(frame, coloring, chosen) {
    super.draw(frame, coloring, chosen);
    setText(this.number, grouped(frame.leaders));
    setText(this.caption, frame.leaders === "1" ? "leader" : "leaders");
    this.describe(" on a ring", frame);
  }

  /** How many arcs lie between two, the shorter way. */
  apart([i, j]) {
    const forward = (j - i + this.n) % this.n;
    return Math.min(forward, this.n - forward);
  }

  hasArrow(pair) {
    return this.apart(pair) > 1 || this.n <= NUMBERED_INSIDE;
  }

  /** Neighbours along the ring, others through the middle. */
  pairPath(pair) {
    const { radius } = this.measures;
    const [from, to] = pair.map((agent) => this.points[agent].map((value) => value.toFixed(1)).join(" "));
    const isClockwise = (pair[1] - pair[0] + this.n) % this.n === 1;
    const bend = this.apart(pair) === 1 && this.n > 2 ? `A${radius} ${radius} 0 0 ${isClockwise ? 1 : 0}` : "Q0 0";
    return `M${from}${bend} ${to}`;
  }

  cutMark(i, j) {
    const [a, b] = [this.points[i], this.points[j]];
    const [x, y] = [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
    const turn = (Math.atan2(b[1] - a[1], b[0] - a[0]) * 180) / Math.PI;
    return svgEl(
      "g",
      { transform: `translate(${x.toFixed(1)} ${y.toFixed(1)}) rotate(${turn.toFixed(1)})`, class: "cut-mark" },
      svgEl("rect", { x: -5, y: -8, width: 10, height: 16 }),
      svgEl("path", { d: "M-7 8-1-8M1 8 7-8" }),
      svgEl("title", {}, `the arc from ${i} to ${j} is cut`),
    );
  }
}

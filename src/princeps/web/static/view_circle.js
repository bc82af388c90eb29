// Agents on a circle, agent 0 on top, clockwise: the view of rings up to 500 agents. Outside the node lie the crown and
// a lane for each kind of mark; inside, the bar points to the centre; in the centre stands how many lead.

import { setAttributes } from "./dom.js";
import { setText } from "./dom.js";
import { svgEl } from "./dom.js";
import { arrowOn } from "./agent_glyph.js";
import { AgentGlyphs } from "./agent_glyph.js";
import { lanesOf } from "./agent_glyph.js";
import { grouped } from "./numbers.js";

const CIRCLE_EDGE = 500; // half the side of the drawing
const NUMBERED_INSIDE = 30; // so many agents have their numbers inside the nodes

/** Sizes for n agents with so many lanes of marks. */
function circleMeasures(n, lanes, hasBar) {
  const labels = n <= NUMBERED_INSIDE ? 4 : 30;
  let [radius, lane, node] = [400, 0, 0];
  for (let round = 0; round < 4; round++) {
    const apart = (2 * Math.PI * radius) / n;
    lane = Math.min(32, Math.max(8, apart * 0.52));
    node = Math.min(40, Math.max(2, apart * 0.34));
    radius = CIRCLE_EDGE - labels - lane * (lanes + 1) - node * 1.3;
  }
  const length = hasBar ? radius * 0.38 : 0;
  return { radius, lane, node, length, outer: radius + node * 1.3 + lane * (lanes + 1) };
}

export class CircleView {
  constructor(about, events) {
    this.about = about;
    this.n = Number(about.n);
    this.look = about.look;
    this.measures = circleMeasures(this.n, lanesOf(this.look).length, Boolean(this.look?.bar));
    this.element = svgEl("svg", {
      viewBox: `${-CIRCLE_EDGE} ${-CIRCLE_EDGE} ${2 * CIRCLE_EDGE} ${2 * CIRCLE_EDGE}`,
      class: "picture circle-picture",
      role: "img",
    });
    this.cuts = svgEl("g", { class: "cuts" });
    this.pair = svgEl("g", { class: "pair" });
    this.ring = svgEl("circle", { r: this.measures.radius, class: "ring-line" });
    this.chosen = svgEl("circle", { class: "chosen", r: this.measures.node + 6, visibility: "hidden" });
    this.number = svgEl("text", { class: "centre-number", y: 12 });
    this.caption = svgEl("text", { class: "centre-caption", y: 52 });
    this.agents = this.makeAgents(events);
    this.element.append(this.ring, this.cuts, this.pair, ...this.labels(), ...this.agents, ...this.numbersInside(), this.chosen, this.number, this.caption);
    this.shown = new Array(this.n).fill(null);
  }

  angle(agent) {
    return (2 * Math.PI * agent) / this.n;
  }

  point(agent, radius) {
    const angle = this.angle(agent);
    return [radius * Math.sin(angle), -radius * Math.cos(angle)];
  }

  makeAgents(events) {
    const hit = Math.max(9, this.measures.node * 1.3);
    return Array.from({ length: this.n }, (_, agent) => {
      const [x, y] = this.point(agent, this.measures.radius);
      const turn = (360 * agent) / this.n;
      const place = `translate(${x.toFixed(2)} ${y.toFixed(2)}) rotate(${turn.toFixed(3)})`;
      const group = svgEl("g", { transform: place, class: "agent", "data-agent": agent });
      group.append(svgEl("circle", { r: hit, class: "hit" }), svgEl("g", {}));
      group.addEventListener("click", () => events.chooseAgent(agent));
      return group;
    });
  }


  /** Numbers of a few agents, on top of their nodes. */
  numbersInside() {
    if (this.n > NUMBERED_INSIDE) return [];
    return this.agents.map((_, agent) => {
      const [x, y] = this.point(agent, this.measures.radius);
      const size = Math.min(30, this.measures.node * 0.85);
      return svgEl("text", { x: x.toFixed(1), y: y.toFixed(1), "font-size": size, class: "number-inside" }, String(agent));
    });
  }

  labels() {
    if (this.n <= NUMBERED_INSIDE) return [];
    const every = this.n <= 90 ? 1 : this.n <= 200 ? 10 : 50;
    const made = [];
    for (let agent = 0; agent < this.n; agent += every) {
      const [x, y] = this.point(agent, this.measures.outer + 13);
      made.push(svgEl("text", { x: x.toFixed(1), y: y.toFixed(1), class: "agent-number" }, String(agent)));
    }
    return made;
  }

  /** Where the parts of an agent lie when outside is up. */
  layout() {
    const { node, lane, length } = this.measures;
    const first = node * 1.3;
    return {
      radius: node,
      crown: [0, -(first + lane * 0.5), Math.min(34, lane * 0.92)],
      mark: (number) => [0, -(first + lane * (number + 1.5)), lane * 0.84],
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
    if (this.coloring !== coloring || this.table !== frame.table) {
      this.coloring = coloring;
      this.table = frame.table;
      this.glyphs = new AgentGlyphs(this.look, this.layout(), coloring);
      this.shown.fill(null);
    }
    const dead = new Set(frame.dead ?? []);
    for (let agent = 0; agent < this.n; agent++) {
      const number = frame.ids[agent];
      const key = dead.has(agent) ? -1 - number : number;
      if (this.shown[agent] === key) continue;
      this.shown[agent] = key;
      this.agents[agent].lastChild.replaceWith(this.glyphs.copyOf(number, frame.states[number], key < 0));
    }
    this.drawPair(frame.pair);
    this.cuts.replaceChildren(...(frame.cuts ?? []).map(([i, j]) => this.cutBetween(i, j)));
    this.drawChosen(chosen);
    setText(this.number, grouped(frame.leaders));
    setText(this.caption, frame.leaders === "1" ? "leader" : "leaders");
    const sentence = `${grouped(this.n)} agents on a ring, ${grouped(frame.leaders)} of them leading, step ${grouped(frame.step)}`;
    if (this.element.getAttribute("aria-label") !== sentence) this.element.setAttribute("aria-label", sentence);
  }

  drawChosen(agent) {
    if (agent === null || agent === undefined || agent >= this.n) return this.chosen.setAttribute("visibility", "hidden");
    const [cx, cy] = this.point(agent, this.measures.radius);
    return setAttributes(this.chosen, { cx, cy, visibility: "visible" });
  }

  /** The arc that met last, from the initiator to the responder. */
  drawPair(pair) {
    const key = pair ? `${pair[0]} ${pair[1]}` : "";
    if (this.pairKey === key) return;
    this.pairKey = key;
    this.pair.replaceChildren();
    if (!pair) return;
    const { radius, node } = this.measures;
    const ends = pair.map((agent) => this.point(agent, radius));
    const apart = Math.min((pair[1] - pair[0] + this.n) % this.n, (pair[0] - pair[1] + this.n) % this.n);
    const bend = apart === 1 && this.n > 2 ? `A${radius} ${radius} 0 0 ${(pair[1] - pair[0] + this.n) % this.n === 1 ? 1 : 0}` : "Q0 0";
    const path = `M${ends[0].map((x) => x.toFixed(1)).join(" ")}${bend} ${ends[1].map((x) => x.toFixed(1)).join(" ")}`;
    const arc = svgEl("path", { d: path, class: "pair-arc" });
    this.pair.append(arc);
    if (apart > 1 || this.n <= NUMBERED_INSIDE) this.pair.append(arrowOn(arc));
    ends.forEach(([cx, cy], side) => {
      const size = node * 1.28 + 4;
      this.pair.append(svgEl("circle", { cx: cx.toFixed(1), cy: cy.toFixed(1), r: size.toFixed(1), class: side ? "pair-end responder" : "pair-end" }));
    });
  }

  cutBetween(i, j) {
    const [a, b] = [this.point(i, this.measures.radius), this.point(j, this.measures.radius)];
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

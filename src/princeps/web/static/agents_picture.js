// What pictures with one drawn node an agent have in common, wherever the nodes lie: agents that are redrawn when their
// states change, the pair that met last, cuts, the chosen agent. A view says where agents lie and how its parts are placed:
//   points           [[x, y]..]                    where the nodes lie
//   node             the radius of a node
//   placeOf(agent)   a transform of SVG            of everything that belongs to an agent
//   turnOf(agent)    degrees                       by which that is turned; crowns stand upright all the same
//   layout()         see agent_glyph.js
//   pairPath(pair)   a path from the initiator to the responder, hasArrow(pair)
//   cutMark(i, j)    an element

import { AgentGlyphs } from "./agent_glyph.js";
import { arrowOn } from "./agent_glyph.js";
import { grouped } from "./numbers.js";
import { setAttributes } from "./dom.js";
import { svgEl } from "./dom.js";

const SMALLEST_TARGET = 9; // radius within which a click belongs to an agent
const PAIR_ROOM = 4; // between a crowned node and the ring around one that met

export class AgentsPicture {
  constructor(about, points, node) {
    this.about = about;
    this.n = Number(about.n);
    this.look = about.look;
    this.points = points;
    this.node = node;
    this.cuts = svgEl("g", { class: "cuts" });
    this.pair = svgEl("g", { class: "pair" });
    this.stops = svgEl("g", { class: "stops" });
    this.chosen = svgEl("circle", { class: "chosen", r: node + 6, visibility: "hidden" });
    this.shown = new Array(this.n).fill(null);
  }

  /** The SVG element; what lies below the agents, and what lies on top of them. */
  compose(attributes, events, below = [], above = []) {
    this.agents = this.points.map((_, agent) => {
      const group = svgEl("g", { transform: this.placeOf(agent), class: "agent", "data-agent": agent });
      group.append(svgEl("circle", { r: Math.max(SMALLEST_TARGET, this.node * 1.3), class: "hit" }), svgEl("g", {}));
      group.addEventListener("click", () => events.chooseAgent(agent));
      return group;
    });
    this.element = svgEl("svg", { role: "img", ...attributes });
    this.element.append(...below, this.cuts, this.pair, ...this.agents, ...above, this.stops, this.chosen);
  }

  turnOf() {
    return 0;
  }

  draw(frame, coloring, chosen) {
    if (this.coloring !== coloring || this.table !== frame.table) {
      this.coloring = coloring;
      this.table = frame.table;
      this.glyphs = new AgentGlyphs(this.look, this.layout(), coloring);
      this.shown.fill(null);
    }
    const dead = new Set(frame.dead ?? []);
    for (let agent = 0; agent < this.n; agent++) this.drawAgent(agent, frame, dead.has(agent));
    this.drawPair(frame.pair);
    this.stops.replaceChildren(...(frame.paused ?? []).map((agent) => this.stopMark(agent)));
    this.cuts.replaceChildren(...(frame.cuts ?? []).map(([i, j]) => this.cutMark(i, j)));
    this.drawChosen(chosen);
  }

  drawAgent(agent, frame, isDead) {
    const number = frame.ids[agent];
    const key = isDead ? -1 - number : number;
    if (this.shown[agent] === key) return;
    this.shown[agent] = key;
    const drawn = this.glyphs.copyOf(number, frame.states[number], isDead);
    const turn = this.turnOf(agent);
    if (turn) drawn.querySelectorAll(".crown").forEach((crown) => crown.setAttribute("transform", `${crown.getAttribute("transform")} rotate(${(-turn).toFixed(2)})`));
    this.agents[agent].lastChild.replaceWith(drawn);
  }

  /** Two bars at the side of an agent whose process is stopped. */
  stopMark(agent) {
    const [x, y] = this.points[agent].map((place) => place + this.node * 0.85);
    const [width, height] = [this.node * 0.3, this.node];
    const bar = (left) => svgEl("rect", { x: (x + left).toFixed(1), y: (y - height / 2).toFixed(1), width: width.toFixed(1), height: height.toFixed(1) });
    return svgEl("g", { class: "stop-mark" }, bar(-width * 1.5), bar(width * 0.5), svgEl("title", {}, `the process of agent ${agent} is stopped`));
  }

  drawChosen(agent) {
    const point = agent === null || agent === undefined ? null : this.points[agent];
    if (!point) return this.chosen.setAttribute("visibility", "hidden");
    return setAttributes(this.chosen, { cx: point[0], cy: point[1], visibility: "visible" });
  }

  drawPair(pair) {
    const key = pair ? pair.join(" ") : "";
    if (this.pairKey === key) return;
    this.pairKey = key;
    this.pair.replaceChildren();
    if (!pair) return;
    const arc = svgEl("path", { d: this.pairPath(pair), class: "pair-arc" });
    this.pair.append(arc);
    if (this.hasArrow(pair)) this.pair.append(arrowOn(arc));
    pair.forEach((agent, side) => {
      const [x, y] = this.points[agent].map((value) => value.toFixed(1));
      this.pair.append(svgEl("circle", { cx: x, cy: y, r: (this.node * 1.28 + PAIR_ROOM).toFixed(1), class: side ? "pair-end responder" : "pair-end" }));
    });
  }

  /** What a screen reader says of the picture. */
  describe(where, frame) {
    const sentence = `${grouped(this.n)} agents${where}, ${grouped(frame.leaders)} of them leading, step ${grouped(frame.step)}`;
    if (this.element.getAttribute("aria-label") !== sentence) this.element.setAttribute("aria-label", sentence);
  }
}

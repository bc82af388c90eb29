// Agents at points of the plane with the arcs between them: graphs, grids and tori, and small populations in which
// everybody may meet everybody (in rows, without arcs).

import { setAttributes } from "./dom.js";
import { svgEl } from "./dom.js";
import { AgentGlyphs } from "./agent_glyph.js";
import { arrowOn } from "./agent_glyph.js";
import { lanesOf } from "./agent_glyph.js";
import { grouped } from "./numbers.js";

const GRAPH_SIDE = 1000;
const GRAPH_MARGIN = 46;

/** Rows of a rectangle that is a little wider than high, for agents without positions. */
export function rowsOf(n) {
  const columns = Math.ceil(Math.sqrt(n * 1.35));
  const rows = Math.ceil(n / columns);
  const side = Math.max(columns, rows);
  return Array.from({ length: n }, (_, agent) => [
    ((agent % columns) + 0.5 + (side - columns) / 2) / side,
    (Math.floor(agent / columns) + 0.5 + (side - rows) / 2) / side,
  ]);
}

/** The distance to the nearest other point, over some of the points: how large nodes may be. */
function smallestDistance(points) {
  let best = Infinity;
  const every = Math.max(1, Math.floor(points.length / 300));
  for (let i = 0; i < points.length; i += every) {
    for (let j = 0; j < points.length; j++) {
      if (i !== j) best = Math.min(best, Math.hypot(points[i][0] - points[j][0], points[i][1] - points[j][1]));
    }
  }
  return Number.isFinite(best) ? best : 1;
}

export class GraphView {
  constructor(about, events) {
    this.n = Number(about.n);
    this.look = about.look;
    this.isRows = !about.positions;
    this.wraps = String(about.graph ?? "").startsWith("torus");
    const inside = GRAPH_SIDE - 2 * GRAPH_MARGIN;
    const points = about.positions ?? rowsOf(this.n);
    this.points = points.map(([x, y]) => [GRAPH_MARGIN + x * inside, GRAPH_MARGIN + y * inside]);
    const apart = smallestDistance(this.points);
    const crowded = lanesOf(this.look).length > 0 || Boolean(this.look?.bar);
    this.apart = Math.min(apart, 160);
    this.node = Math.max(2.5, Math.min(34, this.apart * (crowded ? 0.2 : this.isRows ? 0.28 : 0.24)));
    this.element = svgEl("svg", { viewBox: this.box(apart), class: `picture graph-picture${this.isRows ? " rows" : ""}`, role: "img" });
    this.arcs = svgEl("g", { class: "arcs" }, ...this.drawArcs(about.arcs ?? []));
    this.cuts = svgEl("g", { class: "cuts" });
    this.pair = svgEl("g", { class: "pair" });
    this.chosen = svgEl("circle", { class: "chosen", r: this.node + 6, visibility: "hidden" });
    this.agents = this.points.map(([x, y], agent) => {
      const group = svgEl("g", { transform: `translate(${x.toFixed(2)} ${y.toFixed(2)})`, class: "agent", "data-agent": agent });
      group.append(svgEl("circle", { r: Math.max(8, this.node * 1.2), class: "hit" }), svgEl("g", {}));
      group.addEventListener("click", () => events.chooseAgent(agent));
      return group;
    });
    this.element.append(this.arcs, this.cuts, this.pair, ...this.agents, this.chosen);
    this.shown = new Array(this.n).fill(null);
  }

  /** The part of the drawing that holds agents. */
  box(apart) {
    const xs = this.points.map(([x]) => x);
    const ys = this.points.map(([, y]) => y);
    const room = Math.max(GRAPH_MARGIN, Math.min(90, apart * 0.6));
    const [left, top] = [Math.min(...xs) - room, Math.min(...ys) - room];
    return `${left.toFixed(0)} ${top.toFixed(0)} ${(Math.max(...xs) + room - left).toFixed(0)} ${(Math.max(...ys) + room - top).toFixed(0)}`;
  }

  drawArcs(arcs) {
    return arcs.map(([i, j]) => svgEl("path", { d: this.arcPath(i, j), class: "arc" }));
  }

  /** A straight line; arcs of a torus that go around the edge are stubs at both ends. */
  arcPath(i, j) {
    const [a, b] = [this.points[i], this.points[j]];
    const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
    const text = (x, y) => `${x.toFixed(1)} ${y.toFixed(1)}`;
    if (this.wraps && Math.hypot(dx, dy) > GRAPH_SIDE * 0.5) {
      const reach = Math.min(30, this.node * 2.6);
      const [ux, uy] = [-Math.sign(Math.round(dx)) * reach, -Math.sign(Math.round(dy)) * reach];
      return `M${text(...a)}L${text(a[0] + ux, a[1] + uy)}M${text(...b)}L${text(b[0] - ux, b[1] - uy)}`;
    }
    return `M${text(...a)}L${text(...b)}`;
  }

  layout() {
    const { node, apart } = this;
    const size = Math.max(7, Math.min(node * 1.25, apart * 0.3));
    return {
      radius: node,
      crown: [0, -(node * 1.28 + size * 0.58), size],
      mark: (number, lanes) => {
        const room = Math.min(apart * 0.74, lanes * apart * 0.22);
        const mark = Math.max(5, Math.min(apart * 0.18, (room / lanes) * 0.95));
        return [lanes > 1 ? room * (number / (lanes - 1) - 0.5) : 0, node * 1.3 + mark * 0.75, mark];
      },
      shield: (hue) => {
        const reach = node * 1.28 + 2;
        return svgEl("path", { d: `M${-reach} 0A${reach} ${reach} 0 0 1 ${reach} 0`, class: `shield-arc ${hue}` });
      },
      bar: (value) => [
        svgEl("rect", { x: node * 1.5, y: -node, width: node * 0.3, height: 2 * node, class: "bar-track-box" }),
        svgEl("rect", { x: node * 1.5, y: (node - 2 * node * value).toFixed(2), width: node * 0.3, height: (2 * node * value).toFixed(2), class: "bar" }),
      ],
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
    this.cuts.replaceChildren(...(frame.cuts ?? []).map(([i, j]) => svgEl("path", { d: this.arcPath(i, j), class: "cut-arc" })));
    this.drawChosen(chosen);
    const sentence = `${grouped(this.n)} agents, ${grouped(frame.leaders)} of them leading, step ${grouped(frame.step)}`;
    if (this.element.getAttribute("aria-label") !== sentence) this.element.setAttribute("aria-label", sentence);
  }

  drawChosen(agent) {
    const point = agent === null || agent === undefined ? null : this.points[agent];
    if (!point) return this.chosen.setAttribute("visibility", "hidden");
    return setAttributes(this.chosen, { cx: point[0], cy: point[1], visibility: "visible" });
  }

  drawPair(pair) {
    const key = pair ? `${pair[0]} ${pair[1]}` : "";
    if (this.pairKey === key) return;
    this.pairKey = key;
    this.pair.replaceChildren();
    if (!pair) return;
    const arc = svgEl("path", { d: this.arcPath(...pair), class: "pair-arc" });
    this.pair.append(arc, this.apart > 20 ? arrowOn(arc) : "");
    pair.forEach((agent, side) => {
      const [cx, cy] = this.points[agent];
      this.pair.append(svgEl("circle", { cx, cy, r: (this.node * 1.28 + 3).toFixed(1), class: side ? "pair-end responder" : "pair-end" }));
    });
  }
}

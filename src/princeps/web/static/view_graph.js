// Agents at points of the plane with the arcs between them: graphs, grids and tori, and small populations in which
// everybody may meet everybody (in rows, without arcs).

import { AgentsPicture } from "./agents_picture.js";
import { lanesOf } from "./agent_glyph.js";
import { svgEl } from "./dom.js";

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

export class GraphView extends AgentsPicture {
  constructor(about, events) {
    const inside = GRAPH_SIDE - 2 * GRAPH_MARGIN;
    const points = (about.positions ?? rowsOf(Number(about.n))).map(([x, y]) => [GRAPH_MARGIN + x * inside, GRAPH_MARGIN + y * inside]);
    const apart = Math.min(160, smallestDistance(points));
    const isCrowded = lanesOf(about.look).length > 0 || Boolean(about.look?.bar);
    super(about, points, Math.max(2.5, Math.min(34, apart * (isCrowded ? 0.19 : about.positions ? 0.24 : 0.28))));
    this.apart = apart;
    this.wraps = String(about.graph ?? "").startsWith("torus");
    const arcs = svgEl("g", { class: "arcs" }, ...(about.arcs ?? []).map(([i, j]) => svgEl("path", { d: this.arcPath(i, j), class: "arc" })));
    this.compose({ viewBox: this.box(), class: `picture graph-picture${about.positions ? "" : " rows"}` }, events, [arcs]);
  }

  placeOf(agent) {
    const [x, y] = this.points[agent];
    return `translate(${x.toFixed(2)} ${y.toFixed(2)})`;
  }

  /** The part of the drawing that holds agents. */
  box() {
    const xs = this.points.map(([x]) => x);
    const ys = this.points.map(([, y]) => y);
    const room = Math.max(GRAPH_MARGIN, Math.min(90, this.apart * 0.6));
    const [left, top] = [Math.min(...xs) - room, Math.min(...ys) - room];
    return `${left.toFixed(0)} ${top.toFixed(0)} ${(Math.max(...xs) + room - left).toFixed(0)} ${(Math.max(...ys) + room - top).toFixed(0)}`;
  }

  /** A straight line; arcs of a torus that go around the edge are stubs at both ends. */
  arcPath(i, j) {
    const [a, b] = [this.points[i], this.points[j]];
    const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
    const text = (x, y) => `${x.toFixed(1)} ${y.toFixed(1)}`;
    if (this.wraps && Math.hypot(dx, dy) > GRAPH_SIDE * 0.5) {
      const reach = this.node * 1.28 + Math.min(24, this.apart * 0.25);
      const [ux, uy] = [-Math.sign(Math.round(dx)) * reach, -Math.sign(Math.round(dy)) * reach];
      return `M${text(...a)}L${text(a[0] + ux, a[1] + uy)}M${text(b[0] - ux, b[1] - uy)}L${text(...b)}`;
    }
    return `M${text(...a)}L${text(...b)}`;
  }

  /** The crown above the node, the bar beside it, and below it the marks that this state has, in a row. */
  layout() {
    const { node, apart } = this;
    const crown = Math.max(7, Math.min(node * 1.35, apart * 0.3));
    return {
      radius: node,
      crown: [0, -(node * 1.28 + crown * 0.58), crown],
      mark: (lane, place, of) => {
        const size = Math.max(5, Math.min(apart * 0.2, (apart * 0.92) / of));
        return [(place - (of - 1) / 2) * size * 1.08, node * 1.3 + size * 0.66, size];
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
    super.draw(frame, coloring, chosen);
    this.describe("", frame);
  }

  pairPath(pair) {
    return this.arcPath(...pair);
  }

  hasArrow() {
    return this.apart > 20;
  }

  cutMark(i, j) {
    return svgEl("path", { d: this.arcPath(i, j), class: "cut-arc" });
  }
}

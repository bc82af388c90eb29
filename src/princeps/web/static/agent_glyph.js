// One agent in a picture: its node, its crown, its marks, its bar. The place of each part is a layout, which the views
// make; what is drawn depends on the state alone. A state is drawn once and then copied, since most agents share few.

import { svgEl } from "./dom.js";
import { glyphPath, laneKey } from "./glyphs.js";
import { markClass } from "./palette.js";

/** A path scaled to `size` at (x, y). */
export function glyphAt(shape, x, y, size, className) {
  const place = `translate(${x.toFixed(2)} ${y.toFixed(2)}) scale(${(size / 2).toFixed(3)})`;
  return svgEl("path", { d: glyphPath(shape), transform: place, class: `glyph ${className}`, "fill-rule": "evenodd" });
}

/** A small arrow in the middle of a path, in its direction. */
export function arrowOn(path) {
  const length = path.getTotalLength?.() ?? 0;
  const [a, b] = [path.getPointAtLength(length / 2 - 1), path.getPointAtLength(length / 2 + 1)];
  const turn = (Math.atan2(b.y - a.y, b.x - a.x) * 180) / Math.PI;
  return svgEl("path", { d: "M11 0-8 9-3 0-8-9Z", class: "pair-arrow", transform: `translate(${(a.x + b.x) / 2} ${(a.y + b.y) / 2}) rotate(${turn.toFixed(1)})` });
}

/** The lanes of a look's marks, shields aside, which are drawn around the node. */
export function lanesOf(look) {
  const lanes = [];
  for (const mark of look?.marks ?? []) {
    const key = laneKey(mark.shape);
    if (key !== "shield" && !lanes.includes(key)) lanes.push(key);
  }
  return lanes;
}

/** Draws states as groups of SVG. layout: {radius, crown: [x, y, size], mark(lane, place, of) -> [x, y, size],
 * shield(hue), bar(value)}: a mark has a lane, which it shares with few, and a place among those that the state has. */
export class AgentGlyphs {
  constructor(look, layout, coloring) {
    this.look = look;
    this.layout = layout;
    this.coloring = coloring;
    this.lanes = lanesOf(look);
    this.made = new Map();
  }

  /** A copy of the picture of this state. */
  copyOf(number, state, dead) {
    const key = dead ? `dead ${number}` : number;
    let made = this.made.get(key);
    if (!made) {
      if (this.made.size > 4000) this.made.clear();
      made = this.draw(state, dead);
      this.made.set(key, made);
    }
    return made.cloneNode(true);
  }

  draw(state, dead) {
    const { radius } = this.layout;
    const group = svgEl("g", { class: dead ? "agent-body dead" : "agent-body" });
    if (this.look?.bar && state.bar !== null && state.bar !== undefined) group.append(...this.layout.bar(state.bar));
    const crowned = Boolean(state.crown);
    if (crowned) group.append(svgEl("circle", { r: (radius * 1.28).toFixed(2), class: "halo" }));
    group.append(svgEl("circle", { r: radius.toFixed(2), class: `node ${this.coloring.classOf(state)}` }));
    if (dead) group.append(glyphAt("cross", 0, 0, radius * 1.6, "dead-mark"));
    if (crowned) group.append(glyphAt("crown", ...this.layout.crown, "crown"));
    const marks = (state.marks ?? []).map((number) => this.look.marks[number]).filter(Boolean);
    const shields = marks.filter((mark) => mark.shape === "shield");
    const others = marks.filter((mark) => mark.shape !== "shield");
    group.append(...shields.map((mark) => this.layout.shield(markClass(mark.hue))));
    others.forEach((mark, place) => {
      const lane = this.lanes.indexOf(laneKey(mark.shape));
      group.append(glyphAt(mark.shape, ...this.layout.mark(lane, place, others.length), `mark ${markClass(mark.hue)}`));
    });
    return group;
  }
}

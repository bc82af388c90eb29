// The occupied states as bars, the commonest first; the only picture of populations whose agents have no numbers.

import { el } from "./dom.js";
import { setText } from "./dom.js";
import { grouped } from "./numbers.js";

const MOST_BARS = 64;

/** How long a bar is, between 0 and 1. */
export function barShare(count, all, isLogarithmic) {
  if (!isLogarithmic) return Number((BigInt(count) * 1000000n) / (BigInt(all) || 1n)) / 1e6;
  const digits = (text) => Math.log10(Number(text) + 1);
  return digits(all) ? digits(count) / digits(all) : 0;
}

export class CountsView {
  constructor(about) {
    this.n = String(about.n);
    this.isLogarithmic = this.n.length > 6;
    this.logarithmic = el("input", { type: "checkbox", id: "logarithmic", onchange: () => this.redraw() });
    this.logarithmic.checked = this.isLogarithmic;
    this.title = el("h3", {}, "Occupied states");
    this.rows = [];
    this.drawsShapes = false;
    this.list = el("ol", { class: "bars", "aria-label": "agents in each state, the commonest first" });
    this.rest = el("p", { class: "bars-rest" });
    this.element = el(
      "div",
      { class: "picture counts-picture" },
      el("div", { class: "bars-head" }, this.title, el("label", { class: "tick" }, this.logarithmic, " logarithmic")),
      this.list,
      this.rest,
    );
  }

  redraw() {
    this.isLogarithmic = this.logarithmic.checked;
    if (this.last) this.draw(...this.last);
  }

  row(place) {
    while (this.rows.length <= place) {
      const name = el("span", { class: "bar-name" });
      const fill = el("span", { class: "bar-fill" });
      const count = el("span", { class: "bar-count" });
      const element = el("li", {}, name, el("span", { class: "bar-room" }, fill), count);
      this.rows.push({ element, name, fill, count, hue: "" });
      this.list.append(element);
    }
    return this.rows[place];
  }

  draw(frame, coloring) {
    this.last = [frame, coloring];
    const bars = (frame.bars ?? []).slice(0, MOST_BARS);
    bars.forEach(([number, count], place) => {
      const row = this.row(place);
      const state = frame.states[number];
      const hue = coloring.classOf(state);
      setText(row.name, state?.t ?? "");
      setText(row.count, grouped(count));
      row.fill.style.width = `${(100 * barShare(count, this.n, this.isLogarithmic)).toFixed(3)}%`;
      if (row.hue !== hue) row.fill.className = `bar-fill ${hue}`;
      row.hue = hue;
      row.element.hidden = false;
      row.element.classList.toggle("leads", Boolean(state?.crown));
    });
    for (let place = bars.length; place < this.rows.length; place++) this.rows[place].element.hidden = true;
    const others = frame.others ?? "0";
    setText(this.rest, others === "0" ? "" : `and ${grouped(others)} agents in other states`);
    setText(this.title, bars.length === 1 ? "One occupied state" : `${bars.length}${others === "0" ? "" : "+"} occupied states`);
  }
}

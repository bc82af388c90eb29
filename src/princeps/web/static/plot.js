// Leaders over time with marks, branches as thin lines, and the present step; below it the slider over the whole run,
// which has the same scale.

import { atMostEvery } from "./dom.js";
import { el } from "./dom.js";
import { svgEl } from "./dom.js";
import { fractionOf } from "./numbers.js";
import { grouped } from "./numbers.js";
import { shortNumber } from "./numbers.js";
import { stepAt } from "./numbers.js";

const PLOT_HEIGHT = 92;
const PLOT_TOP = 10;
const PLOT_BOTTOM = 14; // the band of marks
const PLOT_LEFT = 54;
const PLOT_RIGHT = 10;
const SLIDER_STEPS = 10000;
const MARK_WORDS = { leaders: "leader change", goal: "goal", fault: "attack" };

/** Points of the curve, with the exact steps at which marks say that the number of leaders changed. */
function curveOf(branch) {
  const told = (branch.marks ?? [])
    .filter(([, kind, text]) => kind === "leaders" && /^[\d,]+ leaders?$/.test(text))
    .map(([step, , text]) => [step, text.replace(/\D/g, "")]);
  if (!told.length) return branch.points;
  const all = [...branch.points, ...told].map((point) => [BigInt(point[0]), point]);
  return all.sort((a, b) => (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0)).map(([, point]) => point);
}

export class Plot {
  constructor(app) {
    this.app = app;
    this.series = [];
    this.step = "0";
    this.end = "0";
    this.still = svgEl("g", {});
    this.cursor = svgEl("line", { class: "now", y1: PLOT_TOP - 6, y2: PLOT_HEIGHT });
    this.svg = svgEl("svg", { class: "plot", height: PLOT_HEIGHT, role: "img", "aria-label": "Leaders over time" }, this.still, this.cursor);
    this.slider = el("input", { type: "range", class: "whole-run", min: "0", max: String(SLIDER_STEPS), value: "0", "aria-label": "Position in the run" });
    this.svg.addEventListener("pointerdown", (event) => this.drag(event));
    this.slider.addEventListener("input", () => this.seek(Number(this.slider.value) / Number(this.slider.max)));
    this.element = el("div", { class: "timeline" }, this.svg, this.slider);
    this.refresh = atMostEvery(700, () => this.load());
    this.goSoon = atMostEvery(60, (step) => this.app.goTo(step));
    new ResizeObserver(() => this.drawStill()).observe(this.element);
  }

  showAbout() {
    this.series = [];
    this.refresh();
  }

  async load() {
    try {
      const answer = await this.app.source.do("series");
      this.series = answer.branches ?? [];
      this.app.showSeries(this.series);
      this.drawStill();
    } catch {
      // a server that is gone says so elsewhere
    }
  }

  showStatus(status) {
    const changed = status.end !== this.end || status.branch !== this.branch;
    this.end = status.end;
    this.branch = status.branch;
    this.step = this.app.shownStep;
    if (changed) this.refresh();
    if (changed && BigInt(this.end) > this.furthest()) this.drawStill();
    this.drawNow();
  }

  showFrame() {
    this.step = this.app.shownStep;
    this.drawNow();
  }

  /** The scale reaches to the end of the longest branch. */
  furthest() {
    const ends = [BigInt(this.end), ...this.series.map((branch) => BigInt(branch.end))];
    return ends.reduce((most, end) => (end > most ? end : most), 0n);
  }

  width() {
    return Math.max(200, this.element.clientWidth);
  }

  x(step) {
    return PLOT_LEFT + (this.width() - PLOT_LEFT - PLOT_RIGHT) * fractionOf(step, this.furthest());
  }

  y(leaders) {
    const room = PLOT_HEIGHT - PLOT_TOP - PLOT_BOTTOM;
    return PLOT_TOP + room * (1 - this.height(Number(leaders)));
  }

  /** Logarithmic above 20, so that the last few leaders remain visible. */
  height(leaders) {
    return this.isLogarithmic ? Math.log1p(leaders) / Math.log1p(this.most) : leaders / this.most;
  }

  drawNow() {
    const x = this.x(this.step).toFixed(1);
    if (this.nowAt !== x) this.cursor.setAttribute("transform", `translate(${x} 0)`);
    this.nowAt = x;
    if (document.activeElement !== this.slider || !this.dragged) this.slider.value = String(Math.round(fractionOf(this.step, this.furthest()) * SLIDER_STEPS));
    this.slider.setAttribute("aria-valuetext", `step ${grouped(this.step)} of ${grouped(this.furthest())}`);
  }

  drawStill() {
    const width = this.width();
    this.svg.setAttribute("viewBox", `0 0 ${width} ${PLOT_HEIGHT}`);
    this.svg.setAttribute("width", width);
    const all = this.series.flatMap((branch) => branch.points.map((point) => Number(point[1])));
    this.most = Math.max(2, ...all);
    this.isLogarithmic = this.most > 20;
    const parts = this.grid(width);
    for (const branch of this.series) if (branch.number !== this.branch) parts.push(this.line(branch, "ghost"));
    const present = this.series.find((branch) => branch.number === this.branch);
    if (present) parts.push(this.line(present, "present"), ...this.marks(present));
    this.still.replaceChildren(...parts);
    this.nowAt = null;
    this.drawNow();
  }

  grid(width) {
    const values = this.isLogarithmic ? [1, ...(this.most >= 100 ? [Math.round(Math.sqrt(this.most))] : []), this.most] : [...new Set([...(this.most <= 4 ? [0] : []), 1, this.most])];
    const title = svgEl("text", { transform: `translate(11 ${PLOT_HEIGHT / 2}) rotate(-90)`, class: "axis axis-title" }, "leaders");
    return values.flatMap((value) => [
      svgEl("line", { x1: PLOT_LEFT, x2: width - PLOT_RIGHT, y1: this.y(value), y2: this.y(value), class: value === 1 ? "grid one" : "grid" }),
      svgEl("text", { x: PLOT_LEFT - 8, y: this.y(value) + 4, class: "axis" }, shortNumber(value)),
    ]).concat(title);
  }

  line(branch, name) {
    let path = "";
    let height = null;
    for (const [step, leaders] of curveOf(branch)) {
      const [x, y] = [this.x(step).toFixed(1), this.y(leaders).toFixed(1)];
      path += height === null ? `M${x} ${y}` : `H${x}V${y}`;
      height = y;
    }
    if (height !== null) path += `H${this.x(branch.end).toFixed(1)}`;
    return svgEl("path", { d: path, class: `curve ${name}` }, svgEl("title", {}, `branch ${branch.number}: ${branch.what ?? ""}`));
  }

  /** Leader changes as ticks, goals as flags, attacks as crosses, in a band below the curve. */
  marks(branch) {
    const y = PLOT_HEIGHT - 5;
    return (branch.marks ?? []).slice(0, 600).map(([step, kind, text]) => {
      const x = this.x(step).toFixed(1);
      const shape = { leaders: `M${x} ${y - 3}V${y + 3}`, goal: `M${x} ${y - 5}l5 2.5-5 2.5ZM${x} ${y - 5}V${y + 4}`, fault: `M${x - 3.5} ${y - 3.5}l7 7m0-7-7 7` }[kind];
      const said = `step ${grouped(step)}: ${MARK_WORDS[kind] ?? kind}${text ? `, ${text}` : ""}`;
      return svgEl("path", { d: shape ?? `M${x} ${y - 3}V${y + 3}`, class: `tick-mark ${kind}` }, svgEl("title", {}, said));
    });
  }

  drag(event) {
    const move = (moved) => {
      const box = this.svg.getBoundingClientRect();
      this.seek((moved.clientX - box.left - PLOT_LEFT) / (box.width - PLOT_LEFT - PLOT_RIGHT));
    };
    move(event);
    this.svg.setPointerCapture?.(event.pointerId);
    this.svg.addEventListener("pointermove", move);
    this.svg.addEventListener("pointerup", () => this.svg.removeEventListener("pointermove", move), { once: true });
    this.svg.addEventListener("pointercancel", () => this.svg.removeEventListener("pointermove", move), { once: true });
  }

  seek(fraction) {
    const wanted = stepAt(fraction, this.furthest());
    const end = BigInt(this.end);
    this.goSoon(wanted > end ? end : wanted);
  }
}

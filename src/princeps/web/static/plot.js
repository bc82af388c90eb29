// Leaders, or other counts, over time with marks, branches as thin lines, and the present step; below it the slider over
// the whole run, which has the same scale.

import { atMostEvery } from "./dom.js";
import { el } from "./dom.js";
import { labelled } from "./dom.js";
import { svgEl } from "./dom.js";
import { fractionOf } from "./numbers.js";
import { shortNumber } from "./numbers.js";
import { stepAt } from "./numbers.js";
import { ALL_COUNTS } from "./plot_counts.js";
import { curvesOf } from "./plot_counts.js";
import { LEADERS } from "./plot_counts.js";
import { plotChoices } from "./plot_counts.js";
import { markElement } from "./plot_marks.js";
import { marksAreMissing } from "./plot_marks.js";
import { shownMarks } from "./plot_marks.js";
import { RunSlider } from "./run_slider.js";

const PLOT_HEIGHT = 92;
const PLOT_TOP = 10;
const PLOT_BOTTOM = 14; // the band of marks
const PLOT_LEFT = 54;
const PLOT_RIGHT = 10;
const MANY = 20; // agents, above which a plot may be logarithmic

export class Plot {
  constructor(app) {
    this.app = app;
    Object.assign(this, { series: [], step: "0", end: "0", choice: LEADERS, curves: [], wide: 0 });
    this.still = svgEl("g", {});
    this.cursor = svgEl("line", { class: "now", y1: PLOT_TOP - 6, y2: PLOT_HEIGHT });
    this.svg = svgEl("svg", { class: "plot", height: PLOT_HEIGHT, role: "img" }, this.still, this.cursor);
    this.svg.addEventListener("pointerdown", (event) => this.drag(event));
    this.slider = new RunSlider((step) => this.go(step));
    this.select = el("select", { "aria-label": "Plot", onchange: () => this.choose(this.select.value) });
    this.chooser = labelled("Plot", this.select);
    this.legend = el("ul", { class: "plot-legend" });
    this.note = el("span", { class: "plot-note", hidden: true }, "Some changes are not marked.");
    this.isLog = el("input", { type: "checkbox", onchange: () => this.drawStill() });
    this.logTick = el("label", { class: "tick" }, this.isLog, "logarithmic");
    this.head = el("div", { class: "plot-head" }, this.chooser, this.logTick, this.legend, this.note);
    this.element = el("div", { class: "timeline" }, this.head, this.svg, this.slider.element);
    this.refresh = atMostEvery(700, () => this.load());
    this.goSoon = atMostEvery(60, (step) => this.app.goTo(step));
    new ResizeObserver(() => this.resize()).observe(this.element);
  }

  showAbout(about) {
    this.series = [];
    this.about = about;
    const choices = plotChoices(about);
    this.select.replaceChildren(...choices.map((name) => el("option", { value: name }, name)));
    this.chooser.hidden = choices.length < 2;
    this.isLog.checked = about.elects !== false; // of an election the last few count, of an epidemic its growth
    this.choose(LEADERS);
    this.refresh();
  }

  choose(choice) {
    this.choice = choice;
    this.curves = curvesOf(this.about, choice);
    const named = choice === ALL_COUNTS ? this.curves : [];
    this.legend.replaceChildren(...named.map((curve) => el("li", { class: curve.className }, curve.name)));
    this.svg.setAttribute("aria-label", `${choice === LEADERS ? "Leaders" : choice} over time`);
    this.drawStill();
  }

  async load() {
    try {
      const answer = await this.app.source.do("series");
      this.series = answer.branches;
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

  /** Asked for once and kept: with every frame it would make the browser lay out the page before its time. */
  width() {
    this.wide ||= this.element.clientWidth; // 0 while the run is hidden
    return Math.max(200, this.wide);
  }

  resize() {
    this.wide = this.element.clientWidth;
    this.drawStill();
  }

  x(step) {
    return PLOT_LEFT + (this.width() - PLOT_LEFT - PLOT_RIGHT) * fractionOf(step, this.furthest());
  }

  y(count) {
    const room = PLOT_HEIGHT - PLOT_TOP - PLOT_BOTTOM;
    return PLOT_TOP + room * (1 - this.height(Number(count)));
  }

  /** Logarithmic above 20 if wanted, so that the last few remain visible. */
  height(count) {
    return this.isLogarithmic ? Math.log1p(count) / Math.log1p(this.most) : count / this.most;
  }

  drawNow() {
    const x = this.x(this.step).toFixed(1);
    if (this.nowAt !== x) this.cursor.setAttribute("transform", `translate(${x} 0)`);
    this.nowAt = x;
    this.slider.show(this.step, this.furthest());
  }

  drawStill() {
    const width = this.width();
    this.svg.setAttribute("viewBox", `0 0 ${width} ${PLOT_HEIGHT}`);
    this.svg.setAttribute("width", width);
    const present = this.series.find((branch) => branch.number === this.branch);
    const ghosts = this.choice === ALL_COUNTS ? [] : this.series.filter((branch) => branch !== present);
    this.scale([...ghosts, ...(present ? [present] : [])]);
    const parts = this.grid(width);
    for (const branch of ghosts) parts.push(this.line(branch, this.curves[0], "ghost"));
    if (present) {
      parts.push(...this.curves.map((curve) => this.line(present, curve, curve.className)));
      parts.push(...shownMarks(present).map((mark) => markElement(mark, this.x(mark[0]).toFixed(1), PLOT_HEIGHT - 5)));
    }
    this.note.hidden = !present || !marksAreMissing(present);
    this.head.hidden = this.chooser.hidden && this.note.hidden && this.logTick.hidden;
    this.still.replaceChildren(...parts);
    this.nowAt = null;
    this.drawNow();
  }

  scale(branches) {
    this.most = 2;
    for (const branch of branches) {
      for (const curve of this.curves) for (const [, count] of curve.pointsOf(branch)) this.most = Math.max(this.most, Number(count));
    }
    this.logTick.hidden = this.most <= MANY;
    this.isLogarithmic = this.most > MANY && this.isLog.checked;
  }

  /** Heights at which there is a line with a number. */
  gridValues() {
    if (!this.isLogarithmic && this.most > MANY) return [0, Math.round(this.most / 2), this.most];
    if (!this.isLogarithmic) return [...new Set([...(this.most <= 4 ? [0] : []), 1, this.most])];
    return [1, ...(this.most >= 100 ? [Math.round(Math.sqrt(this.most))] : []), this.most];
  }

  grid(width) {
    const turned = { transform: `translate(11 ${PLOT_HEIGHT / 2}) rotate(-90)`, class: "axis axis-title" };
    const title = svgEl("text", turned, this.choice === ALL_COUNTS ? "agents" : this.choice);
    const lines = this.gridValues().flatMap((value) => {
      const y = this.y(value);
      return [
        svgEl("line", { x1: PLOT_LEFT, x2: width - PLOT_RIGHT, y1: y, y2: y, class: value === 1 ? "grid one" : "grid" }),
        svgEl("text", { x: PLOT_LEFT - 8, y: y + 4, class: "axis" }, shortNumber(value)),
      ];
    });
    return [...lines, title];
  }

  line(branch, curve, className) {
    let path = "";
    for (const [step, count] of curve.pointsOf(branch)) {
      const [x, y] = [this.x(step).toFixed(1), this.y(count).toFixed(1)];
      path += path === "" ? `M${x} ${y}` : `H${x}V${y}`;
    }
    if (path !== "") path += `H${this.x(branch.end).toFixed(1)}`;
    const said = `${curve.name}, branch ${branch.number}${branch.what ? `: ${branch.what}` : ""}`;
    return svgEl("path", { d: path, class: `curve ${className}` }, svgEl("title", {}, said));
  }

  drag(event) {
    const move = (moved) => {
      const box = this.svg.getBoundingClientRect();
      const fraction = (moved.clientX - box.left - PLOT_LEFT) / (box.width - PLOT_LEFT - PLOT_RIGHT);
      this.go(stepAt(fraction, this.furthest()));
    };
    const stop = () => this.svg.removeEventListener("pointermove", move);
    move(event);
    this.svg.setPointerCapture?.(event.pointerId);
    this.svg.addEventListener("pointermove", move);
    this.svg.addEventListener("pointerup", stop, { once: true });
    this.svg.addEventListener("pointercancel", stop, { once: true });
  }

  /** To a step, or to the end of this branch, which may be shorter than another one; what is gone to. */
  go(step) {
    const end = BigInt(this.end);
    const found = step > end ? end : step;
    this.goSoon(found);
    return found;
  }
}

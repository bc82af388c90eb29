// The slider over the whole run. In a run of few steps a notch is a step, so that arrow keys go from one to the next.

import { el } from "./dom.js";
import { fractionOf } from "./numbers.js";
import { grouped } from "./numbers.js";
import { stepAt } from "./numbers.js";

const MOST_NOTCHES = 10000;
const PATIENCE = 1500; // milliseconds in which the step that was gone to should be shown

export class RunSlider {
  /** `goTo` takes a step and gives the step that is really gone to. */
  constructor(goTo) {
    this.goTo = goTo;
    this.wanted = null; // the step on the way to which the slider stays where the person has put it
    this.element = el("input", { type: "range", class: "whole-run", min: "0", max: "1", value: "0", "aria-label": "Position in the run" });
    this.element.addEventListener("input", () => this.move());
  }

  move() {
    const { value, max } = this.element;
    this.wanted = this.goTo(stepAt(Number(value) / Number(max), this.end));
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.settle(), PATIENCE);
  }

  /** An engine may have gone to a step nearby. */
  settle() {
    this.wanted = null;
    this.show(this.step, this.end);
  }

  show(step, end) {
    this.step = step;
    this.end = BigInt(end);
    const notches = this.end < MOST_NOTCHES ? Math.max(1, Number(this.end)) : MOST_NOTCHES;
    if (this.wanted === BigInt(step)) this.wanted = null;
    if (this.wanted === null) {
      if (this.element.max !== String(notches)) this.element.max = String(notches);
      this.element.value = String(Math.round(fractionOf(step, end) * notches));
    }
    this.element.setAttribute("aria-valuetext", `step ${grouped(step)} of ${grouped(end)}`);
  }
}

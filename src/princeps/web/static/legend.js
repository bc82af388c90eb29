// What shapes and colours mean, and the choice of what agents are coloured by.

import { el } from "./dom.js";
import { svgEl } from "./dom.js";
import { colorChoices } from "./coloring.js";
import { glyphPath } from "./glyphs.js";
import { markClass } from "./palette.js";
import { sameChoice } from "./coloring.js";
import { classesOfPixels } from "./view_pixels.js";

const ONE_COLOUR = "This recording keeps one colour of each agent, not its state: so many agents in other states would not fit into one page.";

/** A small picture beside a word. */
function swatchOf(viewBox, ...parts) {
  return svgEl("svg", { viewBox, class: "swatch", "aria-hidden": "true" }, parts);
}

function swatch(className) {
  return swatchOf("-1 -1 2 2", svgEl("circle", { r: 0.8, class: `node ${className}` }));
}

function shapeOf(shape, className) {
  const drawn = { d: glyphPath(shape), class: `glyph ${className}`, "fill-rule": "evenodd" };
  return swatchOf("-1.1 -1.1 2.2 2.2", svgEl("path", drawn));
}

export class Legend {
  constructor(app) {
    this.app = app;
    this.select = el("select", { onchange: () => app.chooseColor(this.choices[Number(this.select.value)]) });
    this.list = el("ul", { class: "legend-list" });
    this.chooser = el("label", { class: "labelled" }, el("span", {}, "Colour by"), this.select);
    this.element = el("div", { class: "legend" }, this.chooser, this.list);
  }

  showAbout(about) {
    this.about = about;
    this.choices = colorChoices(about);
    const group = (by, name) => {
      const options = this.choices.map((choice, place) => [choice, place]).filter(([choice]) => choice.by === by);
      const items = options.map(([choice, place]) => el("option", { value: place }, choice.name));
      return items.length ? el("optgroup", { label: name }, items) : null;
    };
    this.select.replaceChildren(...[group("predicate", "predicates"), group("field", "fields")].filter(Boolean));
    this.chooser.hidden = this.choices.length === 0 || about.kind === "ring";
    this.key = null;
  }

  /** Written anew when the choice or the classes of a frame of pixels change. */
  showColors(coloring, frame, drawsShapes = true) {
    const classes = frame?.kind === "pixels" ? frame.classes : null;
    const key = JSON.stringify([coloring.choice, classes, drawsShapes]);
    if (key === this.key) return;
    this.key = key;
    const isFixed = Boolean(classes) && this.app.source.isRecorded;
    this.select.disabled = isFixed;
    this.select.title = isFixed ? ONE_COLOUR : "";
    this.select.value = String(this.choices.findIndex((choice) => sameChoice(choice, coloring.choice)));
    const look = this.about.look ?? {};
    const entries = classes
      ? classesOfPixels(classes, coloring).map((className, place) => ({ className, label: classes[place].label }))
      : coloring.classes();
    const isRing = this.about.kind === "ring";
    const items = isRing ? this.ringItems() : entries.map((entry) => el("li", {}, swatch(entry.className), entry.label));
    if (coloring.isRamp && !classes && items.length) items[0].classList.add("ramp-first");
    if (drawsShapes) {
      items.push(el("li", {}, shapeOf("crown", "crown"), "leads"));
      for (const mark of look.marks ?? []) {
        items.push(el("li", {}, shapeOf(mark.shape, markClass(mark.hue)), mark.label));
      }
      if (look.bar && !isRing) {
        const bar = svgEl("rect", { x: 7, y: 3, width: 6, height: 14, rx: 1, class: "bar" });
        items.push(el("li", {}, swatchOf("0 0 20 20", bar), look.bar.label ?? look.bar.field));
      }
    }
    this.list.replaceChildren(...items);
  }

  ringItems() {
    const dot = (name) => swatchOf("-12 -12 24 24", svgEl("circle", { r: 9, class: `process ${name}` }));
    const box = { x: -11, y: -6, width: 22, height: 12, rx: 6 };
    const capsule = (name) => swatchOf("-12 -12 24 24", svgEl("g", { class: `capsule ${name}` }, svgEl("rect", box)));
    return [
      el("li", {}, dot("not-started"), "not started"),
      el("li", {}, dot(""), "runs"),
      el("li", {}, dot("acted"), "acted last"),
      el("li", {}, dot("halted"), "halted"),
      el("li", {}, capsule("forward"), "message, clockwise"),
      this.about.bidirectional === false ? null : el("li", {}, capsule("backward"), "message, anticlockwise"),
    ].filter(Boolean);
  }
}

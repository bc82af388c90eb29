// One pixel an agent, row by row: populations of more than 500. The picture is an image buffer that is filled by table
// look-up (10^6 agents: about 1 ms) and scaled by the browser without smoothing.

import { atMostEvery } from "./dom.js";
import { el } from "./dom.js";
import { grouped } from "./numbers.js";
import { hueClass } from "./palette.js";
import { pixelOfClass } from "./palette.js";
import { rampClass } from "./palette.js";

const MANY_CLASSES = 9; // more classes than hues lie on the ramp

/** The class of the style sheet for each colour class of a frame of pixels, as agents that are drawn one by one have it. */
export function classesOfPixels(classes, coloring) {
  if (classes.length > MANY_CLASSES) return classes.map((_, place) => rampClass(Math.round((place / (classes.length - 1)) * 15)));
  return classes.map((_, place) => hueClass(coloring.hueOf(place)));
}

export class PixelsView {
  constructor(about, events) {
    this.n = Number(about.n);
    this.canvas = el("canvas", { class: "picture pixels-picture", role: "img", tabindex: "-1" });
    this.cursor = el("div", { class: "pixel-cursor", hidden: true });
    this.element = el("div", { class: "pixels-frame" }, this.canvas, this.cursor);
    this.canvas.addEventListener("click", (event) => {
      const agent = this.agentAt(event);
      if (agent !== null) events.chooseAgent(agent);
    });
    this.width = 0;
    this.drawsShapes = false;
    this.describe = atMostEvery(500, (sentence) => this.canvas.setAttribute("aria-label", sentence));
  }

  agentAt(event) {
    const box = this.canvas.getBoundingClientRect();
    const column = Math.floor(((event.clientX - box.left) / box.width) * this.width);
    const row = Math.floor(((event.clientY - box.top) / box.height) * this.height);
    const agent = row * this.width + column;
    return agent >= 0 && agent < this.n && column < this.width ? agent : null;
  }

  resize(width) {
    if (this.width === width) return;
    this.width = width;
    this.height = Math.ceil(this.n / width);
    this.canvas.width = width;
    this.canvas.height = this.height;
    this.canvas.style.aspectRatio = `${width} / ${this.height}`;
    this.context = this.canvas.getContext("2d", { alpha: true });
    this.image = this.context.createImageData(width, this.height);
    this.pixels = new Uint32Array(this.image.data.buffer);
  }

  draw(frame, coloring, chosen) {
    this.resize(frame.width ?? Math.ceil(Math.sqrt(this.n)));
    if (frame.kind === "pixels") this.fillClasses(frame, coloring);
    else this.fillStates(frame, coloring);
    this.context.putImageData(this.image, 0, 0);
    this.drawChosen(chosen);
    this.describe(`${grouped(this.n)} agents as pixels, ${grouped(frame.leaders)} of them leading, step ${grouped(frame.step)}`);
  }

  /** The payload has one class an agent, or two agents a byte, the low half first: then both pixels are written at once. */
  fillClasses(frame, coloring) {
    const colors = new Uint32Array(256).fill(pixelOfClass(hueClass(0)));
    colors.set(classesOfPixels(frame.classes, coloring).map(pixelOfClass));
    const { pixels } = this;
    const { payload } = frame;
    if (frame.bits === 8) {
      for (let agent = 0; agent < this.n; agent++) pixels[agent] = colors[payload[agent]];
      return;
    }
    const both = new Uint32Array(512).map((_, place) => colors[place & 1 ? place >> 5 : (place >> 1) & 15]);
    const table = new BigUint64Array(both.buffer);
    const pairs = new BigUint64Array(pixels.buffer, 0, this.n >> 1);
    for (let place = 0; place < pairs.length; place++) pairs[place] = table[payload[place]];
    if (this.n & 1) pixels[this.n - 1] = colors[payload[this.n >> 1] & 15];
  }

  fillStates(frame, coloring) {
    const colors = new Map();
    const table = new Uint32Array(frame.states.length);
    frame.states.forEach((state, number) => {
      const name = coloring.classOf(state);
      if (!colors.has(name)) colors.set(name, pixelOfClass(name));
      table[number] = colors.get(name);
    });
    for (let agent = 0; agent < this.n; agent++) this.pixels[agent] = table[frame.ids[agent]];
  }

  drawChosen(agent) {
    const none = agent === null || agent === undefined || agent >= this.n;
    this.cursor.hidden = none;
    if (none) return;
    this.cursor.style.left = `${(100 * ((agent % this.width) + 0.5)) / this.width}%`;
    this.cursor.style.top = `${(100 * (Math.floor(agent / this.width) + 0.5)) / this.height}%`;
  }
}

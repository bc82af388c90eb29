// One pixel an agent, row by row: populations of more than 500. The picture is an image buffer that is filled by table
// look-up (10^6 agents: about 3 ms) and scaled by the browser without smoothing.

import { el } from "./dom.js";
import { grouped } from "./numbers.js";
import { hueClass } from "./palette.js";
import { pixelOfClass } from "./palette.js";
import { rampClass } from "./palette.js";

const MANY_CLASSES = 9; // more classes than hues lie on the ramp

/** The class of the style sheet for a colour class of a frame of pixels. */
export function classOfPixelClass(entry, place, all) {
  if (all.length > MANY_CLASSES) return rampClass(Math.round((place / (all.length - 1)) * 15));
  return hueClass(all.length === 2 || place === 0 ? place : place + 1);
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
    if (frame.kind === "pixels") this.fillClasses(frame);
    else this.fillStates(frame, coloring);
    this.context.putImageData(this.image, 0, 0);
    this.drawChosen(chosen);
    const sentence = `${grouped(this.n)} agents as pixels, ${grouped(frame.leaders)} of them leading, step ${grouped(frame.step)}`;
    if (this.canvas.getAttribute("aria-label") !== sentence) this.canvas.setAttribute("aria-label", sentence);
  }

  /** The payload has one class an agent, or two agents a byte, the low half first. */
  fillClasses(frame) {
    const colors = frame.classes.map((entry, place, all) => pixelOfClass(classOfPixelClass(entry, place, all)));
    const table = new Uint32Array(256).fill(colors[0] ?? 0);
    table.set(colors);
    const { pixels } = this;
    const { payload } = frame;
    if (frame.bits === 8) {
      for (let agent = 0; agent < this.n; agent++) pixels[agent] = table[payload[agent]];
      return;
    }
    const pairs = this.n >> 1;
    for (let place = 0, agent = 0; place < pairs; place++) {
      const two = payload[place];
      pixels[agent++] = table[two & 15];
      pixels[agent++] = table[two >> 4];
    }
    if (this.n & 1) pixels[this.n - 1] = table[payload[pairs] & 15];
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

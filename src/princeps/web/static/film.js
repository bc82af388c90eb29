// A film of what is shown, in the format that the browser can record. It follows the view that is open.

import { canBeDrawn } from "./pictures.js";
import { download } from "./pictures.js";
import { el } from "./dom.js";
import { paint } from "./pictures.js";
import { setText } from "./dom.js";

const FILM_FORMATS = { WebM: "video/webm", MP4: "video/mp4" };
const FILM_SIZE = 900; // pixels of the longer side
const FILM_PAUSE = 50; // milliseconds between two pictures

/** The name of the first format that this browser records, or null. */
export function filmFormat() {
  if (typeof MediaRecorder === "undefined" || !("captureStream" in HTMLCanvasElement.prototype)) return null;
  return Object.keys(FILM_FORMATS).find((name) => MediaRecorder.isTypeSupported(FILM_FORMATS[name])) ?? null;
}

/** Films until it is stopped; then the film is a file. */
class Film {
  constructor(app, format) {
    this.app = app;
    this.format = format;
    this.canvas = document.createElement("canvas");
    this.parts = [];
    this.isOn = false;
  }

  async start() {
    await paint(this.app.stage.view, this.canvas, FILM_SIZE);
    const type = FILM_FORMATS[this.format];
    this.recorder = new MediaRecorder(this.canvas.captureStream(1000 / FILM_PAUSE), { mimeType: type, videoBitsPerSecond: 4000000 });
    this.recorder.addEventListener("dataavailable", (event) => this.parts.push(event.data));
    this.recorder.start(500);
    this.begun = performance.now();
    this.isOn = true;
    this.loop();
  }

  seconds() {
    return Math.floor((performance.now() - this.begun) / 1000);
  }

  /** A view of text leaves the last picture standing. */
  async loop() {
    while (this.isOn) {
      const { view } = this.app.stage;
      if (canBeDrawn(view)) await paint(view, this.canvas, FILM_SIZE);
      await new Promise((resolve) => setTimeout(resolve, FILM_PAUSE));
    }
  }

  async stop(name) {
    this.isOn = false;
    const ended = new Promise((resolve) => this.recorder.addEventListener("stop", resolve));
    this.recorder.stop();
    await ended;
    download(new Blob(this.parts, { type: FILM_FORMATS[this.format] }), `${name}.${this.format.toLowerCase()}`);
  }
}

/** The button that stands in the head of the page while it is filmed, and ends the film. */
export class Filming {
  constructor(app) {
    this.app = app;
    this.seconds = el("span", { class: "film-seconds", "aria-hidden": "true" });
    this.button = el("button", { class: "filming", hidden: true, "aria-label": "Stop filming", onclick: () => this.stop() }, "Stop filming", this.seconds);
  }

  get isOn() {
    return !this.button.hidden;
  }

  async start() {
    const film = new Film(this.app, filmFormat());
    await film.start();
    this.film = film;
    this.button.hidden = false;
    const tell = () => setText(this.seconds, ` ${film.seconds()} s`);
    tell();
    this.clock = setInterval(tell, 1000);
  }

  async stop() {
    clearInterval(this.clock);
    this.button.hidden = true;
    await this.film.stop(this.app.share.name());
  }
}

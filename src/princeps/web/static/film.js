// A film of what is shown, in the format that the browser can record. It follows the view that is open.

import { canBeDrawn } from "./pictures.js";
import { download } from "./pictures.js";
import { el } from "./dom.js";
import { paint } from "./pictures.js";
import { setText } from "./dom.js";

const FILM_FORMATS = { WebM: "video/webm", MP4: "video/mp4" };
const FILM_SIZE = 800; // pixels of the longer side
const FILM_PAUSE = 50; // milliseconds between two pictures
const STILL_PAUSE = 500; // the same while nothing changes
const DRAIN_PAUSE = 300; // milliseconds without new data after which everything is encoded
const DRAIN_MOST = 20000;

/** The name of the first format that this browser records, or null. */
export function filmFormat() {
  if (typeof MediaRecorder === "undefined" || !("captureStream" in HTMLCanvasElement.prototype)) return null;
  return Object.keys(FILM_FORMATS).find((name) => MediaRecorder.isTypeSupported(FILM_FORMATS[name])) ?? null;
}

function pauseFor(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** Films until it is stopped; then the film is a file. */
class Film {
  constructor(app, format) {
    this.app = app;
    this.format = format;
    this.canvas = document.createElement("canvas");
    this.canvas.getContext("2d", { alpha: false }); // a film has no transparency
    this.parts = [];
    this.isOn = false;
    this.painted = { at: -Infinity };
  }

  async start() {
    await paint(this.app.stage.view, this.canvas, FILM_SIZE);
    const type = FILM_FORMATS[this.format];
    this.recorder = new MediaRecorder(this.canvas.captureStream(1000 / FILM_PAUSE), { mimeType: type, videoBitsPerSecond: 4000000 });
    this.recorder.addEventListener("dataavailable", (event) => this.take(event.data));
    this.recorder.start(DRAIN_PAUSE / 2);
    this.begun = performance.now();
    this.isOn = true;
    this.looping = this.loop();
  }

  take(part) {
    this.parts.push(part);
    if (part.size > 1) this.grewAt = performance.now();
  }

  seconds() {
    return Math.floor((performance.now() - this.begun) / 1000);
  }

  async loop() {
    while (this.isOn) {
      await this.look();
      await pauseFor(FILM_PAUSE);
    }
  }

  /** A picture where something has changed; a view of text leaves the last one standing. */
  async look() {
    const { frame, chosen, stage } = this.app;
    const { painted } = this;
    const isSame = painted.frame === frame && painted.chosen === chosen && painted.view === stage.view;
    if ((isSame && performance.now() - painted.at < STILL_PAUSE) || !canBeDrawn(stage.view)) return;
    this.painted = { frame, chosen, view: stage.view, at: performance.now() };
    await paint(stage.view, this.canvas, FILM_SIZE);
  }

  /** The recorder forgets what it has not encoded yet when it is stopped: a slow machine is waited for. */
  async drain() {
    const begun = performance.now();
    this.grewAt = begun;
    while (performance.now() - this.grewAt < DRAIN_PAUSE * 2 && performance.now() - begun < DRAIN_MOST) await pauseFor(DRAIN_PAUSE / 2);
  }

  async stop(name) {
    this.isOn = false;
    await this.looping;
    await this.drain();
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
    this.button.disabled = true;
    setText(this.seconds, " saving");
    await this.film.stop(this.app.share.name());
    this.button.disabled = false;
    this.button.hidden = true;
  }
}

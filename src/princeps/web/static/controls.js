// Time: play and pause, steps, what comes next, the exact step, the speed.

import { el } from "./dom.js";
import { icon } from "./dom.js";
import { setText } from "./dom.js";
import { goLive } from "./network.js";
import { grouped } from "./numbers.js";
import { readStep } from "./numbers.js";
import { shortNumber } from "./numbers.js";
import { speedIndex } from "./numbers.js";
import { speedsOf } from "./numbers.js";
import { speedText } from "./numbers.js";

const LONG_STEP = 13; // digits and commas of an end that is written out
const NO_CHANGES = "This engine draws many interactions at once, and does not stop at a change: watch fewer agents, or with --engine agents.";

const PATHS = {
  start: "M6 5v14M19 5 9 12l10 7Z",
  back: "M15 5 5 12l10 7ZM19 5v14",
  play: "M7 4.5 20 12 7 19.5Z",
  pause: "M7 5h3.6v14H7ZM13.4 5H17v14h-3.6Z",
  step: "M9 5l10 7-10 7ZM5 5v14",
  change: "M4 7l6 5-6 5ZM11 7l6 5-6 5ZM20 5v14",
  leaders: "M4 18h16M4 15V7l4.2 4L12 5l3.8 6L20 7v8Z",
  goal: "M6 21V4M6 5h12l-3 4 3 4H6",
};

export class Controls {
  constructor(app) {
    this.app = app;
    this.speeds = speedsOf(null);
    this.playIcon = icon(PATHS.play);
    this.play = el("button", { class: "play", "aria-label": "Play", title: "Play or pause (space)", onclick: () => app.togglePlay() }, this.playIcon);
    const named = { "aria-label": "Step; type a number to go there", title: "Go to a step (t)" };
    const typed = { type: "text", inputmode: "numeric", autocomplete: "off", spellcheck: "false" };
    this.stepField = el("input", { ...typed, ...named, class: "step-field" });
    this.note = el("span", { class: "why-not", role: "status" });
    this.end = el("span", { class: "end-step" });
    this.speed = el("input", { type: "range", min: "0", max: String(this.speeds.length - 1), step: "1", class: "speed", "aria-label": "Speed", title: "Speed (+ and -)" });
    this.speedSaid = el("output", { class: "speed-said" });
    this.stepField.addEventListener("change", () => this.goToField());
    this.stepField.addEventListener("keydown", (event) => event.key === "Escape" && this.leaveField());
    this.stepField.addEventListener("blur", () => this.showStep());
    this.speed.addEventListener("input", () => this.setSpeed(this.speeds[Number(this.speed.value)]));
    this.live = el("button", { class: "quiet live-button", hidden: true, title: "Follow the network (End)", onclick: () => goLive(app) }, "Live");
    this.nextChanges = [
      this.button("change", "Next change (shift and right arrow)", () => this.goToNext("change"), "change"),
      this.button("leaders", "Next change of who leads (l)", () => this.goToNext("leaders"), "leader"),
    ];
    this.element = el(
      "div",
      { class: "controls", role: "group", "aria-label": "Time" },
      el(
        "div",
        { class: "buttons" },
        this.button("start", "To the start (Home)", () => app.goTo(0n)),
        this.button("back", "One step back (left arrow)", () => app.act("back", { count: 1 })),
        this.play,
        this.button("step", "One step (right arrow)", () => app.act("step", { count: 1 })),
        this.live,
      ),
      el(
        "div",
        { class: "buttons nexts", role: "group", "aria-label": "Go on to the next" },
        el("span", { class: "group-name", "aria-hidden": "true" }, "Next"),
        ...this.nextChanges,
        this.button("goal", "Next goal (g)", () => this.goToNext("goal"), "goal"),
      ),
      el("div", { class: "where" }, el("span", { class: "group-name", "aria-hidden": "true" }, "Step"), this.stepField, this.end, this.note),
      el("div", { class: "pace" }, this.speed, this.speedSaid),
    );
    this.showSpeed(1);
  }

  /** Of a network run that goes on. */
  showLive(network) {
    this.live.hidden = !network?.running;
    this.live.setAttribute("aria-pressed", String(Boolean(network?.following)));
  }

  button(name, label, onclick, word = null) {
    return el("button", { class: "quiet", "aria-label": label.replace(/ \(.*/, ""), title: label, onclick }, icon(PATHS[name]), word && el("span", { class: "button-word" }, word));
  }

  /** Which speeds there are, and whether there is a next change, depends on the engine. */
  showAbout(about) {
    this.speeds = speedsOf(about);
    this.speed.max = String(this.speeds.length - 1);
    this.hasChanges = this.app.source.isRecorded || about.abilities?.next_change !== false;
    for (const button of this.nextChanges) {
      button.usualTitle ??= button.title;
      button.disabled = !this.hasChanges;
      button.title = this.hasChanges ? button.usualTitle : NO_CHANGES;
    }
  }

  /** By a button, or by its key. */
  goToNext(what) {
    if (what !== "goal" && !this.hasChanges) return this.app.say(NO_CHANGES);
    return this.app.act("next", { what });
  }

  showStatus(status) {
    this.status = status;
    const playing = status.playing || Boolean(status.seeking);
    setText(this.note, status.playing ? "" : (status.note ?? ""));
    this.playIcon.firstChild.setAttribute("d", playing ? PATHS.pause : PATHS.play);
    this.play.setAttribute("aria-label", playing ? "Pause" : "Play");
    this.play.classList.toggle("playing", Boolean(playing));
    this.showSpeed(status.speed);
    this.showLive(status.network);
    this.showStep(this.app.shownStep);
  }

  showFrame() {
    this.showStep(this.app.shownStep);
  }

  showStep(step = this.step) {
    this.step = step ?? "0";
    if (document.activeElement !== this.stepField) this.stepField.value = grouped(this.step);
    if (this.status) this.showEnd();
  }

  /** A picture may be newer than the last status. */
  showEnd() {
    const last = BigInt(this.status.end) < BigInt(this.step) ? this.step : this.status.end;
    const end = grouped(last);
    setText(this.end, `of ${end.length <= LONG_STEP ? end : shortNumber(last)}`);
    this.end.title = end;
    this.stepField.style.width = `${Math.max(8, end.length) + 3}ch`;
  }

  showSpeed(speed) {
    if (this.changedAt > performance.now() - 700) return; // a status that was under way would undo it
    this.speed.value = String(speedIndex(this.speeds, speed));
    this.saySpeed(speed);
  }

  saySpeed(speed) {
    setText(this.speedSaid, speedText(speed));
    this.speed.setAttribute("aria-valuetext", speedText(speed));
  }

  setSpeed(speed) {
    this.changedAt = performance.now();
    this.saySpeed(speed);
    this.app.act("speed", { value: speed });
  }

  /** One notch faster or slower. */
  shiftSpeed(count) {
    const place = Math.min(this.speeds.length - 1, Math.max(0, Number(this.speed.value) + count));
    this.speed.value = String(place);
    this.setSpeed(this.speeds[place]);
  }

  goToField() {
    const step = readStep(this.stepField.value);
    if (step === null) return this.app.say(`${JSON.stringify(this.stepField.value)} is no step: type a number like 12000 or 1e6.`);
    this.leaveField();
    return this.app.goTo(step);
  }

  leaveField() {
    this.stepField.blur();
    this.showStep();
  }
}

// The bar that is always visible: step, leaders, goals, invariants, the safe set, and the command that repeats this.

import { copyButton } from "./copying.js";
import { atMostEvery } from "./dom.js";
import { el } from "./dom.js";
import { setText } from "./dom.js";
import { grouped } from "./numbers.js";

const SAFE_WORDS = { true: ["holds", "safe"], false: ["fails", "not safe"], null: ["unknown", "not computed"] };

/** A small word with a sign in front: ✓ holds, ○ does not, – unknown. */
function chip(state, text, title) {
  const sign = { holds: "✓", fails: "○", broken: "✕", unknown: "–" }[state];
  const said = { holds: "holds", fails: "does not hold", broken: "is broken", unknown: "is not known" }[state];
  return el("span", { class: `chip ${state}`, title }, el("span", { class: "sign", "aria-hidden": "true" }, sign), text, el("span", { class: "unseen" }, ` ${said}`));
}

/** All in one chip, or those that do not hold: broken where they are promised, otherwise only not true (yet, or any more). */
function invariantChips(invariants, step) {
  const failing = invariants.filter((one) => one.holds === false);
  const unknown = invariants.filter((one) => one.holds === null);
  if (failing.length) {
    const excuse = step === "0" ? "promised after the first step" : "not promised after an attack, or from this start";
    return failing.map((one) => (one.promised ? ["broken", one.name, "promised after every step"] : ["fails", one.name, excuse]));
  }
  if (unknown.length) return unknown.map((one) => ["unknown", one.name]);
  return invariants.length ? [["holds", `all ${invariants.length}`, invariants.map((one) => one.name).join(", ")]] : [];
}

function reading(name, value, extra = "") {
  return el("div", { class: `reading ${extra}` }, el("dt", {}, name), el("dd", {}, value));
}

export class Readout {
  constructor(app) {
    this.app = app;
    this.wasAttacked = false;
    this.askForScript = atMostEvery(600, () => this.loadScript());
    this.step = el("span", { class: "figure" }, "0");
    this.leaders = el("span", { class: "figure" }, "–");
    this.goals = el("span", { class: "chips" });
    this.invariants = el("span", { class: "chips" });
    this.safe = el("span", { class: "chips" });
    this.command = el("code", { class: "command", tabindex: "0" });
    this.commandRow = el(
      "div",
      { class: "command-row" },
      el("span", { class: "command-name" }, "Repeat"),
      this.command,
      copyButton(() => this.command.textContent, "Copy the command that repeats this"),
    );
    this.goalsReading = reading("Goals", this.goals, "wide");
    this.invariantsReading = reading("Invariants", this.invariants);
    this.safeReading = reading("Safe set", this.safe);
    this.element = el(
      "section",
      { class: "readout", "aria-label": "State of the run" },
      el("dl", { class: "readings" }, reading("Step", this.step), reading("Leaders", this.leaders, "leaders-reading"), this.goalsReading, this.invariantsReading, this.safeReading),
      this.commandRow,
    );
  }

  showAbout(about) {
    this.about = about;
    this.docs = new Map((about.goals ?? []).map((goal) => [goal.name, goal.doc]));
    this.keys = {};
    this.wasAttacked = false;
    setText(this.command, about.command ?? "");
  }

  showFrame(frame) {
    setText(this.step, grouped(this.app.shownStep));
    if (frame.leaders !== undefined) setText(this.leaders, grouped(frame.leaders));
    this.element.classList.toggle("elected", frame.leaders === "1");
  }

  showStatus(status) {
    setText(this.step, grouped(this.app.shownStep));
    if (status.command && !(this.wasAttacked && status.command === this.plain)) setText(this.command, status.command);
    this.plain = status.command;
    if (this.wasAttacked && !status.playing) this.askForScript();
    const goals = Object.entries(status.goals ?? {});
    this.fill("goals", this.goalsReading, this.goals, goals.map(([name, holds]) => [holds === null ? "unknown" : holds ? "holds" : "fails", name, this.docs?.get(name)]));
    const invariants = status.invariants ?? [];
    this.fill("invariants", this.invariantsReading, this.invariants, invariantChips(invariants, status.step));
    const [state, word] = SAFE_WORDS[String(status.safe ?? null)];
    this.fill("safe", this.safeReading, this.safe, status.safe === undefined || (status.safe === null && !status.goals) ? [] : [[state, word, "whether this configuration is in the protocol's safe set"]]);
    if (status.safe === null || status.safe === undefined) this.safeReading.hidden = true;
  }

  /** After an attack the options of the run do not repeat it: its script does. */
  showSeries(series) {
    const present = series.find((branch) => branch.number === this.app.status?.branch);
    const attacked = Boolean(present) && ((present.parent ?? null) !== null || (present.marks ?? []).some(([, kind]) => kind === "fault"));
    this.wasAttacked = attacked && !this.app.source.isRecorded;
    if (this.wasAttacked) this.askForScript();
    else if (this.plain) setText(this.command, this.plain);
  }

  async loadScript() {
    try {
      const answer = await this.app.source.do("link");
      if (this.wasAttacked && answer.command) setText(this.command, answer.command);
    } catch {
      // a script that is too long for a link: the options of the run remain
    }
  }

  /** Chips are written anew only when they differ, so that a screen reader is left in peace. */
  fill(name, row, place, chips) {
    row.hidden = chips.length === 0;
    const key = JSON.stringify(chips);
    if (this.keys?.[name] === key) return;
    this.keys = { ...this.keys, [name]: key };
    place.replaceChildren(...chips.map((values) => chip(...values)));
  }
}

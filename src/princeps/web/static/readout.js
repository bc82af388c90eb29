// The bar that is always visible: step, leaders, goals, invariants, the safe set, and the command that repeats this.

import { copyButton } from "./copying.js";
import { el } from "./dom.js";
import { setText } from "./dom.js";
import { grouped } from "./numbers.js";

const SAFE_WORDS = { true: ["holds", "safe"], false: ["fails", "not safe"], null: ["unknown", "not known"] };

/** A small word with a sign in front: ✓ holds, ○ does not, – unknown. */
function chip(state, text, title) {
  const sign = { holds: "✓", fails: "○", broken: "✕", unknown: "–" }[state];
  const said = { holds: "holds", fails: "does not hold", broken: "is broken", unknown: "is not known" }[state];
  const shown = el("span", { class: "sign", "aria-hidden": "true" }, sign);
  return el("span", { class: `chip ${state}`, title: title || null }, shown, text, el("span", { class: "unseen" }, ` ${said}`));
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
    this.seconds = el("span", { class: "figure" });
    this.secondsReading = reading("Seconds", this.seconds);
    const counted = [reading("Step", this.step), this.secondsReading, reading("Leaders", this.leaders, "leaders-reading")];
    const judged = [this.goalsReading, this.invariantsReading, this.safeReading];
    const readings = el("dl", { class: "readings" }, counted, judged);
    this.element = el("section", { class: "readout", "aria-label": "State of the run" }, readings, this.commandRow);
  }

  showAbout(about) {
    this.about = about;
    this.docs = new Map((about.goals ?? []).map((goal) => [goal.name, goal.doc]));
    this.keys = {};
    setText(this.command, about.command ?? "");
  }

  showFrame() {
    this.showCounted();
  }

  /** Step and leaders belong to one moment. */
  showCounted() {
    const { shownStep, shownLeaders } = this.app;
    setText(this.step, grouped(shownStep));
    if (shownLeaders !== undefined) setText(this.leaders, grouped(shownLeaders));
    this.element.classList.toggle("elected", shownLeaders === "1");
  }

  showStatus(status) {
    this.showCounted();
    const seconds = status.network?.seconds ?? null;
    this.secondsReading.hidden = seconds === null;
    if (seconds !== null) setText(this.seconds, seconds.toFixed(2));
    if (status.command) setText(this.command, status.command);
    const goals = Object.entries(status.goals ?? {});
    this.fill("goals", this.goalsReading, this.goals, goals.map(([name, holds]) => this.goalChip(name, holds, status.hit)));
    this.fill("invariants", this.invariantsReading, this.invariants, invariantChips(status.invariants ?? [], status.step));
    const [state, word] = SAFE_WORDS[String(status.safe ?? null)];
    const safe = this.hasSafeSet ? [[state, word, "whether this configuration is in the protocol's safe set"]] : [];
    this.fill("safe", this.safeReading, this.safe, safe);
  }

  goalChip(name, holds, hit) {
    const said = [this.docs.get(name), hit && name === this.about.goal ? `first met at step ${grouped(hit)}` : null];
    return [holds === null ? "unknown" : holds ? "holds" : "fails", name, said.filter(Boolean).join("; ")];
  }

  /** Ring algorithms and protocols that elect nobody have none, and a recording does not keep it. */
  get hasSafeSet() {
    return this.about.kind !== "ring" && this.about.elects && !this.app.source.isRecorded;
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

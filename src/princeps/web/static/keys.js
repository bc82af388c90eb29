// The keyboard, and the sheet that lists it.

import { el } from "./dom.js";
import { goLive } from "./network.js";

/** [keys, what they do, the function]; a letter alone is no shortcut while something is typed. */
function shortcuts(app) {
  return [
    [[" "], "Space", "play or pause", () => app.togglePlay()],
    [["ArrowRight"], "→", "one step", () => app.act("step", { count: 1 })],
    [["ArrowLeft"], "←", "one step back", () => app.act("back", { count: 1 })],
    [["Shift+ArrowRight", "c"], "Shift → or c", "next change", () => app.controls.goToNext("change")],
    [["Shift+ArrowUp", "l"], "Shift ↑ or l", "next change of who leads", () => app.controls.goToNext("leaders")],
    [["Shift+End", "g"], "Shift End or g", "next goal", () => app.controls.goToNext("goal")],
    [["Home"], "Home", "to the start", () => app.goTo(0n)],
    [["End"], "End", "to the end of what was run; on with a network", () => goLive(app)],
    [["+", "="], "+", "faster", () => app.controls.shiftSpeed(1)],
    [["-"], "−", "slower", () => app.controls.shiftSpeed(-1)],
    [["t"], "t", "type a step to go to", () => app.controls.stepField.select()],
    [["v"], "v", "next view: picture, states, table", () => app.stage.turn()],
    [["n"], "n", "type the number of an agent", () => app.focusCard()],
    [["r"], "r", "rule", () => app.openPanel("rule", true)],
    [["s"], "s", "story", () => app.openPanel("story", true)],
    [["a"], "a", "attack", () => app.openPanel("attack", true)],
    [["b"], "b", "branches", () => app.openPanel("branches", true)],
    [["["], "[", "previous caption of the story", () => app.story.go(app.story.place - 1)],
    [["]"], "]", "next caption of the story", () => app.story.go(app.story.place + 1)],
    [["x"], "x", "share", () => app.share.open()],
    [["?"], "?", "this sheet", () => app.help.open()],
    [["Escape"], "Esc", "never mind: no pair, no agent; out of the library", () => app.neverMind()],
  ];
}

/** "Shift → or c" as keys. */
function keysOf(shown) {
  return shown.split(" ").map((part) => (part === "or" ? " or " : el("kbd", {}, part)));
}

const TYPED = new Set(["INPUT", "SELECT", "TEXTAREA"]);

export class HelpSheet {
  constructor(app) {
    this.app = app;
    this.list = shortcuts(app);
    this.byKey = new Map(this.list.flatMap(([keys, , , work]) => keys.map((key) => [key, work])));
    this.letters = el("input", { type: "checkbox", checked: true });
    this.element = el(
      "dialog",
      { class: "sheet", "aria-labelledby": "help-title" },
      el("form", { method: "dialog", class: "sheet-head" }, el("h2", { id: "help-title" }, "Keys"), el("button", { class: "quiet", "aria-label": "Close" }, "Close")),
      el("dl", { class: "keys" }, this.list.map(([, shown, text]) => el("div", {}, el("dt", {}, keysOf(shown)), el("dd", {}, text)))),
      el("label", { class: "tick" }, this.letters, " letters alone are shortcuts"),
      el("p", { class: "panel-note" }, "A click on an agent opens its card. Drag in the plot to go to a step. Tab walks through all controls."),
    );
    document.addEventListener("keydown", (event) => this.press(event));
  }

  open() {
    this.element.showModal();
  }

  press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    const { target, key } = event;
    const isRange = target.tagName === "INPUT" && (target.type === "range" || target.type === "checkbox");
    if (TYPED.has(target.tagName) && !isRange && key !== "Escape") return;
    if (key === "Escape" && TYPED.has(target.tagName)) target.blur();
    if (isRange && (key.startsWith("Arrow") || key === "Home" || key === "End" || key === " ")) return;
    if ((key === " " || key === "Enter") && target.closest?.("button, a, summary")) return;
    if (target.closest?.("[role=tablist]") && key.startsWith("Arrow")) return;
    if (key.length === 1 && /[a-z]/.test(key) && !this.letters.checked) return;
    if (!this.app.showsRun && key !== "?") {
      if (key === "Escape" && !TYPED.has(target.tagName)) this.app.leaveLibrary();
      return;
    }
    const work = this.byKey.get(event.shiftKey && key.length > 1 ? `Shift+${key}` : key);
    if (!work) return;
    event.preventDefault();
    work();
  }
}

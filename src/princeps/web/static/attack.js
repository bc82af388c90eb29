// Attacks. Each is one line of the script that repeats the run; in the past it makes a branch.

import { el } from "./dom.js";
import { labelled } from "./dom.js";

const RECORDED = "This is a recording: it can be stepped and rewound, but not attacked. To attack the run, start it with the command above and princeps watch.";

function deedButton(text, onclick, title = null) {
  return el("button", { onclick, title }, text);
}

/** What can be done to a chosen agent, alone and together with another one. */
export function pairDeeds(app, agent, card) {
  if (app.about.kind === "ring") return ringDeeds(app, agent);
  const { abilities } = app.about;
  const made = [];
  if (abilities?.dead) {
    const dead = Boolean(card.dead);
    made.push(el("div", { class: "row" }, deedButton(dead ? "Revive it" : "Kill it", () => app.attack({ kind: dead ? "alive" : "dead", agent }), "pairs with a dead agent change nothing")));
  }
  if (!abilities?.meet) return made;
  const deeds = [
    ["meet", "meets"],
    ...(abilities.torn ? [["torn initiator", "meets, torn: only it changes"], ["torn responder", "meets, torn: only the other changes"]] : []),
    ...(abilities.cut ? [["cut", "is cut off from"], ["heal", "is joined again with"]] : []),
  ];
  const deed = el("select", { "aria-label": "What happens" }, deeds.map(([value, text]) => el("option", { value }, text)));
  const other = el("input", { type: "number", min: "0", max: String(BigInt(app.about.n) - 1n), "aria-label": "The other agent", class: "agent-field", id: "other-agent" });
  const perform = () => {
    const [kind, side] = deed.value.split(" ");
    if (other.value === "") return app.pickOther((picked) => app.attack({ kind, i: agent, j: picked, ...(side && { side }) }));
    return app.attack({ kind, i: agent, j: Number(other.value), ...(side && { side }) });
  };
  const pick = deedButton("Click the other…", () => app.pickOther((picked) => {
    other.value = String(picked);
    perform();
    other.value = "";
  }), "then click the other agent in the picture (Escape: never mind)");
  made.push(el("fieldset", {}, el("legend", {}, `Agent ${agent}, as initiator,`), deed, el("div", { class: "row" }, labelled("agent", other), deedButton("Do it", perform), pick)));
  return made;
}

function ringDeeds(app, process) {
  const sides = app.about.bidirectional === false ? ["left"] : ["left", "right"];
  return [
    el(
      "fieldset",
      {},
      el("legend", {}, `Messages that wait at process ${process}`),
      sides.map((side) => el("div", { class: "row" }, deedButton(`Deliver from the ${side}`, () => app.attack({ kind: "deliver", process, side })), deedButton(`Lose from the ${side}`, () => app.attack({ kind: "drop", process, side })))),
    ),
    el("div", { class: "row" }, deedButton("Reset it", () => app.attack({ kind: "reset", process }), "the process forgets everything and starts again")),
  ];
}

export class AttackPanel {
  constructor(app) {
    this.app = app;
    this.element = el("div", { class: "attack-panel" });
  }

  showAbout(about) {
    if (this.app.source.isRecorded) {
      this.element.replaceChildren(el("p", { class: "panel-note" }, RECORDED));
      return;
    }
    this.element.replaceChildren(...(about.kind === "ring" ? this.ringPalette() : this.palette(about)), this.note());
  }

  note() {
    return el("p", { class: "panel-note" }, "An attack in the past makes a branch: the old future stays and can be switched back to.");
  }

  palette(about) {
    const { app } = this;
    const count = el("input", { type: "number", min: "1", max: about.n, value: "1", "aria-label": "How many agents", class: "agent-field" });
    const corrupt = () => count.checkValidity() && count.value !== "" && app.attack({ kind: "corrupt", count: Number(count.value) });
    const starts = about.starts ?? [];
    const start = el("select", { "aria-label": "Start" }, starts.map(({ name }) => el("option", { value: name }, name)));
    const doc = el("p", { class: "panel-note" });
    const say = () => {
      doc.textContent = starts.find(({ name }) => name === start.value)?.doc ?? "";
    };
    start.addEventListener("change", say);
    say();
    return [
      el("fieldset", {}, el("legend", {}, "Corrupt"), el("div", { class: "row" }, count, deedButton("random agents", corrupt, "into uniformly random legal states"), deedButton("whoever leads", () => app.attack({ kind: "corrupt_leaders" })))),
      starts.length ? el("fieldset", {}, el("legend", {}, "Put everybody into a start"), el("div", { class: "row" }, start, deedButton("Put", () => app.attack({ kind: "start", name: start.value }))), doc) : null,
      about.view === "counts" ? null : el("fieldset", {}, el("legend", {}, "One agent, or a pair"), this.chooser(about)),
    ].filter(Boolean);
  }

  ringPalette() {
    return [el("fieldset", {}, el("legend", {}, "One process"), this.chooser(this.app.about))];
  }

  chooser(about) {
    const word = about.kind === "ring" ? "process" : "agent";
    const field = el("input", { type: "number", min: "0", max: String(BigInt(about.n) - 1n), "aria-label": `Number of the ${word}`, class: "agent-field" });
    const open = () => field.checkValidity() && field.value !== "" && this.app.chooseAgent(Number(field.value));
    const what = about.kind === "ring" ? "Messages are delivered or lost, and processes reset, on its card." : "Fields are changed, agents killed, pairs forced, torn or cut on an agent's card.";
    return [el("p", { class: "panel-note" }, what), el("div", { class: "row" }, field, deedButton("Open its card", open))];
  }
}

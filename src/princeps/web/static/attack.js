// Attacks. Each is one line of the script that repeats the run; in the past it makes a branch.

import { el } from "./dom.js";
import { labelled } from "./dom.js";
import { LIVE_NOTE } from "./network.js";

const RECORDED =
  "This is a recording: it can be stepped and rewound, but not attacked. " +
  "To attack the run, start it with the command above and princeps watch.";

function deedButton(text, onclick, title = null) {
  return el("button", { onclick, title }, text);
}

function fields(name, ...parts) {
  return el("fieldset", {}, el("legend", {}, name), parts);
}

/** What can be done to a chosen agent, alone and together with another one. */
export function pairDeeds(app, agent, card) {
  if (app.about.kind === "ring") return ringDeeds(app, agent);
  const { abilities } = app.about;
  const alone = [abilities.set && corruptButton(app, agent), abilities.dead && deathButton(app, agent, Boolean(card.dead))];
  return [el("div", { class: "row" }, alone), ...(abilities.meet ? [pairFields(app, agent, abilities)] : [])];
}

/** A server that does not know how to corrupt one agent is asked once. */
function corruptButton(app, agent) {
  const corrupt = async () => {
    if (!(await app.attack({ kind: "corrupt", agents: [agent] }))) button.hidden = true;
  };
  const button = deedButton("Corrupt it", corrupt, "into a uniformly random legal state");
  return button;
}

function deathButton(app, agent, isDead) {
  const change = () => app.attack({ kind: isDead ? "alive" : "dead", agent });
  return deedButton(isDead ? "Revive it" : "Kill it", change, "pairs with a dead agent change nothing");
}

/** [what is sent, what is read]: of the chosen agent as initiator and another one. */
function deedsOfPairs(abilities) {
  const torn = [
    ["torn initiator", "meets, torn: only it changes"],
    ["torn responder", "meets, torn: only the other changes"],
  ];
  const cut = [
    ["cut", "is cut off from"],
    ["heal", "is joined again with"],
  ];
  return [["meet", "meets"], ...(abilities.torn ? torn : []), ...(abilities.cut ? cut : [])];
}

/** The other agent is typed, or clicked in the picture. */
function pairFields(app, agent, abilities) {
  const options = deedsOfPairs(abilities).map(([value, text]) => el("option", { value }, text));
  const deed = el("select", { "aria-label": "What happens" }, options);
  const max = String(BigInt(app.about.n) - 1n);
  const other = el("input", { type: "number", min: "0", max, "aria-label": "The other agent", class: "agent-field", id: "other-agent" });
  const perform = (j) => {
    const [kind, side] = deed.value.split(" ");
    return app.attack({ kind, i: agent, j, ...(side && { side }) });
  };
  const pick = () => app.pickOther(perform);
  const performTyped = () => (other.value === "" ? pick() : perform(Number(other.value)));
  const row = [
    labelled("agent", other),
    deedButton("Do it", performTyped),
    deedButton("Click the other…", pick, "then click the other agent in the picture (Escape: never mind)"),
  ];
  return el("fieldset", {}, el("legend", {}, `Agent ${agent}, as initiator,`), deed, el("div", { class: "row" }, row));
}

function ringDeeds(app, process) {
  const sides = app.about.bidirectional === false ? ["left"] : ["left", "right"];
  const rows = sides.map((side) =>
    el(
      "div",
      { class: "row" },
      deedButton(`Deliver from the ${side}`, () => app.attack({ kind: "deliver", process, side })),
      deedButton(`Lose from the ${side}`, () => app.attack({ kind: "drop", process, side })),
    ),
  );
  const reset = () => app.attack({ kind: "reset", process });
  return [
    el("fieldset", {}, el("legend", {}, `Messages that wait at process ${process}`), rows),
    el("div", { class: "row" }, deedButton("Reset it", reset, "the process forgets everything and starts again")),
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
    this.isLive = this.app.isLive;
    const parts = about.kind === "ring" ? this.ringPalette() : this.palette(about);
    if (this.isLive) for (const part of parts.slice(0, -1)) Object.assign(part, { disabled: true, title: LIVE_NOTE });
    this.element.replaceChildren(...parts, this.isLive ? el("p", { class: "panel-note" }, LIVE_NOTE) : this.note());
  }

  /** What can be done to a network that runs is not what can be done to its past. */
  showStatus() {
    if (!this.app.source.isRecorded && this.app.about && this.isLive !== this.app.isLive) this.showAbout(this.app.about);
  }

  note() {
    return el("p", { class: "panel-note" }, "An attack in the past makes a branch: the old future stays and can be switched back to.");
  }

  palette(about) {
    const { app } = this;
    const size = { type: "number", min: "1", max: about.n, value: "1" };
    const count = el("input", { ...size, "aria-label": "How many agents", class: "agent-field" });
    const corrupt = () => {
      if (count.checkValidity() && count.value !== "") app.attack({ kind: "corrupt", count: count.value });
    };
    const starts = about.starts ?? [];
    const start = el("select", { "aria-label": "Start" }, starts.map(({ name }) => el("option", { value: name }, name)));
    const doc = el("p", { class: "panel-note" });
    const say = () => {
      doc.textContent = starts.find(({ name }) => name === start.value)?.doc ?? "";
    };
    start.addEventListener("change", say);
    say();
    const put = deedButton("Put", () => app.attack({ kind: "start", name: start.value }));
    const corrupting = [
      ...[count, deedButton("random agents", corrupt, "into uniformly random legal states")],
      deedButton("whoever leads", () => app.attack({ kind: "corrupt_leaders" })),
    ];
    return [
      fields("Corrupt", el("div", { class: "row" }, corrupting)),
      starts.length ? fields("Put everybody into a start", el("div", { class: "row" }, start, put), doc) : null,
      about.view === "counts" ? null : fields("One agent, or a pair", this.chooser(about)),
    ].filter(Boolean);
  }

  ringPalette() {
    return [fields("One process", this.chooser(this.app.about))];
  }

  chooser(about) {
    const word = about.kind === "ring" ? "process" : "agent";
    const numbers = { type: "number", min: "0", max: String(BigInt(about.n) - 1n) };
    const field = el("input", { ...numbers, "aria-label": `Number of the ${word}`, class: "agent-field" });
    const open = () => field.checkValidity() && field.value !== "" && this.app.chooseAgent(Number(field.value));
    const what =
      about.kind === "ring"
        ? "Messages are delivered or lost, and processes reset, on its card."
        : "Fields are changed, agents corrupted or killed, pairs forced, torn or cut on an agent's card.";
    return [el("p", { class: "panel-note" }, what), el("div", { class: "row" }, field, deedButton("Open its card", open))];
  }
}

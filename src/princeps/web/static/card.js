// The card of one agent: its fields, its last meetings, what can be done to it. The other agent of a pair is typed, or
// clicked in the picture.

import { atMostEvery } from "./dom.js";
import { el } from "./dom.js";
import { setText } from "./dom.js";
import { grouped } from "./numbers.js";
import { pairDeeds } from "./attack.js";

export class CardPanel {
  constructor(app) {
    this.app = app;
    this.agent = null;
    this.number = el("input", { type: "number", min: "0", class: "agent-field", inputmode: "numeric", onchange: () => this.read() });
    this.kind = el("span", {}, "Agent");
    this.empty = el("p", { class: "panel-note" });
    this.fields = el("div", { class: "fields" });
    this.meetings = el("ol", { class: "meetings" });
    this.meetingsTitle = el("h3", {}, "Last meetings");
    this.deeds = el("div", { class: "deeds" });
    this.body = el("div", { hidden: true }, this.fields, this.deeds, this.meetingsTitle, this.meetings);
    this.element = el("div", { class: "card-panel" }, el("label", { class: "labelled" }, this.kind, this.number), this.empty, this.body);
    this.refresh = atMostEvery(250, () => this.load());
  }

  showAbout(about) {
    this.about = about;
    this.word = about.kind === "ring" ? "Process" : "Agent";
    setText(this.kind, this.word);
    this.number.max = String(BigInt(about.n) - 1n);
    const clickable = about.view !== "counts";
    setText(this.empty, clickable ? `Click one in the picture, or type a number from 0 to ${grouped(BigInt(about.n) - 1n)}.` : "The agents of this engine have no numbers: only how many are in each state is known.");
    this.number.disabled = !clickable;
    this.choose(null);
  }

  read() {
    if (this.number.value !== "" && this.number.checkValidity()) this.app.chooseAgent(Number(this.number.value));
  }

  choose(agent) {
    this.agent = agent;
    this.body.hidden = agent === null;
    this.empty.hidden = agent !== null;
    this.number.value = agent === null ? "" : String(agent);
    this.made = null;
    if (agent !== null) this.load();
  }

  showFrame() {
    if (this.agent !== null) this.refresh();
  }

  async load() {
    const { agent } = this;
    if (agent === null) return;
    try {
      const card = await this.app.source.do("card", { agent });
      if (agent === this.agent) this.show(card);
    } catch (error) {
      this.fields.replaceChildren(el("p", { class: "panel-note" }, error.message));
    }
  }

  /** Values by name, from whatever a card has: a state, a table of values, a process. */
  valuesOf(card) {
    if (card.process) return { label: card.process.label, ...card.process.values, started: card.process.started, halted: card.process.halted };
    const values = card.fields ?? card.values;
    if (values) return values;
    if (!card.state) return {};
    return Object.fromEntries(this.about.fields.map((field, place) => [field.name, card.state.f?.[place] ?? card.state[field.name]]));
  }

  show(card) {
    this.card = card;
    const values = this.valuesOf(card);
    const key = `${this.agent} ${Object.keys(values)} ${Boolean(card.dead)}`;
    if (this.made !== key) {
      this.made = key;
      this.make(values, card);
    }
    for (const [name, value] of Object.entries(values)) this.showValue(name, value);
    this.showMeetings(card.meetings ?? []);
  }

  make(values, card) {
    const canSet = this.app.canAttack && this.about.abilities?.set && this.about.kind !== "ring";
    this.inputs = new Map();
    const rows = Object.keys(values).map((name) => {
      const field = this.about.fields?.find((one) => one.name === name);
      const control = canSet ? this.editor(name, field) : el("output", { class: "field-value" });
      this.inputs.set(name, control);
      return el("label", { class: "field" }, el("span", { class: "field-name" }, name), control);
    });
    this.fields.replaceChildren(el("h3", {}, canSet ? "Fields (change one to attack)" : this.about.kind === "ring" ? "Variables" : "Fields"), ...rows);
    this.deeds.replaceChildren(...(this.app.canAttack ? pairDeeds(this.app, this.agent, card) : []));
  }

  editor(name, field) {
    const set = (value) => this.app.attack({ kind: "set", agent: this.agent, fields: { [name]: value } });
    const few = field?.names?.length || (field?.size && field.size <= 12);
    if (few) {
      const labels = field.names?.length ? field.names : Array.from({ length: field.size }, (_, k) => String(k));
      return el("select", { "aria-label": name, onchange: (event) => set(Number(event.target.value)) }, labels.map((label, value) => el("option", { value }, label)));
    }
    const most = field?.size ? String(field.size - 1) : null;
    return el("input", { type: "number", min: "0", max: most, "aria-label": name, onchange: (event) => event.target.value !== "" && set(Number(event.target.value)) });
  }

  showValue(name, value) {
    const control = this.inputs?.get(name);
    if (!control || document.activeElement === control) return;
    const names = this.about.fields?.find((field) => field.name === name)?.names;
    if (control.tagName === "OUTPUT") setText(control, String((typeof value === "number" && names?.[value]) || value));
    else {
      const place = typeof value === "string" && names ? names.indexOf(value) : -1;
      control.value = String(place >= 0 ? place : value);
    }
  }

  showMeetings(meetings) {
    this.meetingsTitle.hidden = this.about.kind === "ring" || meetings.length === 0;
    this.meetings.replaceChildren(
      ...meetings.map((meeting) => {
        const other = meeting.with ?? (meeting.i === this.agent ? meeting.j : meeting.i);
        const role = meeting.role ?? (meeting.i === this.agent ? "initiator" : "responder");
        const changed = meeting.changed === false || (meeting.before !== undefined && meeting.before === meeting.after) ? "nothing changed" : "";
        return el(
          "li",
          {},
          el("button", { class: "quiet", title: "Go to this step", onclick: () => this.app.goTo(BigInt(meeting.step)) }, grouped(meeting.step)),
          el("span", {}, `${role}, with `),
          el("button", { class: "quiet", onclick: () => this.app.chooseAgent(other) }, String(other)),
          el("span", { class: "dim" }, changed),
        );
      }),
    );
  }
}

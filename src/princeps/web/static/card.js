// The card of one agent: its fields, its last meetings, what can be done to it. The other agent of a pair is typed, or
// clicked in the picture.

import { atMostEvery } from "./dom.js";
import { el } from "./dom.js";
import { setText } from "./dom.js";
import { exactNumber } from "./numbers.js";
import { grouped } from "./numbers.js";
import { networkDeeds } from "./network.js";
import { pairDeeds } from "./attack.js";

const CARD_PAUSE = 250; // milliseconds between two questions for a card
const HURRIED_PAUSE = 3000; // the same at full speed: a card takes time from the engine
const CARD_SHARE = 20; // while it plays, the pause is so many times as long as the last answer took

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
    const chooser = el("label", { class: "labelled" }, this.kind, this.number);
    this.element = el("div", { class: "card-panel" }, chooser, this.empty, this.body);
    Object.assign(this, { askedAt: -Infinity, took: 0, isOld: false });
    this.refresh = atMostEvery(CARD_PAUSE, () => this.load());
    document.addEventListener("visibilitychange", () => this.opened());
  }

  showAbout(about) {
    this.about = about;
    this.word = about.kind === "ring" ? "Process" : "Agent";
    setText(this.kind, this.word);
    this.number.max = String(BigInt(about.n) - 1n);
    const clickable = about.view !== "counts";
    const how = `Click one in the picture, or type a number from 0 to ${grouped(BigInt(about.n) - 1n)}.`;
    setText(this.empty, clickable ? how : "The agents of this engine have no numbers: only how many are in each state is known.");
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
    this.load();
  }

  /** The tab of the card. */
  opened() {
    if (this.isOld) this.load();
  }

  showFrame() {
    if (performance.now() - this.askedAt >= this.pause) this.refresh();
    else this.isOld = true;
  }

  /** Where it stops, the card is that of the last step. */
  showStatus() {
    if (this.isOld && !this.isMoving) this.refresh();
  }

  get isMoving() {
    const { status } = this.app;
    return Boolean(status?.playing || status?.seeking);
  }

  /** Milliseconds after the last question. */
  get pause() {
    if (this.app.isHurrying) return HURRIED_PAUSE;
    return this.isMoving ? Math.max(CARD_PAUSE, CARD_SHARE * this.took) : 0;
  }

  /** A card that nobody sees is asked for when somebody does. */
  get isSeen() {
    return !document.hidden && this.element.checkVisibility();
  }

  async load() {
    const { agent } = this;
    this.isOld = !this.isSeen;
    if (agent === null || this.isOld) return;
    this.askedAt = performance.now();
    try {
      const card = await this.app.source.do("card", { agent });
      this.took = performance.now() - this.askedAt;
      if (agent === this.agent) this.show(card);
    } catch (error) {
      this.fields.replaceChildren(el("p", { class: "panel-note" }, error.message));
    }
  }

  /** Values by name: of a process, of the server's card, or of the state that a recording gives. */
  valuesOf({ process, fields, state }) {
    if (process) return { label: process.label, ...process.values, started: process.started, halted: process.halted };
    if (fields) return fields;
    return state ? Object.fromEntries(this.about.fields.map((field, place) => [field.name, state.f[place]])) : {};
  }

  show(card) {
    this.card = card;
    const values = this.valuesOf(card);
    const key = `${this.agent} ${Object.keys(values)} ${Boolean(card.dead)} ${this.app.isLive}`;
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
    const title = this.about.kind === "ring" ? "Variables" : canSet ? "Fields (change one to attack)" : "Fields";
    this.fields.replaceChildren(el("h3", {}, title), ...rows);
    const deeds = this.app.isLive ? networkDeeds : this.app.canAttack ? pairDeeds : () => [];
    this.deeds.replaceChildren(...deeds(this.app, this.agent, card));
  }

  editor(name, field) {
    const set = (value) => this.app.attack({ kind: "set", agent: this.agent, fields: { [name]: exactNumber(value) } });
    const few = field?.names?.length || (field?.size && field.size <= 12);
    if (few) {
      const labels = field.names?.length ? field.names : Array.from({ length: field.size }, (_, k) => String(k));
      const options = labels.map((label, value) => el("option", { value }, label));
      return el("select", { "aria-label": name, onchange: (event) => set(event.target.value) }, options);
    }
    const max = field?.size ? String(BigInt(field.size) - 1n) : null;
    const change = (event) => event.target.value !== "" && set(event.target.value);
    return el("input", { type: "number", min: "0", max, "aria-label": name, onchange: change });
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
        const other = meeting.with;
        const changed = meeting.changed ?? meeting.before !== meeting.after; // a recording keeps no texts of states
        const see = { class: "quiet", title: "Go to this step", onclick: () => this.app.goTo(BigInt(meeting.step)) };
        return el(
          "li",
          {},
          el("button", see, grouped(meeting.step)),
          el("span", {}, `${meeting.role}, with `),
          el("button", { class: "quiet", onclick: () => this.app.chooseAgent(other) }, String(other)),
          el("span", { class: "dim" }, changed ? "" : "nothing changed"),
        );
      }),
    );
  }
}

// The picture: chooses the view that fits the run, and offers the others that can show it.

import { el } from "./dom.js";
import { CircleView } from "./view_circle.js";
import { CountsView } from "./view_counts.js";
import { GraphView } from "./view_graph.js";
import { Legend } from "./legend.js";
import { MessagesView } from "./view_messages.js";
import { PixelsView } from "./view_pixels.js";
import { TableView } from "./view_table.js";
import { TABLE_LIMIT } from "./view_table.js";

const DRAWN_ONE_BY_ONE = 500; // agents of a complete graph that are drawn as shapes

function mainView(about, events) {
  const n = Number(about.n);
  if (about.view === "circle") return new CircleView(about, events);
  if (about.view === "graph" || about.view === "grid") return new GraphView(about, events);
  if (about.view === "messages") return new MessagesView(about, events);
  if (about.view === "counts") return new CountsView(about);
  return n <= DRAWN_ONE_BY_ONE ? new GraphView(about, events) : new PixelsView(about, events);
}

export class Stage {
  constructor(app) {
    this.app = app;
    this.legend = new Legend(app);
    this.switch = el("div", { class: "switch", role: "group", "aria-label": "View" });
    this.place = el("div", { class: "place" });
    this.hint = el("p", { class: "hint", role: "status", hidden: true });
    this.element = el("section", { class: "stage", "aria-label": "Picture" }, this.place, this.hint, el("div", { class: "stage-foot" }, this.legend.element, this.switch));
  }

  showAbout(about) {
    this.about = about;
    this.frame = null; // of another run
    this.legend.showAbout(about);
    const events = {
      chooseAgent: (agent) => this.app.pick(agent),
      goTo: (step) => this.app.goTo(step),
      framesBefore: (count) => (this.app.isHurrying ? null : this.app.source.framesBefore(count)),
    };
    const makers = [["picture", "Picture", () => mainView(about, events)]];
    if (about.kind !== "ring" && about.view !== "counts") makers.push(["states", "States", () => new CountsView(about)]);
    if (about.kind !== "ring" && about.view !== "counts" && Number(about.n) <= TABLE_LIMIT) makers.push(["table", "Table", () => new TableView(about, events)]);
    this.makers = makers;
    this.made = new Map();
    this.buttons = makers.map(([id, name]) => el("button", { class: "switch-button", onclick: () => this.open(id) }, name));
    this.switch.replaceChildren(...this.buttons);
    this.switch.hidden = makers.length < 2;
    this.open("picture");
  }

  open(id) {
    const place = Math.max(0, this.makers.findIndex((maker) => maker[0] === id));
    const [name, , make] = this.makers[place];
    if (!this.made.has(name)) this.made.set(name, make());
    this.view = this.made.get(name);
    this.present = name;
    this.buttons.forEach((button, other) => button.setAttribute("aria-pressed", String(other === place)));
    this.place.replaceChildren(this.view.element);
    this.redraw();
  }

  /** The next view, for the keyboard. */
  turn() {
    const place = this.makers.findIndex((maker) => maker[0] === this.present);
    this.open(this.makers[(place + 1) % this.makers.length][0]);
  }

  showFrame(frame) {
    this.frame = frame;
    this.redraw();
  }

  redraw() {
    if (!this.frame || !this.view || !this.app.coloring) return;
    if (this.frame.kind === "pixels" && this.present === "table") return;
    this.view.draw(this.frame, this.app.coloring, this.app.chosen);
    this.legend.showColors(this.app.coloring, this.frame, this.view.drawsShapes);
  }

  say(sentence) {
    this.hint.hidden = !sentence;
    this.hint.textContent = sentence ?? "";
    this.place.classList.toggle("picking", Boolean(sentence));
  }
}

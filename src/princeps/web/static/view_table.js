// The configuration as a table, for reading and for screen readers: one row an agent, one column a field.

import { el } from "./dom.js";
import { setText } from "./dom.js";

export const TABLE_LIMIT = 500;

export class TableView {
  constructor(about, events) {
    this.n = Number(about.n);
    this.fields = about.fields ?? [];
    this.look = about.look;
    this.shown = [];
    const head = ["Agent", "Leads", ...this.fields.map((field) => field.name), "Marks"];
    this.rows = Array.from({ length: this.n }, (_, agent) => {
      const cells = Array.from({ length: this.fields.length + 2 }, () => el("td", {}));
      const open = el("button", { class: "quiet", onclick: () => events.chooseAgent(agent), "aria-label": `Card of agent ${agent}` }, String(agent));
      return { element: el("tr", {}, el("th", { scope: "row" }, open), cells), cells };
    });
    this.element = el(
      "div",
      { class: "picture table-picture", tabindex: "0", role: "region", "aria-label": "Configuration as a table" },
      el(
        "table",
        {},
        el("caption", { class: "unseen" }, "One row an agent"),
        el("thead", {}, el("tr", {}, head.map((name) => el("th", { scope: "col" }, name)))),
        el("tbody", {}, this.rows.map((row) => row.element)),
      ),
    );
  }

  draw(frame, coloring, chosen) {
    const [dead, paused] = [new Set(frame.dead ?? []), new Set(frame.paused ?? [])];
    this.rows.forEach(({ element, cells }, agent) => {
      const number = frame.ids[agent];
      const state = frame.states[number];
      element.classList.toggle("chosen-row", agent === chosen);
      element.classList.toggle("met", Boolean(frame.pair?.includes(agent)));
      const out = dead.has(agent) ? "dead" : paused.has(agent) ? "stopped" : "";
      const key = `${frame.table} ${number} ${out}`;
      if (this.shown[agent] === key || !state) return;
      this.shown[agent] = key;
      setText(cells[0], out ? out : state.crown ? "♛ leads" : "");
      this.fields.forEach((field, place) => {
        const value = state.f[place];
        setText(cells[place + 1], String(field.names?.[value] ?? value));
      });
      const marks = (state.marks ?? []).map((mark) => this.look.marks[mark]?.label).filter(Boolean);
      setText(cells[cells.length - 1], marks.join(", "));
    });
  }
}

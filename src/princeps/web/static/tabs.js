// The panels beside the picture, one at a time, as a list of tabs that arrow keys walk through.

import { el } from "./dom.js";

export class Tabs {
  /** panels: [{id, name, element}..]. */
  constructor(panels) {
    this.panels = panels;
    this.buttons = panels.map(({ id, name }) => {
      const attributes = { role: "tab", id: `tab-${id}`, "aria-controls": `panel-${id}`, class: "tab", onclick: () => this.open(id) };
      return el("button", attributes, name);
    });
    this.bodies = panels.map(({ id, element }) => el("div", { role: "tabpanel", id: `panel-${id}`, "aria-labelledby": `tab-${id}`, class: "tab-body", tabindex: "0" }, element));
    const list = el("div", { role: "tablist", class: "tab-list", "aria-label": "Panels" }, this.buttons);
    list.addEventListener("keydown", (event) => this.walk(event));
    this.element = el("aside", { class: "side" }, list, this.bodies);
    this.open(panels[0].id);
  }

  open(id) {
    if (this.buttons[this.panels.findIndex((panel) => panel.id === id)].hidden) return; // by its key
    this.present = id;
    this.panels.forEach((panel, place) => {
      const isOpen = panel.id === id;
      this.buttons[place].setAttribute("aria-selected", String(isOpen));
      this.buttons[place].tabIndex = isOpen ? 0 : -1;
      this.bodies[place].hidden = !isOpen;
      if (isOpen) panel.opened?.();
    });
  }

  /** A panel that there is nothing for is not offered. */
  offer(id, isOffered) {
    const place = this.panels.findIndex((panel) => panel.id === id);
    this.buttons[place].hidden = !isOffered;
    if (!isOffered && this.present === id) this.open(this.panels.find((_, other) => !this.buttons[other].hidden).id);
  }

  walk(event) {
    const move = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!move) return;
    const shown = this.panels.filter((_, place) => !this.buttons[place].hidden);
    const place = shown.findIndex((panel) => panel.id === this.present);
    const next = shown[(place + move + shown.length) % shown.length];
    this.open(next.id);
    this.buttons[this.panels.indexOf(next)].focus();
    event.preventDefault();
    event.stopPropagation();
  }
}

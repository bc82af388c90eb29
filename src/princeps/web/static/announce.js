// The line for screen readers: at most one sentence a second, and none that says the same again.

import { atMostEvery } from "./dom.js";
import { el } from "./dom.js";
import { countOf } from "./numbers.js";
import { grouped } from "./numbers.js";

export class Announcer {
  constructor() {
    this.element = el("p", { class: "unseen", role: "status", "aria-live": "polite", id: "status-line" });
    this.say = atMostEvery(1000, (text) => {
      if (this.element.textContent !== text) this.element.textContent = text;
    });
  }

  showStatus(status) {
    const met = Object.entries(status.goals ?? {}).filter(([, holds]) => holds).map(([name]) => name);
    const goals = met.length ? ` Goals that hold: ${met.join(", ")}.` : "";
    this.say(`Step ${grouped(status.step)}: ${countOf(status.leaders ?? "0", "leader")}.${goals}${status.playing ? " Playing." : ""}`);
  }
}

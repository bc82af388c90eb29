// Branches: what an attack in the past leaves behind. They are switched between and compared.

import { el } from "./dom.js";
import { grouped } from "./numbers.js";

export class BranchesPanel {
  constructor(app) {
    this.app = app;
    this.list = el("ol", { class: "branch-list" });
    this.answer = el("p", { class: "panel-note compare-answer", role: "status" });
    const note = "A branch begins where the past was attacked. Thin lines in the plot are the other branches.";
    this.element = el("div", { class: "branches-panel" }, el("p", { class: "panel-note" }, note), this.list, this.answer);
  }

  showAbout() {
    this.answer.textContent = "";
    this.key = null;
  }

  showStatus(status) {
    this.present = status.branch;
    if (this.series) this.showSeries(this.series);
  }

  showSeries(series) {
    this.series = series;
    const key = JSON.stringify([this.present, series.map(({ number, at, end, what }) => [number, at, end, what])]);
    if (key === this.key) return;
    this.key = key;
    this.list.replaceChildren(...series.map((branch) => this.row(branch)));
  }

  row(branch) {
    const isPresent = branch.number === this.present;
    const from = branch.parent === null || branch.parent === undefined ? "from the start" : `from branch ${branch.parent} at step ${grouped(branch.at)}`;
    return el(
      "li",
      { class: isPresent ? "present-branch" : null, "aria-current": isPresent ? "true" : null },
      el("div", { class: "branch-name" }, el("b", {}, `Branch ${branch.number}`), isPresent ? el("span", { class: "chip holds" }, "shown") : null),
      el("div", { class: "dim" }, `${from}, to step ${grouped(branch.end)}`),
      branch.what ? el("div", {}, branch.what) : null,
      isPresent
        ? null
        : el(
            "div",
            { class: "row" },
            el("button", { onclick: () => this.app.act("branch", { number: branch.number }) }, "Switch to it"),
            el("button", { onclick: () => this.compare(branch.number) }, "Compare at this step"),
          ),
    );
  }

  async compare(number) {
    const answer = await this.app.act("compare", { number });
    if (!answer) return;
    const [here, there] = answer.leaders ?? ["?", "?"];
    this.answer.textContent = answer.same
      ? `At step ${grouped(answer.step)} both branches have the same configuration.`
      : `At step ${grouped(answer.step)} ${grouped(answer.differing)} agents differ; leaders: ${grouped(here)} here, ${grouped(there)} in branch ${number}.`;
  }
}

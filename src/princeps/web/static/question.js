// A question in the page that is answered by one of two buttons; Escape keeps things as they are.

import { el } from "./dom.js";

export class Question {
  constructor() {
    this.text = el("p", { id: "question-text" });
    this.yes = el("button", { value: "yes" }, "Yes");
    this.no = el("button", { class: "strong", value: "no", autofocus: true }, "No");
    const form = el("form", { method: "dialog" }, this.text, el("div", { class: "row answers" }, this.yes, this.no));
    this.element = el("dialog", { class: "sheet question", "aria-labelledby": "question-text" }, form);
  }

  /** A promise of whether it was answered with yes. */
  ask(sentence, yes, no) {
    this.text.textContent = sentence;
    this.yes.textContent = yes;
    this.no.textContent = no;
    this.element.returnValue = "no";
    this.element.showModal();
    return new Promise((resolve) => {
      this.element.addEventListener("close", () => resolve(this.element.returnValue === "yes"), { once: true });
    });
  }
}

// A field that opens what somebody has sent: a code, a link that holds one, or the command.

import { el } from "./dom.js";
import { labelled } from "./dom.js";
import { setText } from "./dom.js";

/** The code within a text, or null. */
export function codeIn(text) {
  return /princeps1\.[\w-]+/.exec(text)?.[0] ?? null;
}

/** `done` is called when the run is another one. */
export function openCodeField(app, done = () => {}) {
  const field = el("input", { type: "text", class: "code-to-open", placeholder: "princeps1.…", autocomplete: "off", spellcheck: "false" });
  const note = el("p", { class: "panel-note", role: "status" });
  const open = async (event) => {
    event.preventDefault();
    if (field.value.trim() === "") return;
    try {
      setText(note, "");
      if (!(await app.openCode(field.value))) return;
      field.value = "";
      done();
    } catch (error) {
      setText(note, error.message);
    }
  };
  const row = el("div", { class: "row" }, labelled("Open a code or a link", field), el("button", {}, "Open"));
  return el("form", { class: "open-code", onsubmit: open }, row, note);
}

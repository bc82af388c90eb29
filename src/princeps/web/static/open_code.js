// Opening what somebody has sent: a code, a link that holds one, or the command.

import { el } from "./dom.js";
import { labelled } from "./dom.js";
import { setText } from "./dom.js";

const LOSES =
  "This opens another run. The present one has attacks or branches, which are lost, also for others who watch it.";

/** The code within a text, or null. */
function codeIn(text) {
  return /princeps1\.[\w-]+/.exec(text)?.[0] ?? null;
}

/** Whether somebody has acted in the run that the server shows; false where there is none. */
async function hasAttacks(source) {
  try {
    const { branches } = await source.do("series");
    return branches.length > 1 || branches.some((branch) => branch.marks.some(([, kind]) => kind === "fault"));
  } catch {
    return false;
  }
}

/** Whether the run that is shown may give way to another: one with attacks is kept if one wishes. */
export async function mayReplace(app) {
  return !(await hasAttacks(app.source)) || app.question.ask(LOSES, "Replace it", "Keep the run");
}

/** Whether the code in a text was opened: a run with attacks is kept if one wishes. What is wrong with the code is thrown. */
export async function openCode(app, text) {
  const code = codeIn(text);
  if (code === null) throw new Error(`${JSON.stringify(text.trim().slice(0, 40))} is no code: paste one that begins with princeps1., or a link.`);
  if (!(await mayReplace(app))) return false;
  await app.source.do("open", { code });
  app.showRun(Boolean(app.about));
  app.plot.refresh();
  return true;
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
      if (!(await openCode(app, field.value))) return;
      field.value = "";
      done();
    } catch (error) {
      setText(note, error.message);
    }
  };
  const row = el("div", { class: "row" }, labelled("Open a code or a link", field), el("button", {}, "Open"));
  return el("form", { class: "open-code", onsubmit: open }, row, note);
}

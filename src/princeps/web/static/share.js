// Sharing: a code that holds the command and every attack, a page that needs no server, pictures, a film.

import { copyButton } from "./copying.js";
import { el } from "./dom.js";
import { labelled } from "./dom.js";
import { setText } from "./dom.js";
import { canBeDrawn } from "./pictures.js";
import { download } from "./pictures.js";
import { filmFormat } from "./film.js";
import { openCodeField } from "./open_code.js";
import { watchCommand } from "./live_source.js";
import { savePng } from "./pictures.js";
import { saveSvg } from "./pictures.js";

const CODE_NOTE =
  "The code holds the command, every attack and the protocol's identity. " +
  "Whoever has princeps opens it with the command, or pastes it into a page of princeps watch.";
const LINK_NOTE = "The link works in this server only, while it runs: for another tab of yours.";
const RECORDED_NOTE = "This page holds the whole run: send the file itself.";
const PAGE_NOTE = "One file that replays this run without a server: step, rewind, speed and views work in it.";

/** A text that is copied, not changed. */
function sentField(name, className, copyName) {
  const field = el("input", { type: "text", readonly: true, class: `sent-field ${className}` });
  return { field, row: el("div", { class: "row sent" }, labelled(name, field), copyButton(() => field.value, copyName)) };
}

export class ShareDialog {
  constructor(app) {
    this.app = app;
    this.code = sentField("Code", "code-field", "Copy the code");
    this.command = sentField("Command", "command-field", "Copy the command");
    this.link = sentField("Link", "link-field", "Copy the link");
    this.sentNote = el("p", { class: "panel-note", role: "status" });
    this.opening = openCodeField(app, () => this.element.close());
    this.page = el("button", { onclick: () => this.attempt(() => this.savePage()) }, "Save page");
    this.png = el("button", { onclick: () => this.attempt(() => savePng(app.stage.view, this.name())) }, "PNG");
    this.svg = el("button", { onclick: () => this.attempt(() => saveSvg(app.stage.view, this.name())) }, "SVG");
    this.film = el("button", { onclick: () => this.attempt(() => this.startFilm()) }, `Film (${filmFormat()})`);
    this.note = el("p", { class: "panel-note", role: "status" });
    this.ofServer = [
      ...[this.code.row, this.command.row],
      el("div", {}, this.link.row, el("p", { class: "panel-note" }, LINK_NOTE)),
      el("div", {}, el("h3", {}, "Open"), this.opening),
      el("div", {}, el("h3", {}, "Page"), el("div", { class: "row" }, this.page), el("p", { class: "panel-note" }, PAGE_NOTE)),
    ];
    const [code, command, link, opening, page] = this.ofServer;
    const closing = el("button", { class: "quiet", "aria-label": "Close" }, "Close");
    this.element = el(
      "dialog",
      { class: "sheet", "aria-labelledby": "share-title" },
      el("form", { method: "dialog", class: "sheet-head" }, el("h2", { id: "share-title" }, "Share"), closing),
      el("h3", {}, "Send it to somebody"),
      ...[code, command, this.sentNote, link, page],
      el("h3", {}, "Picture"),
      el("div", { class: "row" }, this.png, this.svg, this.film),
      this.note,
      opening,
    );
  }

  name() {
    const { protocol } = this.app.about;
    return `${protocol}-step-${this.app.frame?.step ?? 0}`;
  }

  async open() {
    setText(this.note, "");
    const recorded = this.app.source.isRecorded;
    for (const part of this.ofServer) part.hidden = recorded;
    const drawn = canBeDrawn(this.app.stage.view);
    this.png.disabled = !drawn;
    this.film.disabled = !drawn || this.app.filming.isOn;
    this.svg.disabled = !drawn || Boolean(this.app.stage.view.canvas);
    if (!drawn) setText(this.note, "Switch to the picture to save it: this view is text.");
    this.film.hidden = filmFormat() === null;
    setText(this.sentNote, recorded ? RECORDED_NOTE : CODE_NOTE);
    for (const { field } of [this.code, this.command, this.link]) field.value = "";
    this.element.showModal();
    if (!recorded) await this.loadCode();
  }

  async loadCode() {
    try {
      const { code, command } = await this.app.source.do("link");
      this.code.field.value = code;
      this.command.field.value = watchCommand(command); // it names a protocol's file, too
      this.link.field.value = `${location.href.split("#")[0]}#s=${code}`;
    } catch (error) {
      setText(this.sentNote, error.message);
    }
  }

  /** What is refused is said in the sheet, and in the line that is read out. */
  async attempt(work) {
    try {
      setText(this.note, "");
      await work();
    } catch (error) {
      setText(this.note, error.message || "The browser refused to make this file.");
      this.app.say(this.note.textContent);
    }
  }

  /** By a request of its own instead of a link: a server that refuses says why. */
  async savePage() {
    setText(this.note, "The page is made.");
    const answer = await fetch("save").catch(() => null);
    if (answer === null) throw new Error(this.app.source.ended());
    if (!answer.ok) throw new Error((await answer.text()).trim());
    download(await answer.blob(), `${this.app.about.protocol}.html`);
    setText(this.note, "");
  }

  async startFilm() {
    await this.app.filming.start();
    this.element.close();
    this.app.say("Filming. Play the run; the button above ends the film and saves it.");
  }
}

// Sharing: a link that holds the command and every attack, a page that needs no server, pictures, a film.

import { copyButton } from "./copying.js";
import { el } from "./dom.js";
import { setText } from "./dom.js";
import { canBeDrawn } from "./pictures.js";
import { filmFormat } from "./film.js";
import { savePng } from "./pictures.js";
import { saveSvg } from "./pictures.js";

export class ShareDialog {
  constructor(app) {
    this.app = app;
    this.link = el("input", { type: "text", readonly: true, class: "link-field", "aria-label": "Link" });
    this.linkRow = el("div", { class: "row" }, this.link, copyButton(() => this.link.value, "Copy the link"));
    this.linkNote = el("p", { class: "panel-note" });
    this.page = el("a", { class: "button", href: "save", download: "run.html" }, "Save page");
    this.pageNote = el("p", { class: "panel-note" }, "One file that replays this run without a server: step, rewind, speed and views work in it.");
    this.png = el("button", { onclick: () => this.attempt(() => savePng(app.stage.view, this.name())) }, "PNG");
    this.svg = el("button", { onclick: () => this.attempt(() => saveSvg(app.stage.view, this.name())) }, "SVG");
    this.film = el("button", { onclick: () => this.attempt(() => this.startFilm()) }, `Film (${filmFormat()})`);
    this.note = el("p", { class: "panel-note", role: "status" });
    this.element = el(
      "dialog",
      { class: "sheet", "aria-labelledby": "share-title" },
      el("form", { method: "dialog", class: "sheet-head" }, el("h2", { id: "share-title" }, "Share"), el("button", { class: "quiet", "aria-label": "Close" }, "Close")),
      el("h3", {}, "Link"),
      this.linkRow,
      this.linkNote,
      this.pageTitle = el("h3", {}, "Page"),
      el("div", { class: "row" }, this.page),
      this.pageNote,
      el("h3", {}, "Picture"),
      el("div", { class: "row" }, this.png, this.svg, this.film),
      this.note,
    );
  }

  name() {
    const { protocol } = this.app.about;
    return `${protocol}-step-${this.app.frame?.step ?? 0}`;
  }

  async open() {
    setText(this.note, "");
    const recorded = this.app.source.isRecorded;
    for (const part of [this.page, this.pageNote, this.pageTitle]) part.hidden = recorded;
    const drawn = canBeDrawn(this.app.stage.view);
    this.png.disabled = !drawn;
    this.film.disabled = !drawn || this.app.filming.isOn;
    this.svg.disabled = !drawn || Boolean(this.app.stage.view.canvas);
    if (!drawn) setText(this.note, "Switch to the picture to save it: this view is text.");
    this.film.hidden = filmFormat() === null;
    this.page.href = `save${location.search}`;
    this.page.download = `${this.app.about.protocol}.html`;
    this.link.value = location.href.split("#")[0];
    setText(this.linkNote, recorded ? "This page holds the whole run: send the file itself." : "It holds the command, every attack and the protocol's identity. Whoever opens it needs princeps and a running princeps watch.");
    this.element.showModal();
    if (recorded) return;
    const answer = await this.app.act("link");
    if (answer?.code) this.link.value = `${location.href.split("#")[0]}#s=${answer.code}`;
  }

  async attempt(work) {
    try {
      await work();
    } catch (error) {
      setText(this.note, error.message || "The browser refused to make this file.");
    }
  }

  async startFilm() {
    await this.app.filming.start();
    this.element.close();
    this.app.complain("Filming. Play the run; the button above ends the film and saves it.");
  }
}

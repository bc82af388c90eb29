// The rule as it stands in its file, beside the paper's line numbers; the lines that the last meeting executed are marked.

import { atMostEvery } from "./dom.js";
import { el } from "./dom.js";
import { setText } from "./dom.js";

const FAST = 12; // steps a second above which the lines of single meetings are not asked for; the usual speed is 10

/** Spaces that all lines begin with. */
function commonIndent(lines) {
  const filled = lines.filter((line) => line.text.trim());
  return Math.min(...filled.map((line) => line.text.length - line.text.trimStart().length), 80);
}

/** A line of Python in parts: comments and words of the language are set off. */
function coloured(text) {
  const parts = [];
  const comment = /(^|\s)#.*$/.exec(text);
  const code = comment ? text.slice(0, comment.index) : text;
  const words = /\b(def|if|elif|else|return|for|while|in|and|or|not|is|None|True|False|match|case|class|pass|break|continue)\b/g;
  let place = 0;
  for (const word of code.matchAll(words)) {
    parts.push(code.slice(place, word.index), el("b", {}, word[0]));
    place = word.index + word[0].length;
  }
  parts.push(code.slice(place));
  if (comment) parts.push(el("i", {}, comment[0].replace(/\s*#\s*\d{1,3}[a-z]?\s*$/, "")));
  return parts;
}

function somebodyHasMet(frame) {
  return Boolean(frame) && frame.step !== "0";
}

/** A paper that princeps reproduces has a number, by which the command `paper` knows it. */
export function paperText(paper) {
  const found = /^(\d{3}): (.*)$/.exec(paper ?? "");
  return found ? `${found[2]}; princeps paper ${found[1]}` : (paper ?? "");
}

export class RulePanel {
  constructor(app) {
    this.app = app;
    this.list = el("ol", { class: "rule-lines" });
    this.note = el("p", { class: "panel-note", "aria-live": "off" });
    this.change = el("dl", { class: "meeting" });
    this.name = el("span", { class: "file-name" });
    this.intro = el("div", { class: "intro" });
    this.element = el("div", { class: "rule-panel" }, this.intro, el("h3", {}, "Rule ", this.name), this.list, this.note, this.change);
    this.ask = atMostEvery(80, () => this.load());
  }

  showAbout(about) {
    this.about = about;
    const rule = about.rule;
    this.rows = new Map();
    this.byPaper = new Map();
    this.frame = null;
    const paper = about.paper ? el("p", { class: "paper" }, paperText(about.paper)) : "";
    this.intro.replaceChildren(el("p", { class: "sentence" }, about.sentence), paper);
    setText(this.name, rule?.file ?? "");
    this.list.replaceChildren();
    setText(this.note, rule ? "" : "The text of the rule is not known.");
    this.change.replaceChildren();
    if (!rule) return;
    const indent = commonIndent(rule.lines);
    let before = null;
    for (const line of rule.lines) {
      const row = el(
        "li",
        { class: before !== null && line.number > before + 1 ? "after-gap" : null },
        el("span", { class: "paper-line", title: line.paper ? `line ${line.paper} of the paper` : null }, line.paper ?? ""),
        el("code", {}, coloured(line.text.slice(indent))),
      );
      before = line.number;
      this.rows.set(line.number, row);
      if (line.paper) this.byPaper.set(line.paper, [...(this.byPaper.get(line.paper) ?? []), row]);
      this.list.append(row);
    }
  }

  showFrame(frame) {
    this.frame = frame;
    if (!this.about?.rule) return;
    if (this.about.rule.actions) this.markAction(frame.last);
    else if (this.isFast) this.markNothing();
    else this.ask();
  }

  /** Single meetings pass too fast to be read. */
  markNothing() {
    this.mark([], "Pause, or play slowly, to see which lines are executed.");
    this.change.replaceChildren();
  }

  /** Where it stops, the lines of the last meeting are shown. */
  showStatus() {
    const wasFast = this.isFast;
    const { playing, seeking, speed } = this.app.status;
    this.isFast = Boolean(seeking) || (playing && (speed === null || speed > FAST));
    if (wasFast && !this.isFast && this.frame) this.showFrame(this.frame);
  }

  markAction(last) {
    const action = last && this.about.rule.actions.find((one) => one.name === last.action);
    const lines = action ? Array.from({ length: action.last - action.first + 1 }, (_, k) => action.first + k) : [];
    this.mark(lines, last ? last.text : "Nothing has happened yet.");
  }

  async load() {
    if (this.isFast) return;
    try {
      const answer = await this.app.source.do("lines");
      if (this.isFast) return; // meanwhile
      const none = somebodyHasMet(this.frame) ? "Which lines the last meeting executed is not kept." : "Nobody has met yet.";
      this.mark(answer.lines ?? [], answer.lines?.length ? "Marked: what the last meeting executed." : none);
      this.showMeeting(answer);
    } catch (error) {
      this.mark([], error.message);
    }
  }

  showMeeting(answer) {
    const { before, after, pair } = answer;
    if (!before || !after || !pair) return this.change.replaceChildren();
    const side = (place, name) => {
      const [was, is] = [el("code", {}, before[place]), el("code", {}, after[place])];
      const told = before[place] === after[place] ? [was, " (unchanged)"] : [was, " → ", is];
      return [el("dt", {}, `${name} ${pair[place]}`), el("dd", {}, told)];
    };
    return this.change.replaceChildren(...side(0, "initiator"), ...side(1, "responder"));
  }

  mark(lines, note) {
    const fired = new Set(lines);
    for (const [number, row] of this.rows) row.classList.toggle("fired", fired.has(number));
    setText(this.note, note);
    const first = lines.length ? this.rows.get(lines[0]) : null;
    if (first) this.bringIntoView(first);
  }

  /** Scrolls the panel only, and only if the line is outside of it. */
  bringIntoView(row) {
    const body = this.element.closest(".tab-body");
    if (!body || body.hidden || body.scrollHeight <= body.clientHeight) return;
    const [inner, outer] = [row.getBoundingClientRect(), body.getBoundingClientRect()];
    if (inner.top < outer.top || inner.bottom > outer.bottom) body.scrollTop += inner.top - outer.top - outer.height / 3;
  }

  /** Copies of lines, to be shown elsewhere: by the paper's numbers, or those of an action. */
  excerpt(numbers, action) {
    const found = this.about?.rule?.actions?.find((one) => one.name === action);
    const rows = found
      ? [...this.rows].filter(([line]) => line >= found.first && line <= found.last).map(([, row]) => row)
      : (numbers ?? []).flatMap((number) => this.byPaper?.get(String(number)) ?? []);
    return rows.map((row) => {
      const copy = row.cloneNode(true);
      copy.className = "fired";
      return copy;
    });
  }

  /** Lines that a caption of the story speaks of, by the paper's numbers. */
  markPaper(numbers) {
    for (const row of this.rows?.values() ?? []) row.classList.remove("told");
    for (const number of numbers ?? []) for (const row of this.byPaper?.get(String(number)) ?? []) row.classList.add("told");
  }
}

// The library: every protocol with a small picture and a sentence, and the size with which it is opened.

import { paperText } from "./rule.js";
import { el } from "./dom.js";
import { sentenceCase } from "./dom.js";
import { svgEl } from "./dom.js";
import { glyphPath } from "./glyphs.js";
import { openCodeField } from "./open_code.js";
import { hueClass } from "./palette.js";
import { markClass } from "./palette.js";

const LEAD = "Choose a protocol. Its run starts paused: play it, step it back, attack it, and send it to somebody.";

/** A picture from the kind of protocol and its look: a ring with marks, a field of agents, a ring with messages. */
export function protocolPicture(entry) {
  const isRing = entry.kind === "ring";
  const onRing = isRing || /ring/.test(entry.topology);
  const parts = onRing ? ringParts(entry, isRing) : fieldParts(entry);
  return svgEl("svg", { viewBox: "-60 -60 120 120", class: "thumbnail", "aria-hidden": "true" }, parts);
}

/** A fixed number for a text, so that pictures differ and stay the same. */
function numberOf(text) {
  return [...String(text)].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 9973, 7);
}

function ringParts(entry, hasMessages) {
  const seed = numberOf(entry.name);
  const n = 10 + (seed % 5);
  const marks = entry.look?.marks ?? [];
  const parts = [svgEl("circle", { r: 40, class: "ring-line" })];
  for (let k = 0; k < n; k++) {
    const angle = (2 * Math.PI * k) / n;
    const [x, y] = [40 * Math.sin(angle), -40 * Math.cos(angle)];
    const leads = hasMessages ? k === seed % n : (k + seed) % 6 === 0;
    const name = hasMessages ? "process" : `node ${hueClass(leads ? 1 : 0)}`;
    parts.push(svgEl("circle", { cx: x.toFixed(1), cy: y.toFixed(1), r: 5, class: name }));
    const outside = (shape, name, size, turn = (360 * k) / n) => {
      const place = `translate(${(x * 1.3).toFixed(1)} ${(y * 1.3).toFixed(1)})`;
      const transform = `${place} rotate(${turn.toFixed(0)}) scale(${size})`;
      return svgEl("path", { d: glyphPath(shape), class: `glyph ${name}`, "fill-rule": "evenodd", transform });
    };
    if (leads) parts.push(outside("crown", "crown", 5.5, 0));
    else if (hasMessages && (k * 7 + seed) % 4 === 0) {
      const [mx, my] = [40 * Math.sin(angle + Math.PI / n), -40 * Math.cos(angle + Math.PI / n)];
      const shape = { x: (mx - 7).toFixed(1), y: (my - 4).toFixed(1), width: 14, height: 8, rx: 4 };
      parts.push(svgEl("g", { class: "capsule forward" }, svgEl("rect", shape)));
    } else if (marks.length && (k * 5 + seed) % 3 === 0) {
      const mark = marks[(k + seed) % marks.length];
      parts.push(outside(mark.shape, markClass(mark.hue), 4));
    }
  }
  return parts;
}

function fieldParts(entry) {
  const seed = numberOf(entry.name);
  const hues = Math.max(2, Math.min(5, (entry.look?.marks ?? []).length + 2));
  const parts = [];
  for (let row = 0; row < 7; row++) {
    for (let column = 0; column < 7; column++) {
      const place = row * 7 + column;
      const mixed = (place * place * 13 + place * seed + seed) % 97;
      const hue = mixed < 9 ? 1 : mixed < 40 ? 0 : mixed % hues === 1 ? 0 : mixed % hues;
      const [x, y] = [-49 + column * 14, -49 + row * 14];
      parts.push(svgEl("rect", { x, y, width: 12, height: 12, rx: 2.5, class: `node ${hueClass(hue)}` }));
      if (hue !== 1) continue;
      const transform = `translate(${x + 6} ${y + 6}) scale(4)`;
      parts.push(svgEl("path", { d: glyphPath("crown"), class: "glyph crown-on", transform }));
    }
  }
  return parts;
}

export class LibraryPage {
  constructor(app) {
    this.app = app;
    this.list = el("ul", { class: "library-list" });
    this.element = el(
      "main",
      { class: "library", hidden: true },
      el("h1", {}, "Watch a leader being elected"),
      el("p", { class: "library-lead" }, LEAD),
      openCodeField(app),
      this.list,
    );
  }

  async show() {
    this.element.hidden = false;
    const answer = await this.app.act("library");
    if (answer) this.list.replaceChildren(...answer.protocols.map((entry) => this.item(entry)));
  }

  hide() {
    this.element.hidden = true;
  }

  item(entry) {
    const name = `Number of agents for ${entry.name}`;
    const attributes = { type: "text", inputmode: "numeric", value: entry.n, "aria-label": name, class: "agent-field" };
    const n = entry.kind === "ring" ? null : el("input", attributes);
    const open = () => this.app.choose({ protocol: entry.name, ...(n?.value && { n: n.value }) });
    const submit = (event) => {
      event.preventDefault();
      open();
    };
    const picture = el("button", { class: "library-picture", onclick: open, "aria-label": `Watch ${entry.name}` }, protocolPicture(entry));
    const text = el(
      "div",
      { class: "library-text" },
      el("h2", {}, sentenceCase(entry.title || entry.name)),
      el("p", {}, el("code", {}, entry.name)),
      el("p", {}, entry.sentence),
      el("p", { class: "paper" }, paperText(entry.paper)),
    );
    const size = n && el("label", { class: "labelled" }, el("span", {}, "n ="), n);
    const form = el("form", { class: "row", onsubmit: submit }, size, el("button", { class: "strong" }, "Watch"));
    return el("li", { class: "library-item" }, picture, text, form);
  }
}

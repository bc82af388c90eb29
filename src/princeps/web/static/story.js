// The story of a protocol: captions at steps of the run that shows them. The caption of the last such step that was passed
// is shown, however one came there; Previous and Next go to the steps themselves, and point at who and what is meant.

import { el } from "./dom.js";
import { setText } from "./dom.js";
import { grouped } from "./numbers.js";

const ELSEWHERE = "The story of this protocol is told with a run of its own, which is then shown instead of this one.";

export class StoryPanel {
  constructor(app) {
    this.app = app;
    Object.assign(this, { place: -1, isThere: false });
    this.count = el("p", { class: "story-count" });
    this.text = el("p", { class: "story-text", "aria-live": "polite" });
    this.lines = el("p", { class: "panel-note" });
    this.excerpt = el("ol", { class: "rule-lines story-lines" });
    this.previous = el("button", { onclick: () => this.go(this.place - 1), title: "Previous caption ([)" }, "Previous");
    this.next = el("button", { class: "strong", onclick: () => this.go(this.place + 1), title: "Next caption (])" }, "Next");
    this.list = el("ol", { class: "story-list" });
    this.open = el("button", { class: "strong", onclick: () => this.openElsewhere() }, "Open the story");
    this.row = el("div", { class: "row" }, this.previous, this.next, this.open);
    this.element = el("div", { class: "story-panel" }, this.count, this.text, this.row, this.lines, this.excerpt, this.list);
  }

  showAbout(about) {
    this.story = about.story ?? [];
    this.isElsewhere = !this.exists && Boolean(about.story_elsewhere) && !this.app.source.isRecorded;
    Object.assign(this, { place: -1, isThere: false });
    this.excerpt.replaceChildren();
    this.list.replaceChildren(...this.story.map((caption, place) => this.item(caption, place)));
    this.show();
  }

  item(caption, place) {
    const step = el("span", { class: "caption-step" }, `step ${grouped(caption.step)}`);
    return el("li", {}, el("button", { class: "quiet caption", onclick: () => this.go(place) }, step, caption.text));
  }

  /** The last caption whose step is not after this one; a branch has left the story. */
  placeAt(frame) {
    if (frame.branch) return -1;
    return this.story.findLastIndex((caption) => BigInt(caption.step) <= BigInt(frame.step));
  }

  showFrame(frame) {
    if (!this.exists) return;
    const place = this.placeAt(frame);
    const isThere = this.story[place]?.step === frame.step;
    if (place === this.place && isThere === this.isThere) return;
    Object.assign(this, { place, isThere });
    this.app.rule.markPaper(isThere ? this.story[place].lines : []);
    this.excerpt.replaceChildren(...(isThere ? this.app.rule.excerpt(this.story[place].lines, frame.last?.action) : []));
    this.show();
  }

  get exists() {
    return this.story?.length > 0;
  }

  /** There is something to show: captions, or the way to them. */
  get isOffered() {
    return this.exists || this.isElsewhere;
  }

  /** The run of the story instead of this one. */
  openElsewhere() {
    return this.app.choose({ protocol: this.app.about.protocol });
  }

  async go(place) {
    if (place < 0 || place >= this.story.length) return;
    const caption = this.story[place];
    this.app.openPanel("story");
    await this.app.act("pause");
    if (this.app.status?.branch) await this.app.act("branch", { number: 0 }); // the story is that of the first
    await this.app.goTo(BigInt(caption.step));
    if (caption.agents?.length) this.app.mark(caption.agents[0]);
  }

  show() {
    const caption = this.story[this.place];
    const first = this.isElsewhere ? ELSEWHERE : "This run has a story. Press Next to follow it.";
    setText(this.text, caption?.text ?? (this.isOffered ? first : ""));
    setText(this.count, this.story.length ? `Caption ${this.place + 1} of ${this.story.length}${caption ? `, step ${grouped(caption.step)}` : ""}` : "");
    const lines = caption?.lines ?? [];
    this.excerpt.hidden = !this.excerpt.childElementCount;
    setText(this.lines, lines.length && this.isThere ? `${lines.length === 1 ? "Line" : "Lines"} ${lines.join(", ")} of the paper:` : "");
    this.open.hidden = !this.isElsewhere;
    this.previous.hidden = this.next.hidden = this.isElsewhere;
    this.previous.disabled = this.place <= 0;
    this.next.disabled = this.place >= this.story.length - 1;
    [...this.list.children].forEach((item, place) => item.classList.toggle("present-caption", place === this.place));
  }
}

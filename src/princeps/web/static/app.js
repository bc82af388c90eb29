// The page as a whole: gives what comes from the source to every part, and takes what a person does.

import { Announcer } from "./announce.js";
import { AttackPanel } from "./attack.js";
import { BranchesPanel } from "./branches.js";
import { CardPanel } from "./card.js";
import { Coloring } from "./coloring.js";
import { Controls } from "./controls.js";
import { defaultChoice } from "./coloring.js";
import { el } from "./dom.js";
import { Filming } from "./film.js";
import { HelpSheet } from "./keys.js";
import { LibraryPage } from "./library.js";
import { NetworkPanel } from "./network.js";
import { grouped } from "./numbers.js";
import { mayReplace } from "./open_code.js";
import { Plot } from "./plot.js";
import { Question } from "./question.js";
import { Readout } from "./readout.js";
import { RulePanel } from "./rule.js";
import { sentenceCase } from "./dom.js";
import { setText } from "./dom.js";
import { ShareDialog } from "./share.js";
import { Silence } from "./silence.js";
import { Stage } from "./stage.js";
import { StoryPanel } from "./story.js";
import { Tabs } from "./tabs.js";

const QUICK_WORDS = new Set(["speed", "pause", "play"]); // after which there is no new curve

export class App {
  constructor(source) {
    Object.assign(this, { source, about: null, status: null, frame: null, chosen: null, picking: null, choice: null });
    this.makeParts();
    this.makePage();
    source.onAbout = (about) => this.showAbout(about);
    source.onStatus = (status) => this.showStatus(status);
    source.onConnection = (sentence) => {
      this.silence.end();
      this.showConnection(sentence);
    };
    const redraw = () => this.stage.redraw();
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
  }

  makeParts() {
    this.announcer = new Announcer();
    this.readout = new Readout(this);
    this.stage = new Stage(this);
    this.controls = new Controls(this);
    this.plot = new Plot(this);
    this.rule = new RulePanel(this);
    this.story = new StoryPanel(this);
    this.card = new CardPanel(this);
    this.attacks = new AttackPanel(this);
    this.branches = new BranchesPanel(this);
    this.network = new NetworkPanel(this);
    this.library = new LibraryPage(this);
    this.share = new ShareDialog(this);
    this.filming = new Filming(this);
    this.help = new HelpSheet(this);
    this.question = new Question();
    this.silence = new Silence(this);
    this.tabs = new Tabs([
      { id: "rule", name: "Rule", element: this.rule.element },
      { id: "story", name: "Story", element: this.story.element },
      { id: "card", name: "Agent", element: this.card.element, opened: () => this.card.opened() },
      { id: "attack", name: "Attack", element: this.attacks.element },
      { id: "branches", name: "Branches", element: this.branches.element },
      { id: "network", name: "Network", element: this.network.element },
    ]);
    this.parts = [
      ...[this.announcer, this.readout, this.stage, this.controls, this.plot],
      ...[this.rule, this.story, this.card, this.attacks, this.branches, this.network, this.silence],
    ];
  }

  makePage() {
    this.title = el("h1", { class: "title" });
    this.details = el("p", { class: "details" });
    this.shows = el("p", { class: "shows", role: "note", hidden: true });
    this.connection = el("p", { class: "connection", role: "alert", hidden: true });
    this.toast = el("p", { class: "toast", role: "alert", hidden: true });
    this.libraryButton = el("button", { class: "quiet", onclick: () => this.openLibrary() }, "Library");
    this.backButton = el("button", { class: "quiet", onclick: () => this.leaveLibrary(), title: "Back to the run (Escape)" }, "Back to the run");
    this.shareButton = el("button", { class: "quiet", onclick: () => this.share.open(), title: "Share (x)" }, "Share");
    const helpName = { "aria-label": "Keys", title: "Keys (?)" };
    const helpButton = el("button", { class: "quiet", onclick: () => this.help.open(), ...helpName }, "?");
    const tools = [this.filming.button, this.libraryButton, this.backButton, this.shareButton, helpButton];
    const header = el(
      "header",
      { class: "head" },
      el("span", { class: "wordmark", "aria-hidden": "true" }, "princeps"),
      el("div", { class: "words" }, this.title, this.details, this.shows),
      el("nav", { class: "tools", "aria-label": "Page" }, tools),
    );
    this.run = el("main", { class: "run" }, this.stage.element, this.tabs.element);
    this.foot = el("section", { class: "foot", "aria-label": "Time" }, this.plot.element, this.controls.element);
    document.body.replaceChildren(
      ...[header, this.connection, this.readout.element, this.run, this.foot, this.library.element],
      ...[this.announcer.element, this.toast, this.share.element, this.help.element, this.question.element],
    );
    this.showRun(false);
  }

  /** Either a run or the library. */
  showRun(isRun) {
    for (const part of [this.readout.element, this.run, this.foot, this.shareButton]) part.hidden = !isRun;
    this.shows.hidden = !isRun || !this.about?.shows;
    if (isRun) this.library.hide();
    this.libraryButton.hidden = this.source.isRecorded || !isRun || Boolean(this.about?.network);
    this.backButton.hidden = isRun || !this.about;
    document.body.classList.toggle("in-run", isRun);
  }

  /** A run, and not the library instead of it. */
  get showsRun() {
    return !this.run.hidden;
  }

  openLibrary() {
    this.showRun(false);
    setText(this.title, "Library");
    setText(this.details, "");
    this.library.show();
  }

  /** Back to the run that is watched still, if there is one. */
  leaveLibrary() {
    if (!this.about) return;
    this.nameRun(this.about);
    this.showRun(true);
    this.stage.redraw();
  }

  showAbout(about) {
    this.about = about;
    this.frame = null;
    this.chosen = null;
    if (this.picking) this.pickOther(null);
    if (!about) return this.openLibrary();
    this.showRun(true);
    this.choice = defaultChoice(about);
    this.coloring = new Coloring(about, this.choice);
    this.nameRun(about);
    for (const part of this.parts) part.showAbout?.(about);
    this.tabs.buttons[2].textContent = about.kind === "ring" ? "Process" : "Agent";
    this.tabs.offer("story", this.story.isOffered);
    this.tabs.offer("branches", !this.source.isRecorded);
    this.tabs.offer("network", Boolean(about.network));
    if (this.story.exists) this.tabs.open("story");
    if (about.network) this.tabs.open("network");
    return undefined;
  }

  /** What the head of the page says. */
  nameRun(about) {
    setText(this.title, sentenceCase(about.title || about.protocol));
    setText(this.shows, about.shows ?? "");
    const isRing = about.kind === "ring";
    const agents = isRing ? `${about.n} processes` : `n = ${grouped(about.n)}`;
    const details = [about.protocol, agents, isRing ? null : about.graph, about.engine && `${about.network ? "" : "engine "}${about.engine}`, `seed ${about.seed}`];
    setText(this.details, details.filter(Boolean).join("  ·  "));
    document.title = `${about.protocol}, ${agents} · princeps`;
  }

  /** At full speed, and on the way to something: then what takes time from the engine is asked for seldom or not at all. */
  get isHurrying() {
    return Boolean(this.status?.seeking || (this.status?.playing && this.status.speed === null));
  }

  /** The step of the picture; while a run plays, the newest that is known, since pictures of many agents are seldom. */
  get shownStep() {
    return this.newest?.step ?? "0";
  }

  /** How many lead at that step. */
  get shownLeaders() {
    return this.newest?.leaders;
  }

  get newest() {
    const { status, frame } = this;
    if (!status?.step || !frame?.step) return frame ?? status;
    const moves = status.playing || status.seeking;
    return moves && BigInt(status.step) > BigInt(frame.step) ? status : frame;
  }

  /** The run is that of real processes, and the page is at its end. */
  get isLive() {
    return Boolean(this.status?.network?.running && this.status.network.following);
  }

  get canAttack() {
    return !this.source.isRecorded && !this.isLive;
  }

  showStatus(status) {
    if (!this.about) return;
    this.status = status;
    for (const part of this.parts) part.showStatus?.(status);
    document.body.classList.toggle("busy", Boolean(status.busy));
    if (status.busy !== this.busy) {
      this.busy = status.busy;
      this.showConnection(status.busy ?? null);
    }
  }

  showFrame(frame) {
    this.frame = frame;
    for (const part of this.parts) part.showFrame?.(frame);
  }

  showSeries(series) {
    this.branches.showSeries(series);
  }

  showConnection(sentence) {
    this.connection.hidden = !sentence;
    setText(this.connection, sentence ?? "");
  }

  /** Frames as they come, each asked for when the last has been drawn. */
  async watch() {
    for (;;) {
      const frame = await this.source.nextFrame(this.choice);
      if (this.about) this.showFrame(frame);
      await new Promise((resolve) => (document.hidden ? setTimeout(resolve, 250) : requestAnimationFrame(resolve)));
    }
  }

  // -- what a person does ---------------------------------------------------------------------------------------

  /** Sends a word; what is refused is said. */
  async act(word, values = {}) {
    try {
      const answer = await this.source.do(word, values);
      if (!QUICK_WORDS.has(word)) this.plot.refresh();
      return answer;
    } catch (error) {
      this.say(error.message);
      return null;
    }
  }

  attack(values) {
    return this.act("attack", values);
  }

  /** A sentence that is shown for some seconds, and read out. */
  say(sentence) {
    this.toast.hidden = false;
    this.toast.textContent = sentence;
    clearTimeout(this.toastTimer);
    this.toastTimer = setTimeout(() => {
      this.toast.hidden = true;
    }, 6000);
  }

  togglePlay() {
    return this.act(this.status?.playing || this.status?.seeking ? "pause" : "play");
  }

  /** The server runs to a step that is not reached yet. */
  goTo(step) {
    return this.act("goto", { step: String(step) });
  }

  chooseColor(choice) {
    this.choice = choice;
    this.coloring = new Coloring(this.about, choice);
    this.stage.redraw();
    this.source.refresh(choice);
  }

  /** A click on an agent: the other one of a pair, or one whose card is opened. */
  pick(agent) {
    if (this.picking) {
      const { done } = this.picking;
      this.pickOther(null);
      return done(agent);
    }
    return this.chooseAgent(agent);
  }

  pickOther(done) {
    this.picking = done && { done };
    this.stage.say(done ? "Click the other agent (Escape: never mind)." : null);
  }

  chooseAgent(agent) {
    this.mark(agent);
    this.openPanel("card");
  }

  mark(agent) {
    this.chosen = agent;
    this.card.choose(agent);
    this.stage.redraw();
  }

  neverMind() {
    if (this.picking) this.pickOther(null);
    else this.mark(null);
  }

  openPanel(id, withFocus = false) {
    this.tabs.open(id);
    if (withFocus) document.getElementById(`tab-${this.tabs.present}`)?.focus();
  }

  focusCard() {
    this.openPanel("card");
    this.card.number.focus();
    this.card.number.select();
  }

  async choose(values) {
    if (!(await mayReplace(this))) return;
    const answer = await this.act("choose", values);
    if (answer) this.showRun(Boolean(this.about));
  }
}

// A network run: whether the page follows it, how far it is, who is dead, stopped or cut off, and at the end the verdict of
// the replay with the counters. What is done here is done to real processes.

import { el } from "./dom.js";
import { setText } from "./dom.js";
import { countOf } from "./numbers.js";
import { grouped } from "./numbers.js";

const PAUSED_SECONDS = 2;
export const LIVE_NOTE = "The network goes on by itself. Its processes are killed and stopped on an agent's card; pause and go back, and any other attack makes a branch that is simulated.";

/** "agents 3, 5". */
function numbered(word, agents) {
  return `${word}${agents.length === 1 ? "" : word.endsWith("s") ? "es" : "s"} ${agents.map(grouped).join(", ")}`;
}

/** On with a network run; of another one to the end of what was run. */
export function goLive(app) {
  return app.status?.network && !app.source.isRecorded ? app.act("live") : app.goTo(BigInt(app.status?.end ?? "0"));
}

/** What is done to the process of a chosen agent. */
export function networkDeeds(app, agent) {
  const { orders } = app.about.network;
  const order = async (kind, values, said) => {
    if (await app.act("order", { kind, agent, ...values })) app.say(said);
  };
  const kill = () => order("kill", {}, `The process of ${agent} is killed.`);
  const stop = () => order("pause", { seconds: PAUSED_SECONDS }, `The process of ${agent} is stopped for ${PAUSED_SECONDS} seconds.`);
  const off = orders.length === 0;
  const why = off ? "a conducted run is that of the seed" : null;
  const deeds = [
    el("button", { onclick: kill, disabled: off, title: why ?? "kill -9 of the real process" }, "Kill its process"),
    el("button", { onclick: stop, disabled: off, title: why ?? "SIGSTOP, and SIGCONT later" }, `Stop it for ${PAUSED_SECONDS} s`),
  ];
  return [el("div", { class: "row" }, deeds)];
}

export class NetworkPanel {
  constructor(app) {
    this.app = app;
    this.sentence = el("p", { class: "sentence" });
    this.live = el("button", { onclick: () => goLive(app), title: "Follow the network (End)" }, "Live");
    this.processes = el("ul", { class: "network-processes" });
    this.verdict = el("h3", { class: "verdict", hidden: true });
    this.rows = el("dl", { class: "report-rows" });
    const result = el("div", { role: "status" }, this.verdict, this.rows);
    this.element = el("div", { class: "network-panel" }, this.sentence, el("div", { class: "row" }, this.live), this.processes, result);
  }

  showAbout(about) {
    this.about = about;
    this.word = about.kind === "ring" ? "process" : "agent";
    this.key = null;
    this.verdict.hidden = true;
    this.rows.replaceChildren();
  }

  showStatus(status) {
    const { network } = status;
    if (!network) return;
    setText(this.sentence, this.sentenceOf(status, network));
    this.live.hidden = !network.running;
    this.live.disabled = network.following;
    const items = [
      network.dead.length && `${numbered(this.word, network.dead)}: dead`,
      network.paused.length && `${numbered(this.word, network.paused)}: stopped`,
      network.cuts && `${countOf(network.cuts, "arc")} cut`,
    ].filter(Boolean);
    const key = JSON.stringify(items);
    if (key !== this.key) this.processes.replaceChildren(...items.map((text) => el("li", {}, text)));
    this.key = key;
    if (network.result && this.verdict.hidden) {
      this.showResult(network.result);
      if (network.on_tape) this.app.openPanel("network");
    }
  }

  sentenceOf(status, network) {
    const over = `over ${this.about.network.transport}`;
    if (!network.on_tape) return "This is a branch, which is simulated. The network run is branch 0.";
    if (!network.running) return `The network ran ${over} for ${network.now} seconds.`;
    if (network.following) return `The network runs ${over}; this page follows it.`;
    return `The network runs ${over} and is at ${network.now} seconds. The page stands at step ${grouped(status.step)}.`;
  }

  showResult(result) {
    this.verdict.hidden = false;
    this.verdict.classList.toggle("differs", !result.agrees);
    const early = result.interrupted ? "Interrupted. " : "";
    setText(this.verdict, `${early}The replay ${result.verdict}.`);
    this.rows.replaceChildren(...result.rows.flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, value)]));
  }
}

// Marks below the curve: leader changes as ticks, goals as flags (empty where one no longer holds), attacks as crosses.

import { svgEl } from "./dom.js";
import { grouped } from "./numbers.js";

const MOST_TICKS = 600; // of leader changes: more would be one band
const MARK_WORDS = { leaders: "leader change", goal: "goal", lost: "goal", fault: "attack" };

/** At most so many of a list, evenly chosen, the last one among them. */
function thinned(list, most) {
  if (list.length <= most) return list;
  return Array.from({ length: most }, (_, k) => list[Math.floor(((k + 1) * list.length) / most) - 1]);
}

/** All goals and attacks, and as many leader changes as can be told apart. */
export function shownMarks(branch) {
  const changes = branch.marks.filter(([, kind]) => kind === "leaders");
  const others = branch.marks.filter(([, kind]) => kind !== "leaders");
  return [...thinned(changes, MOST_TICKS), ...others];
}

/** Whether something changed that has no mark: left out by the server, or here. */
export function marksAreMissing(branch) {
  return branch.complete === false || shownMarks(branch).length < branch.marks.length;
}

/** One mark at the place x, around the height y. */
export function markElement([step, kind, text], x, y) {
  const flag = `M${x} ${y - 5}l5 2.5-5 2.5ZM${x} ${y - 5}V${y + 4}`;
  const shape = {
    leaders: `M${x} ${y - 3}V${y + 3}`,
    goal: flag,
    lost: flag,
    fault: `M${x - 3.5} ${y - 3.5}l7 7m0-7-7 7`,
  }[kind];
  const said = `step ${grouped(step)}: ${MARK_WORDS[kind]}${text ? `, ${text}` : ""}`;
  return svgEl("path", { d: shape, class: `tick-mark ${kind}` }, svgEl("title", {}, said));
}

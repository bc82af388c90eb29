// What the plot shows over time: the leaders, how many agents satisfy another predicate, or all of these at once.

import { markClass } from "./palette.js";

export const LEADERS = "leaders";
export const ALL_COUNTS = "all counts";

/** The leaders, with the exact steps at which marks say that their number changed. */
function leadersOf(branch) {
  const told = (branch.marks ?? [])
    .filter(([, kind, text]) => kind === "leaders" && /^[\d,]+ leaders?$/.test(text))
    .map(([step, , text]) => [step, text.replace(/\D/g, "")]);
  if (!told.length) return branch.points;
  const all = [...branch.points, ...told].map((point) => [BigInt(point[0]), point]);
  return all.sort((a, b) => (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0)).map(([, point]) => point);
}

/** The points at which it is known how many agents satisfy the predicate with this number. */
function countsOf(branch, place) {
  return branch.points.filter((point) => point[2].length > place).map((point) => [point[0], point[2][place]]);
}

/** Names of what can be plotted. */
export function plotChoices(about) {
  const others = about.predicates.filter((name) => name !== LEADERS);
  return others.length ? [LEADERS, ...others, ALL_COUNTS] : [LEADERS];
}

/** The curves of a choice: [{name, className, pointsOf(branch) -> [[step, count]..]}..]. */
export function curvesOf(about, choice) {
  if (choice === LEADERS) return [{ name: LEADERS, className: "present", pointsOf: leadersOf }];
  const curve = (name, className) => {
    const place = about.predicates.indexOf(name);
    return { name, className, pointsOf: (branch) => countsOf(branch, place) };
  };
  if (choice !== ALL_COUNTS) return [curve(choice, "present")];
  return about.predicates.map((name, place) => curve(name, `count ${markClass(place)}`));
}

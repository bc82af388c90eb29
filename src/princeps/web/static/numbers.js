// Steps and counts are decimal text, since they may exceed 2^53; this file computes with BigInt and writes for people.

/** "1234567" -> "1,234,567". */
export function grouped(text) {
  return String(text).replace(/\B(?=(\d{3})+(?!\d))/g, ",");
}

/** A number as the server takes it: text where the browser's numbers are not exact. */
export function exactNumber(text) {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : text;
}

/** One agent, two agents: grouped("2") with the word in the right number. */
export function countOf(text, word) {
  return `${grouped(text)} ${String(text) === "1" ? word : `${word}s`}`;
}

/** Short, for axes: 12, 3.4k, 1.2M, 5e9. */
export function shortNumber(value) {
  const number = Number(value);
  if (number < 10000) return grouped(Math.round(number));
  if (number < 1e6) return `${trimmed(number / 1e3)}k`;
  if (number < 1e9) return `${trimmed(number / 1e6)}M`;
  return number.toExponential(1).replace(".0e", "e").replace("e+", "e");
}

function trimmed(number) {
  return number >= 100 ? String(Math.round(number)) : number.toFixed(1).replace(/\.0$/, "");
}

/** What a person typed as a step: 12000, 12,000, 1e6, 1.5e3; null if it is none. */
export function readStep(text) {
  const plain = text.trim().replace(/[,_\s']/g, "");
  if (/^\d+$/.test(plain)) return BigInt(plain);
  const parts = /^(\d+)(?:\.(\d*))?[eE]\+?(\d{1,3})$/.exec(plain);
  if (!parts) return null;
  const digits = parts[2] ?? "";
  const zeros = Number(parts[3]) - digits.length;
  if (zeros < 0) return null;
  return BigInt(parts[1] + digits + "0".repeat(zeros));
}

/** Where `step` lies in 0..`end`, between 0 and 1. */
export function fractionOf(step, end) {
  const [part, whole] = [BigInt(step), BigInt(end)];
  if (whole <= 0n) return 0;
  const million = (part * 1000000n) / whole;
  return Math.min(1, Math.max(0, Number(million) / 1e6));
}

/** The step at this fraction of 0..`end`. */
export function stepAt(fraction, end) {
  const clamped = Math.min(1, Math.max(0, fraction));
  return (BigInt(end) * BigInt(Math.round(clamped * 1e6)) + 500000n) / 1000000n;
}

/** Speeds in steps a second, 1-2-5 up to a power of ten; after them null: as fast as the engine goes. */
function speedsUpTo(most) {
  const speeds = [];
  for (let power = 1; power < most; power *= 10) speeds.push(power, 2 * power, 5 * power);
  return [...speeds, most, null];
}

/** Of agents one by one, and of those that are only counted, whose engine takes 10^18 steps in a moment. */
const AGENT_SPEEDS = speedsUpTo(1e9);
const COUNT_SPEEDS = speedsUpTo(1e18);

export function speedsOf(about) {
  return about?.view === "counts" ? COUNT_SPEEDS : AGENT_SPEEDS;
}

export function speedText(speed) {
  if (speed === null) return "as fast as it goes";
  return `${speed <= 1e9 ? grouped(speed) : shortNumber(speed)} ${speed === 1 ? "step" : "steps"}/s`;
}

/** The place in a list of speeds that is nearest to a speed. */
export function speedIndex(speeds, speed) {
  if (speed === null || speed === undefined) return speeds.length - 1;
  let best = 0;
  for (let k = 0; k < speeds.length - 1; k++) {
    if (Math.abs(Math.log(speeds[k] / speed)) < Math.abs(Math.log(speeds[best] / speed))) best = k;
  }
  return best;
}

// "Colour by": from a state to a class of colour, by one field or by one predicate.

import { hueClass, rampClass, rampLevel } from "./palette.js";

const NAMED_VALUES = 9; // up to so many values each has a hue of its own; more lie on a ramp

/** The choices of a protocol: what its look lists, otherwise every predicate and field. */
export function colorChoices(about) {
  const listed = about.look?.choices;
  if (listed?.length) return listed;
  return [
    ...about.predicates.map((name) => ({ by: "predicate", name })),
    ...about.fields.map((field) => ({ by: "field", name: field.name, values: field.names })),
  ];
}

/** The choice that the look names as its default. */
export function defaultChoice(about) {
  const choices = colorChoices(about);
  return choices.find((choice) => choice.name === about.look?.color) ?? choices[0] ?? null;
}

export function sameChoice(one, other) {
  return one?.by === other?.by && one?.name === other?.name;
}

/** Says for each state the class of colour, and lists the classes for the legend. */
export class Coloring {
  constructor(about, choice) {
    this.choice = choice;
    const fields = about.fields ?? [];
    this.index = choice?.by === "predicate" ? about.predicates.indexOf(choice.name) : -1;
    this.field = choice?.by === "field" ? fields.findIndex((field) => field.name === choice.name) : -1;
    this.names = choice?.values ?? fields[this.field]?.names ?? null;
    this.size = fields[this.field]?.size ?? null;
    this.isRamp = this.field >= 0 && (this.size === null || this.size > NAMED_VALUES);
    this.isLeading = choice?.by === "predicate" || choice?.name === "leader";
  }

  /** The class of the style sheet for a state. */
  classOf(state) {
    if (!state) return hueClass(0);
    if (this.index >= 0) return hueClass(state.p[this.index] ? 1 : 0);
    if (this.field < 0) return hueClass(state.leader ? 1 : 0);
    const value = this.numberOf(state.f[this.field]);
    return this.isRamp ? rampClass(rampLevel(value, this.size)) : hueClass(this.hueOf(value));
  }

  /** Values may come as numbers or by name. */
  numberOf(value) {
    if (typeof value === "number") return value;
    const found = this.names ? this.names.indexOf(value) : -1;
    return found >= 0 ? found : Number(value) || 0;
  }

  hueOf(value) {
    if (this.isLeading || value === 0) return value; // 0 is quiet; hue 1 belongs to those who lead
    return value + 1;
  }

  /** [{className, label}..] for the legend. */
  classes() {
    if (this.index >= 0) {
      return [
        { className: hueClass(1), label: this.choice.name },
        { className: hueClass(0), label: `not ${this.choice.name}` },
      ];
    }
    if (this.field < 0) return [];
    if (this.isRamp) return [0, 0.25, 0.5, 0.75, 1].map((part) => this.rampEntry(part));
    return Array.from({ length: this.size }, (_, value) => ({
      className: hueClass(this.hueOf(value)),
      label: `${this.choice.name} = ${this.names?.[value] ?? value}`,
    }));
  }

  rampEntry(part) {
    const value = this.size === null ? 2 ** (part * 12) : Math.round(part * (this.size - 1));
    return { className: rampClass(rampLevel(value, this.size)), label: String(value) };
  }
}

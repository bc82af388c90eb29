// Colours by number. The hues are those of Okabe and Ito, which people with any colour vision can tell apart; numbers of
// a large field lie on a ramp whose lightness grows evenly. The values are CSS variables, one set for light, one for dark.

const HUES = 10;
const RAMP = 16;

/** The CSS class that fills with a hue: 0 is quiet, 1 the hue of leaders. */
export function hueClass(hue) {
  return `hue-${((hue % HUES) + HUES) % HUES}`;
}

/** The CSS class of a mark's colour, strong for every number. */
export function markClass(hue) {
  return `tint-${((hue % HUES) + HUES) % HUES}`;
}

export function rampClass(level) {
  return `ramp-${Math.max(0, Math.min(RAMP - 1, level))}`;
}

export function rampLevel(value, size) {
  if (!size) return Math.min(RAMP - 1, value > 0 ? 1 + Math.floor(Math.log2(value)) : 0); // a field without a largest value
  return size <= 1 ? 0 : Math.round((value / (size - 1)) * (RAMP - 1));
}

/** The colour that a class of the style sheet fills with, as [red, green, blue]. */
export function rgbOfClass(name) {
  const text = getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
  const hex = /^#([0-9a-f]{6})$/i.exec(text);
  const number = hex ? parseInt(hex[1], 16) : 0x888888;
  return [number >> 16, (number >> 8) & 255, number & 255];
}

/** The same as a number for an image's buffer of 32-bit pixels (little-endian: alpha, blue, green, red). */
export function pixelOfClass(name) {
  const [red, green, blue] = rgbOfClass(name);
  return ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;
}

// Elements of the page: HTML and SVG, made by functions instead of strings, so that no text can become markup.

const SVG_SPACE = "http://www.w3.org/2000/svg";

function fillElement(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "class") element.setAttribute("class", value);
    else if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children.flat(3)) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child);
  }
  return element;
}

/** An HTML element: el("button", {class: "quiet", onclick: f}, "Play"). */
export function el(tag, attributes, ...children) {
  return fillElement(document.createElement(tag), attributes, children);
}

/** An SVG element. */
export function svgEl(tag, attributes, ...children) {
  return fillElement(document.createElementNS(SVG_SPACE, tag), attributes, children);
}

/** Sets attributes of an element that exists; null removes one. */
export function setAttributes(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === false) element.removeAttribute(name);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  return element;
}

/** Text that is only written when it differs: a screen reader and the layout notice every write. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** A small picture for a button, from one path on a grid of 24. */
export function icon(path) {
  return svgEl("svg", { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" }, svgEl("path", { d: path }));
}

/** A title that begins with a capital letter; names with signs, like A_k, stay as they are. */
export function sentenceCase(text) {
  return /^[a-z]+\b(?!_)/.test(text) ? text[0].toUpperCase() + text.slice(1) : text;
}

/** A control with its label in front. */
export function labelled(text, control) {
  return el("label", { class: "labelled" }, el("span", {}, text), control);
}

export function motionIsReduced() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** Calls `work` at most once in `milliseconds`, and once more at the end if it was asked for meanwhile. */
export function atMostEvery(milliseconds, work) {
  let last = -Infinity;
  let waiting = null;
  return (...values) => {
    const rest = last + milliseconds - performance.now();
    clearTimeout(waiting);
    if (rest <= 0) {
      last = performance.now();
      work(...values);
    } else {
      waiting = setTimeout(() => {
        last = performance.now();
        work(...values);
      }, rest);
    }
  };
}

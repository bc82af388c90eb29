// The picture as a file: SVG with the styles written into it, PNG from that or from the canvas.

const STYLES = [
  ...["fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-linecap", "opacity", "visibility"],
  ...["font-family", "font-size", "font-weight", "text-anchor", "dominant-baseline", "letter-spacing", "paint-order"],
];

/** A copy of a drawing that looks the same outside of the page. */
export function standaloneSvg(svg) {
  const copy = svg.cloneNode(true);
  const [from, to] = [svg.querySelectorAll("*"), copy.querySelectorAll("*")];
  from.forEach((element, place) => {
    const style = getComputedStyle(element);
    for (const name of STYLES) to[place].setAttribute(name, style.getPropertyValue(name));
    const { transform } = element.style;
    if (transform) to[place].setAttribute("transform", transform.replaceAll("px", ""));
    to[place].removeAttribute("class");
  });
  copy.querySelectorAll('[visibility="hidden"]').forEach((element) => element.remove());
  const box = svg.viewBox.baseVal;
  const ground = document.createElementNS(copy.namespaceURI, "rect");
  const values = { x: box.x, y: box.y, width: box.width, height: box.height, fill: groundColor() };
  for (const [name, value] of Object.entries(values)) ground.setAttribute(name, value);
  copy.prepend(ground);
  copy.setAttribute("width", box.width);
  copy.setAttribute("height", box.height);
  return new XMLSerializer().serializeToString(copy);
}

function groundColor() {
  return getComputedStyle(document.documentElement).getPropertyValue("--ground").trim() || "#ffffff";
}

/** The drawing of a view, or its canvas. */
function drawnElement(view) {
  if (view.canvas) return view.canvas;
  if (view.svg) return view.svg;
  return view.element instanceof SVGSVGElement ? view.element : null;
}

export function canBeDrawn(view) {
  return drawnElement(view) !== null;
}

/** Paints the present picture onto a canvas. */
export async function paint(view, canvas, size) {
  const drawn = drawnElement(view);
  const box = drawn instanceof SVGSVGElement ? drawn.viewBox.baseVal : drawn;
  const scale = size / Math.max(box.width, box.height);
  const [width, height] = [Math.round(box.width * scale), Math.round(box.height * scale)];
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
  const context = canvas.getContext("2d");
  if (drawn instanceof HTMLCanvasElement) {
    context.imageSmoothingEnabled = false;
    context.drawImage(drawn, 0, 0, width, height);
    return;
  }
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(standaloneSvg(drawn))}`;
  await image.decode();
  context.drawImage(image, 0, 0, width, height);
}

export function download(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

export function saveSvg(view, name) {
  const drawn = drawnElement(view);
  if (!(drawn instanceof SVGSVGElement)) throw new Error("This view is made of pixels: save it as PNG.");
  download(new Blob([standaloneSvg(drawn)], { type: "image/svg+xml" }), `${name}.svg`);
}

export async function savePng(view, name) {
  const canvas = document.createElement("canvas");
  const drawn = drawnElement(view);
  await paint(view, canvas, drawn instanceof HTMLCanvasElement ? Math.max(1000, drawn.width) : 1600);
  const blob = await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
  download(blob, `${name}.png`);
}

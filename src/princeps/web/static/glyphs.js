// The shapes of marks, each within -1..1 in both directions, drawn by a path. Shape and colour always say the same.

const GLYPH_PATHS = {
  crown: "M-1 .8H1V.45H-1ZM-1 .28 -1-.62-.48-.1 0-.9.48-.1 1-.62V.28Z",
  bullet: "M-.95-.5H.15C.65-.5 1-.2 1 0S.65.5.15.5H-.95Z",
  dummy: "M-.95-.5H.15C.65-.5 1-.2 1 0S.65.5.15.5H-.95ZM-.68-.23V.23H.12C.4.23.66.12.66 0S.4-.23.12-.23Z",
  shield: "M0-1C.3-.8.6-.7.9-.7.9.2.6.7 0 1-.6.7-.9.2-.9-.7-.6-.7-.3-.8 0-1Z",
  signal: "M-.15-.9.35-.9-.35 0 .35.9-.15.9-.85 0ZM.6-.9 1-.9.4 0 1 .9.6.9-.05 0Z",
  dot: "M0-.62A.62.62 0 1 1 0 .62.62.62 0 1 1 0-.62Z",
  flag: "M-.7-1H-.45V1H-.7ZM-.35-.95 .9-.5-.35-.05Z",
  spark: "M0-1 .24-.24 1 0 .24.24 0 1-.24.24-1 0-.24-.24Z",
  square: "M-.65-.65H.65V.65H-.65Z",
  triangle: "M0-.85.9.7H-.9Z",
  cross: "M-.85-.55-.55-.85 0-.3.55-.85.85-.55.3 0 .85.55.55.85 0 .3-.55.85-.85.55-.3 0Z",
  ring: "M0-.8A.8.8 0 1 1 0 .8.8.8 0 1 1 0-.8ZM0-.45A.45.45 0 1 0 0 .45.45.45 0 1 0 0-.45Z",
};

/** The path of a shape; what is not known is a dot. */
export function glyphPath(shape) {
  return GLYPH_PATHS[shape] ?? GLYPH_PATHS.dot;
}

/** Lanes in which marks lie: a live and a dummy bullet share one, since an agent holds at most one of them. */
export function laneKey(shape) {
  return shape === "dummy" ? "bullet" : shape;
}

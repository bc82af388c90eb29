"""The looks of a page: light and dark as the reader's system is, narrow and wide, and on paper."""

CSS = """
:root {
  --ground: #ffffff; --ink: #1c2024; --soft: #5b6470; --rule: #d9dde2; --panel: #f5f6f8; --link: #0b5cad;
  --proved: #0b5f3c; --proved-ground: #cfeedd; --supported: #1c6b2a; --supported-ground: #e4f5e0;
  --demonstrated: #14546b; --demonstrated-ground: #d9eef6;
  --printed: #7a4b00; --printed-ground: #fdebc8; --violated: #9c1c1c; --violated-ground: #fbdad7;
  --open: #6a2c8e; --open-ground: #efe0f7; --beyond: #0c5a74; --beyond-ground: #d9eff6;
  --ours: #4a4f12; --ours-ground: #f0f1cd;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --ground: #14171a; --ink: #e3e6e9; --soft: #a0a8b1; --rule: #343a41; --panel: #1d2125; --link: #7db7f2;
    --proved: #8fe3b8; --proved-ground: #0f3d2a; --supported: #a5dc9c; --supported-ground: #1d3a1f;
    --demonstrated: #9fd8ec; --demonstrated-ground: #14323d;
    --printed: #f3c877; --printed-ground: #46340f; --violated: #ffaca4; --violated-ground: #581c1a;
    --open: #dbb2ef; --open-ground: #40254f; --beyond: #92d5ea; --beyond-ground: #103c4a;
    --ours: #dfe08d; --ours-ground: #393b12;
    --series-1: #4aa8e0; --series-2: #ff8a3d; --series-3: #2fc89b; --series-4: #e59cc4; --series-5: #f0b83a;
    --series-6: #8accf2;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0 auto; padding: 1.5rem 1.25rem 4rem; max-width: 70rem; background: var(--ground); color: var(--ink);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
  overflow-wrap: break-word;
}
a { color: var(--link); }
h1 { font-size: 1.7rem; line-height: 1.2; margin: 0.1rem 0 0.75rem; }
h2 { font-size: 1.3rem; margin: 2.5rem 0 0.75rem; padding-bottom: 0.25rem; border-bottom: 1px solid var(--rule); }
h3 { font-size: 1.05rem; margin: 0 0 0.4rem; }
p { margin: 0.4rem 0; }
sup { font-size: 0.72em; line-height: 0; }
.eyebrow, .note, figcaption, caption { color: var(--soft); }
.eyebrow { margin: 0; letter-spacing: 0.03em; }
.note, figcaption { font-size: 0.9rem; }
nav { margin: 1rem 0 0; display: flex; flex-wrap: wrap; gap: 0.3rem 1.2rem; }
dl.about { display: grid; grid-template-columns: max-content 1fr; gap: 0.25rem 1rem; margin: 1rem 0; }
dl.about dt { color: var(--soft); }
dl.about dd { margin: 0; min-width: 0; }
.sum { font-size: 1.1rem; margin: 1rem 0 0; line-height: 1.9; }
code, pre { font-family: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: 0.86em; }
code { overflow-wrap: anywhere; }
pre {
  margin: 0.3rem 0; padding: 0.35rem 0.6rem; background: var(--panel); border-radius: 0.3rem;
  white-space: pre-wrap; overflow-wrap: anywhere;
}
.badge, .tag {
  display: inline-block; padding: 0.05rem 0.5rem; border-radius: 0.75rem; border: 1px solid currentColor;
  font-size: 0.85rem; line-height: 1.35; font-weight: 600; white-space: nowrap;
  -webkit-print-color-adjust: exact; print-color-adjust: exact;
}
.tag { border-radius: 0.25rem; padding: 0 0.35rem; font-size: 0.78rem; }
.proved { color: var(--proved); background: var(--proved-ground); }
.supported { color: var(--supported); background: var(--supported-ground); }
.demonstrated { color: var(--demonstrated); background: var(--demonstrated-ground); }
.printed { color: var(--printed); background: var(--printed-ground); }
.violated { color: var(--violated); background: var(--violated-ground); }
.open { color: var(--open); background: var(--open-ground); }
.beyond { color: var(--beyond); background: var(--beyond-ground); }
.ours { color: var(--ours); background: var(--ours-ground); }
.odd { display: block; color: var(--violated); font-weight: 600; font-size: 0.85rem; }
table { border-collapse: collapse; width: 100%; font-size: 0.93rem; font-variant-numeric: tabular-nums; }
th, td { text-align: left; vertical-align: top; padding: 0.4rem 0.6rem; border-bottom: 1px solid var(--rule); }
th { color: var(--soft); font-weight: 600; }
tbody th { color: inherit; }
table.rows .statement { min-width: 16rem; }
td.chips { line-height: 1.8; }
tfoot td, tfoot th { border-bottom: 0; font-weight: 600; color: inherit; }
.number { text-align: right; }
.scroll { overflow-x: auto; }
.scroll table { width: auto; min-width: 50%; }
.card { border: 1px solid var(--rule); border-radius: 0.5rem; padding: 0.8rem 1rem; margin: 0.9rem 0; }
.card h3 .badge { margin-left: 0.3rem; }
.card h3 .statement { font-weight: 400; }
ul.parts { list-style: none; margin: 0.5rem 0; padding: 0; }
ul.parts > li { padding: 0.5rem 0 0.5rem 0.8rem; border-left: 3px solid var(--rule); margin: 0.4rem 0; }
ul.parts p { margin: 0.15rem 0; }
.card dl.about { margin: 0.6rem 0 0; gap: 0.1rem 0.8rem; font-size: 0.93rem; }
figure { margin: 0.9rem 0; }
figure svg { display: block; width: 100%; max-width: 34rem; height: auto; margin: 0.5rem 0; color: var(--ink); }
figcaption { margin-top: 0.5rem; }
@media (max-width: 46rem) {
  body { padding: 1rem 0.8rem 3rem; }
  h1 { font-size: 1.4rem; }
  dl.about { display: block; }
  dl.about dd { margin-bottom: 0.4rem; }
  .card { padding: 0.6rem 0.7rem; }
  table.rows thead { display: none; }
  table.rows, table.rows tbody, table.rows tfoot, table.rows td, table.rows th { display: block; }
  table.rows tr {
    display: flex; flex-wrap: wrap; gap: 0.1rem 0.9rem; align-items: baseline; padding: 0.6rem 0;
    border-bottom: 1px solid var(--rule);
  }
  table.rows .verdict { order: -1; margin-left: auto; }
  table.rows th { order: -2; }
  table.rows .statement, table.rows .chips { width: 100%; }
  table.rows td, table.rows th { padding: 0.1rem 0; border: 0; text-align: left; white-space: normal; }
  table.rows td[data-name]::before { content: attr(data-name) ": "; color: var(--soft); }
  table.rows td:empty { display: none; }
}
@media print {
  html { font-size: 9pt; }
  body { max-width: none; padding: 0; }
  nav { display: none; }
  a { color: inherit; text-decoration: none; }
  h2, h3 { break-after: avoid; }
  h3, tr, pre, figure, ul.parts > li { break-inside: avoid; }
  table.rows .statement { min-width: 12rem; }
  thead { display: table-header-group; }
}
"""

// Copying text, also where the browser has no clipboard for pages without https.

import { el } from "./dom.js";
import { icon } from "./dom.js";

const COPY_PATH = "M9 9h11v11H9zM5 15H4V4h11v1";

export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = el("textarea", { class: "unseen" }, text);
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
}

/** A button that copies what the function gives and says so. */
export function copyButton(text, label) {
  const said = el("span", { class: "button-word" }, "Copy");
  const button = el("button", { class: "quiet copy", "aria-label": label, title: label }, icon(COPY_PATH), said);
  button.addEventListener("click", async () => {
    await copyText(text());
    said.textContent = "Copied";
    button.classList.add("done");
    setTimeout(() => {
      said.textContent = "Copy";
      button.classList.remove("done");
    }, 1500);
  });
  return button;
}

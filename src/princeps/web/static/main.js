// The beginning: a recording that lies in the page, or the server that the page came from.

import { App } from "./app.js";
import { LiveSource } from "./live_source.js";
import { openCode } from "./open_code.js";
import { RecordedSource } from "./recorded_source.js";
import { socketAddress } from "./live_source.js";

async function begin() {
  const kept = document.getElementById("recording");
  if (kept) {
    const source = await RecordedSource.open(JSON.parse(kept.textContent));
    const app = new App(source);
    globalThis.princeps = app; // for the console and for tests
    source.start();
    app.watch();
    return;
  }
  const source = new LiveSource(socketAddress());
  const app = new App(source);
  globalThis.princeps = app;
  source.open();
  app.watch();
  source.socket.addEventListener("open", () => openAddress(app), { once: true });
  addEventListener("hashchange", () => openAddress(app));
}

/** The code of the page's address is opened once: whoever loads the page again sees the run as it is. */
async function openAddress(app) {
  const code = new URLSearchParams(location.hash.slice(1)).get("s");
  if (code === null) return;
  try {
    await openCode(app, code);
  } catch (error) {
    app.say(error.message);
  }
  history.replaceState(null, "", location.pathname + location.search);
}

begin().catch((error) => {
  document.body.textContent = `The page cannot be shown: ${error.message}`;
});

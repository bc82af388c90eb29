// The run of a server, over one WebSocket. The page asks for the next frame when it has drawn the last, so a slow tab
// never has a queue. A lost connection is tried again after 0.5, 1, 2, ... 15 seconds.

import { FrameDecoder } from "./frame_decoder.js";
import { Source } from "./source.js";

const LONGEST_PAUSE = 15000;
const TOO_MANY_PAGES = 1013; // why the server has closed the connection
const LONG_COMMAND = 300; // characters, after which the command is not written into the sentence
const FULL = "Too many pages are open on this server: close one that you do not need.";

export class LiveSource extends Source {
  constructor(address) {
    super();
    this.address = address;
    this.decoder = new FrameDecoder();
    this.replies = new Map();
    this.nextId = 1;
    this.version = -1;
    this.waiting = null; // who waits for a frame
    this.newest = null; // a frame that nobody has taken yet
    this.pause = 500;
    this.command = ""; // that repeats the run, as the server said last
    this.bytes = 0;
    this.frames = 0;
  }

  open() {
    this.socket = new WebSocket(this.address);
    this.socket.binaryType = "arraybuffer";
    this.socket.addEventListener("open", () => this.greet());
    this.socket.addEventListener("message", (event) => this.receive(event.data));
    this.socket.addEventListener("close", (event) => this.closed(event));
    return this;
  }

  greet() {
    this.do("hello")
      .then((answer) => this.greeted(answer))
      .catch((error) => this.socket.readyState === WebSocket.OPEN && this.onConnection(error.message));
    if (this.waiting) this.ask(this.waiting.choice, true);
  }

  greeted(answer) {
    this.pause = 500;
    this.onConnection(null);
    if (answer.library) this.receiveAbout(null);
  }

  closed(event) {
    for (const reply of this.replies.values()) reply.reject(new Error(this.ended()));
    this.replies.clear();
    this.decoder = new FrameDecoder();
    this.version = -1;
    this.onConnection(`${event.code === TOO_MANY_PAGES ? FULL : this.ended()} Trying again in ${this.pause / 1000} s.`);
    setTimeout(() => this.open(), this.pause);
    this.pause = Math.min(LONGEST_PAUSE, this.pause * 2);
  }

  /** A server that is started again has another address, which it prints and opens. */
  ended() {
    const short = this.command.length <= LONG_COMMAND ? `: ${watchCommand(this.command)}` : " with the command that repeats the run, written princeps watch";
    return `The server has ended, or cannot be reached. Start it again in a terminal${short}; it opens a page of its own.`;
  }

  receive(data) {
    if (typeof data !== "string") return this.receiveFrame(data);
    const message = JSON.parse(data);
    if (message.about !== undefined) this.receiveAbout(message.about);
    if (message.status) {
      this.command = message.status.command ?? "";
      this.onStatus(message.status);
    }
    if (message.reply !== undefined) {
      const reply = this.replies.get(message.reply);
      this.replies.delete(message.reply);
      if (message.error) reply?.reject(new Error(message.error));
      else reply?.resolve(message);
    }
    return undefined;
  }

  receiveAbout(about) {
    this.about = about;
    this.version = -1;
    this.newest = null;
    this.onAbout(about);
    if (about && this.waiting) this.ask(this.waiting.choice, true);
  }

  receiveFrame(data) {
    this.bytes += data.byteLength;
    this.frames += 1;
    const frame = this.decoder.decode(data);
    this.version = frame.v;
    if (!this.about) return;
    if (this.waiting) {
      const { resolve } = this.waiting;
      this.waiting = null;
      resolve(frame);
    } else this.newest = frame;
  }

  ask(choice, again = false) {
    const values = { ...this.decoder.known(), v: again ? -1 : this.version, choice: choice?.name ?? null };
    this.do("frame", values).catch(() => {});
  }

  nextFrame(choice) {
    if (this.newest) {
      const frame = this.newest;
      this.newest = null;
      return Promise.resolve(frame);
    }
    return new Promise((resolve) => {
      this.waiting = { resolve, choice };
      this.ask(choice);
    });
  }

  /** The steps before the present one, for a diagram of what happened before; null where they are not known. */
  async framesBefore(count) {
    try {
      return (await this.do("before", { count })).frames;
    } catch {
      return null; // a server that is gone says so elsewhere
    }
  }

  refresh(choice) {
    if (this.waiting) this.waiting.choice = choice;
    this.ask(choice, true);
  }

  do(word, values = {}) {
    if (this.socket?.readyState !== WebSocket.OPEN) return Promise.reject(new Error(this.ended()));
    const id = this.nextId++;
    const promise = new Promise((resolve, reject) => this.replies.set(id, { resolve, reject }));
    this.socket.send(JSON.stringify({ id, do: word, ...values }));
    return promise;
  }
}

/** The command that watches the run which another one repeats. */
export function watchCommand(command) {
  return command === "" ? "princeps watch" : command.replace(/^princeps run /, "princeps watch ");
}

/** The address of the socket of the server that this page came from. */
export function socketAddress() {
  const address = new URL("socket", location.href);
  address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
  address.hash = "";
  return address.href;
}

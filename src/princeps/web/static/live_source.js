// The run of a server, over one WebSocket. The page asks for the next frame when it begins to draw the last: the server
// makes the one while the other is drawn, and a slow tab has one frame in hand and never a queue. A lost connection is
// tried again after 0.5, 1, 2, ... 15 seconds.

import { FrameDecoder } from "./frame_decoder.js";
import { Source } from "./source.js";

const LONGEST_PAUSE = 15000;
const REFUSED_PAUSE = 1000; // milliseconds after which a frame that was refused is asked for again
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
    this.choice = null; // by which the last frame is coloured
    this.waiting = null; // who waits for a frame
    this.newest = null; // a frame that nobody has taken yet
    this.asked = null; // the question for a frame that is under way
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
    this.asked = null;
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
    this.choice = null;
    this.newest = null;
    this.onAbout(about);
    if (about && this.waiting) this.ask(this.waiting.choice, true);
  }

  receiveFrame(data) {
    this.bytes += data.byteLength;
    this.frames += 1;
    this.asked = null;
    const frame = this.decoder.decode(data);
    this.version = frame.v;
    this.choice = frame.choice ?? null;
    if (!this.about) return;
    if (this.waiting) {
      const { resolve, choice } = this.waiting;
      this.waiting = null;
      resolve(frame);
      this.ask(choice);
    } else this.newest = frame;
  }

  /** One question is under way at a time; a later one replaces it. */
  ask(choice, again = false) {
    const isRecoloured = this.choice !== null && choice && choice.name !== this.choice; // whatever has come meanwhile
    const v = again || isRecoloured ? -1 : this.version;
    const question = {};
    this.asked = question;
    this.do("frame", { ...this.decoder.known(), v, choice: choice?.name ?? null }).catch(() => this.refused(question));
  }

  refused(question) {
    if (this.asked !== question) return;
    this.asked = null;
    setTimeout(() => {
      if (this.waiting && !this.asked) this.ask(this.waiting.choice);
    }, REFUSED_PAUSE);
  }

  nextFrame(choice) {
    if (this.newest) {
      const frame = this.newest;
      this.newest = null;
      this.ask(choice);
      return Promise.resolve(frame);
    }
    return new Promise((resolve) => {
      this.waiting = { resolve, choice };
      if (!this.asked) this.ask(choice);
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
    this.newest = null; // coloured by another choice
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

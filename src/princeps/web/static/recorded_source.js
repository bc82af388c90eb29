// A recording inside the page: steps, rewinds, plays and seeks without a server. It cannot be attacked.

import { FramesPlayer } from "./frames_player.js";
import { MeetingsPlayer } from "./meetings_player.js";
import { Source } from "./source.js";

const FRAME_MILLISECONDS = 12; // of stepping between two frames at full speed
const CANNOT = "This is a recording: it can be stepped and rewound, but not attacked. The command repeats the run; princeps watch attacks it.";

export class RecordedSource extends Source {
  static async open(recording) {
    const player = recording.kind === "meetings" ? await MeetingsPlayer.open(recording) : await FramesPlayer.open(recording);
    return new RecordedSource(recording, player);
  }

  constructor(recording, player) {
    super();
    this.isRecorded = true;
    this.recording = recording;
    this.player = player;
    this.about = recording.about;
    this.marks = (recording.marks ?? []).map(([step, kind, text]) => [String(step), kind, text]);
    this.playing = false;
    this.speed = recording.kind === "frames" ? null : 10; // moments lie far apart
    this.saved = 0n;
    this.version = 1;
    this.given = 0;
    this.owed = 0; // parts of a step that the speed has earned
    this.waiting = null;
  }

  start() {
    this.onAbout(this.about);
    this.changed();
    return this;
  }

  changed() {
    this.version += 1;
    if (this.waiting) {
      const resolve = this.waiting;
      this.waiting = null;
      resolve(this.present());
    }
    this.sendStatus();
  }

  present() {
    this.given = this.version;
    return { ...this.player.frame(), v: this.version };
  }

  sendStatus() {
    const frame = this.player.frame();
    const step = this.player.position();
    const goals = {};
    const holds = this.recording.holds; // when the goal becomes true and false
    if (holds) goals[holds.goal] = holds.changes.filter(([at]) => BigInt(at) <= step).at(-1)?.[1] ?? false;
    this.onStatus({
      ...{ v: this.version, step: String(step), end: String(this.player.last()), playing: this.playing, speed: this.speed },
      ...{ branch: 0, leaders: frame.leaders ?? "0", goals, invariants: [], safe: null, stuck: false },
      ...{ command: this.about.command ?? "", busy: null, network: this.network(step, frame) },
    });
  }

  /** Of a network run: the seconds of this step, who is dead or stopped, and the verdict. */
  network(step, frame) {
    const kept = this.recording.network;
    if (!kept) return undefined;
    const { clock, result } = kept;
    const seconds = clock.findLast(([at]) => BigInt(at) <= step)?.[1] ?? 0;
    const { dead = [], paused = [], cuts = [] } = frame;
    return { running: false, following: false, on_tape: true, seconds, now: clock.at(-1)?.[1] ?? 0, dead, paused, cuts: cuts.length, result };
  }

  nextFrame() {
    if (this.given < this.version) return Promise.resolve(this.present());
    return new Promise((resolve) => {
      this.waiting = resolve;
    });
  }

  /** The frames up to the present one, for a diagram of what happened before. */
  async framesBefore(count) {
    return this.player.framesBefore?.(count) ?? null;
  }

  refresh() {
    this.changed();
  }

  tick(now) {
    if (!this.playing) return;
    const seconds = Math.min(0.2, Math.max(0, (now - this.before) / 1000));
    this.before = now;
    const from = this.player.position();
    if (this.speed === null) this.hurry(seconds);
    else {
      this.owed += seconds * this.speed;
      const whole = Math.floor(this.owed);
      if (whole >= 1) this.play(whole);
    }
    if (this.player.position() >= this.player.last()) this.playing = false;
    if (this.player.position() !== from || !this.playing) this.changed();
    requestAnimationFrame((time) => this.tick(time));
  }

  play(whole) {
    const before = this.player.position();
    this.player.advance(BigInt(whole), FRAME_MILLISECONDS);
    const done = Number(this.player.position() - before);
    this.owed = this.player.shift && done === 0 ? this.owed : Math.max(0, Math.min(this.owed - done, this.speed * 0.1));
  }

  /** Where only some moments are kept, steps are saved up until the next one is reached. */
  hurry(seconds) {
    const before = this.player.position();
    this.saved += this.allAtOnce(seconds);
    this.player.advance(this.saved, FRAME_MILLISECONDS);
    this.saved = this.player.shift ? this.saved - (this.player.position() - before) : 0n;
  }

  /** At full speed a recording is over after five seconds at least: it is there to be seen. */
  allAtOnce(seconds) {
    const share = BigInt(Math.ceil(seconds * 1000));
    return (this.player.last() * share) / 5000n + 1n;
  }

  async do(word, values = {}) {
    const { player } = this;
    switch (word) {
      case "play":
        if (player.position() >= player.last()) player.goto(0n);
        if (!this.playing) {
          this.playing = true;
          this.owed = 0;
          this.saved = 0n;
          this.before = performance.now();
          requestAnimationFrame((time) => this.tick(time));
        }
        break;
      case "pause":
        this.playing = false;
        break;
      case "speed":
        this.speed = values.value;
        break;
      case "step":
        this.shift(Number(values.count ?? 1));
        break;
      case "back":
        this.shift(-Number(values.count ?? 1));
        break;
      case "goto":
        player.goto(BigInt(values.step));
        break;
      case "next":
        this.seek(values.what);
        break;
      case "series":
        return { ok: true, branches: [this.branch()] };
      case "card":
        return { ok: true, ...player.card(values.agent) };
      case "lines":
        return { ok: true, ...(player.lines?.() ?? { lines: null }) };
      default:
        throw new Error(CANNOT);
    }
    this.changed();
    return { ok: true };
  }

  /** The only one there is. */
  branch() {
    const { marks, player } = this;
    const end = String(player.last());
    return { number: 0, parent: null, at: "0", end, what: "recording", points: player.points(), marks, complete: player.isMarked };
  }

  shift(count) {
    this.playing = false;
    if (this.player.shift) this.player.shift(count);
    else this.player.goto(this.player.position() + BigInt(count));
  }

  seek(what) {
    this.playing = false;
    const step = this.player.next(what);
    if (step === null) throw new Error(what === "goal" ? "No goal is reached after this step in the recording." : "Nothing changes after this step in the recording.");
    this.player.goto(step);
  }
}

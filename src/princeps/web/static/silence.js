// A run that plays quickly tells its state ten times a second. Where it is silent, its engine is busy with something that
// cannot be interrupted, nearly always the compilation of what runs for the first time: the page says so.

const SILENT_MILLISECONDS = 800;
const TOLD_OFTEN = 5; // steps a second

export class Silence {
  constructor(app) {
    this.app = app;
    this.isSaid = false;
  }

  showStatus(status) {
    this.end();
    const moves = status.seeking || (status.playing && (status.speed === null || status.speed >= TOLD_OFTEN));
    if (moves && !status.network && !this.app.source.isRecorded) this.timer = setTimeout(() => this.say(), SILENT_MILLISECONDS);
  }

  say() {
    this.isSaid = true;
    this.app.showConnection("The engine is busy. What runs for the first time on this machine is being compiled; the run goes on by itself.");
  }

  /** Somebody has been heard of, or is gone. */
  end() {
    clearTimeout(this.timer);
    if (this.isSaid) this.app.showConnection(null);
    this.isSaid = false;
  }
}

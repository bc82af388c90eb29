// Where frames come from. A source has
//   about               what is watched (null: nothing yet, the library is offered)
//   isRecorded          true if nothing can be attacked
//   nextFrame(choice)   a promise of the newest frame, kept as soon as there is one that was not given yet
//   refresh(choice)     makes nextFrame give the present frame once more, coloured by another choice
//   framesBefore(count) a promise of the steps of a ring algorithm before the present one, the latest last, or of null
//   do(word, values)    a promise of the answer to a word of the protocol; refused words reject with a sentence
// and calls onAbout(about), onStatus(status), onConnection(sentence or null).

/** What a source has in common with the others: callbacks that do nothing until somebody listens. */
export class Source {
  constructor() {
    this.about = null;
    this.isRecorded = false;
    this.onAbout = () => {};
    this.onStatus = () => {};
    this.onConnection = () => {};
  }
}

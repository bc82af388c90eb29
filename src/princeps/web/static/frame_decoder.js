// Frames as the server sends them: length of the header, header in JSON, one number or colour class an agent.

const NUMBER_ARRAYS = { u8: Uint8Array, u16: Uint16Array, u32: Uint32Array };

/** Keeps the states of the present table; a new table makes all earlier numbers invalid. */
export class FrameDecoder {
  constructor() {
    this.table = null;
    this.states = [];
  }

  /** What the server must know in order to send only new states. */
  known() {
    return { known: this.states.length, table: this.table };
  }

  decode(buffer) {
    const length = new DataView(buffer).getUint32(0, true);
    const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
    return this.complete(header, new Uint8Array(buffer, 4 + length));
  }

  /** The payload as bytes; numbers of more than one byte must begin where their size says, so they are copied. */
  complete(header, payload) {
    if (header.table !== undefined && header.table !== this.table) {
      this.table = header.table;
      this.states = [];
    }
    const first = header.states_from ?? this.states.length;
    (header.states ?? []).forEach((state, place) => {
      this.states[first + place] = state;
    });
    const frame = { ...header, states: this.states, table: this.table };
    if (header.kind === "agents") frame.ids = new NUMBER_ARRAYS[header.ids](payload.slice().buffer);
    if (header.kind === "pixels") frame.payload = payload;
    return frame;
  }
}

/** The bytes of a base64 text. */
export function bytesOfBase64(text) {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let place = 0; place < binary.length; place++) bytes[place] = binary.charCodeAt(place);
  return bytes;
}

/** What Python's zlib.compress made. */
export async function inflated(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

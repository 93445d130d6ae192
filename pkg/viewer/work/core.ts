// The core as wasm: frames in, questions in, answers out. Only numbers cross; the rest is in its memory.

import * as viewer from 'milepost:viewer';

import type { CoreReply } from './protocol';

/** The file of the wasm. */
export const FILE = 'viewer.wasm';

/** The size of one write: the core keeps a buffer of this size for good. */
const PIECE_BYTES = 256 * 1024;

const encoder = new TextEncoder();
const decoder = new TextDecoder();
/** True once there is an instance. */
let isBegun = false;

export class Core {
  #wasm: viewer.InitOutput;

  /** An instance that knows nothing yet, beside those that there are. */
  constructor(module: WebAssembly.Module) {
    if (isBegun) viewer.__wbg_reset_state();
    isBegun = true;
    this.#wasm = viewer.initSync({ module });
  }

  /** Takes a part of the stream of frames, cut anywhere. */
  take(part: Uint8Array): void {
    for (let from = 0; from < part.length; from += PIECE_BYTES) {
      const piece = part.subarray(from, from + PIECE_BYTES);
      this.#wasm.take(this.#put(piece));
    }
  }

  /** Takes one frame. */
  frame(header: object, content?: Uint8Array): void {
    this.take(encoder.encode(`${JSON.stringify(header)}\n`));
    if (content !== undefined) this.take(content);
  }

  query(question: object): CoreReply {
    const start = this.#wasm.query(this.#put(encoder.encode(JSON.stringify(question)))) >>> 0;
    const reply = new Uint8Array(this.#wasm.memory.buffer, start, this.#wasm.reply_length());
    return JSON.parse(decoder.decode(reply)) as CoreReply;
  }

  /** Memory may have grown, and moved, since the last time. */
  #put(bytes: Uint8Array): number {
    const start = this.#wasm.reserve(bytes.length) >>> 0;
    new Uint8Array(this.#wasm.memory.buffer, start, bytes.length).set(bytes);
    return bytes.length;
  }
}

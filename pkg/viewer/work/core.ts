// The core as wasm: frames in, questions in, answers out. Only numbers cross; the rest is in its memory.

import * as viewer from 'milepost:viewer';
import * as viewerAll from 'milepost:viewer-all';

import type { CoreReply, Query } from './protocol';

/** One wasm, and the glue that goes with it. */
export interface Build {
  file: string;
  glue: typeof viewer;
}

/** A compiled build. */
export interface Loaded {
  build: Build;
  module: WebAssembly.Module;
}

/** The build with runs alone. */
export const FIRST: Build = { file: 'viewer.wasm', glue: viewer };
/** The build with snapshots, task checkpoints and threads, which are much code that few look at. */
export const WHOLE: Build = { file: 'viewer-all.wasm', glue: viewerAll };

/** Questions of these. */
const OF_WHOLE = new Set(['sessions', 'tasks', 'threads', 'thread', 'file']);

/** Returns whether a question is one that only the whole core knows. */
export function needsWhole(question: Query): boolean {
  if (OF_WHOLE.has(question.query)) return true;
  const { key, moment, a, b } = question as { key?: string } & Partial<Record<'moment' | 'a' | 'b', { key: string }>>;
  return [key, moment?.key, a?.key, b?.key].some((it) => it !== undefined && /^[st]\//.test(it));
}

/** The size of one write: the core keeps a buffer of this size for good. */
const PIECE_BYTES = 256 * 1024;

const encoder = new TextEncoder();
const decoder = new TextDecoder();
/** Builds of which there is an instance. */
const begun = new Set<Build>();

export class Core {
  readonly build: Build;
  #wasm: viewer.InitOutput;

  /** An instance that knows nothing yet, beside those that there are. */
  constructor({ build, module }: Loaded) {
    this.build = build;
    if (begun.has(build)) build.glue.__wbg_reset_state();
    begun.add(build);
    this.#wasm = build.glue.initSync({ module });
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

// The core of the page, as its worker has it, on Node: the same wasm, frames in, questions in, answers out.

import * as fs from 'node:fs';
import * as path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { require } from '../node/fixture.mjs';

const FILE = path.join(path.dirname(require.resolve('milepost/package.json')), 'dist/viewer/viewer.wasm');

const encoder = new TextEncoder();
const decoder = new TextDecoder();
let compiled;

export class Core {
  #wasm;

  constructor() {
    compiled ??= new WebAssembly.Module(fs.readFileSync(FILE));
    this.#wasm = new WebAssembly.Instance(compiled, imports(compiled, () => this.#wasm)).exports;
    this.#wasm.__wbindgen_start?.();
  }

  /** @param {Uint8Array} frames */
  take(frames) {
    this.#wasm.take(this.#put(frames));
    return this;
  }

  /** The reply to one question. */
  query(question) {
    const start = this.#wasm.query(this.#put(encoder.encode(JSON.stringify(question)))) >>> 0;
    const text = decoder.decode(new Uint8Array(this.#wasm.memory.buffer, start, this.#wasm.reply_length()));
    return JSON.parse(text);
  }

  /** Reads all that it has been given. */
  index() {
    while (this.query({ query: 'tick', ms: 1_000 }).value.pending > 0);
    return this;
  }

  #put(bytes) {
    const start = this.#wasm.reserve(bytes.length) >>> 0;
    new Uint8Array(this.#wasm.memory.buffer, start, bytes.length).set(bytes);
    return bytes.length;
  }
}

/** Imports that wasm-bindgen's glue gives to the wasm: a way to throw, and references that nothing here uses. */
function imports(module, instance) {
  const found = {};
  for (const { module: from, name } of WebAssembly.Module.imports(module)) {
    found[from] ??= {};
    found[from][name] = (start, length) => {
      if (!/throw/.test(name)) return undefined;
      throw new Error(decoder.decode(new Uint8Array(instance().memory.buffer, start, length)));
    };
  }
  return found;
}

/** The frames that an exported page has in it. */
export function framesOf(page) {
  const parts = [...page.matchAll(/<script type="text\/plain" class="milepost-data">([^<]*)<\/script>/g)];
  if (parts.length === 0) throw new Error('the page has no data');
  return gunzipSync(Buffer.concat(parts.map(([, part]) => Buffer.from(part, 'base64'))));
}

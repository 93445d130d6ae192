// The source of an exported page: all of it is in the page, and nothing changes.

import type { FileRequest } from '../protocol';
import { fromBase64 } from '../packed';
import { FirstLine } from './meta';
import { Source, type Sink } from './source';

/** Unpacking is all promises, which let nothing else in: after so many bytes it rests. */
const REST_BYTES = 256 * 1024;

export class Embedded extends Source {
  #unpacking = new DecompressionStream('gzip');
  #packed = this.#unpacking.writable.getWriter();
  #name = '';
  #sink: Sink | null = null;
  #turns = new MessageChannel();

  /** The next part of the data, which the page comes to while the browser reads it. */
  add(part: string, isLast: boolean): void {
    // An error in it is reported to the reader of the other end.
    const ignore = (): void => {};
    if (part !== '') this.#packed.write(fromBase64(part)).catch(ignore);
    if (isLast) this.#packed.close().catch(ignore);
  }

  async start(sink: Sink): Promise<void> {
    const state = { follows: false, canReadAgain: false, trouble: null };
    this.#sink = sink;
    this.report({ ...state, connection: 'opening', name: '' });
    await this.#unpack(sink);
    this.report({ ...state, connection: 'still', name: this.#name });
  }

  async #unpack(sink: Sink): Promise<void> {
    const first = new FirstLine();
    const reader = (this.#unpacking.readable as ReadableStream<Uint8Array>).getReader();
    try {
      let taken = 0;
      for (let part = await reader.read(); !part.done; part = await reader.read()) {
        first.take(part.value);
        sink.take(part.value);
        this.taken();
        taken += part.value.length;
        if (taken < REST_BYTES) continue;
        taken = 0;
        await this.#rest();
      }
    } catch (error) {
      throw new Error('What this page holds ends in the middle, or was changed: it was not saved whole', { cause: error });
    }
    this.#name = first.meta?.root ?? '';
  }

  /** Lets messages in that are there. A timer would wait for milliseconds each time. */
  #rest(): Promise<void> {
    const { port1, port2 } = this.#turns;
    return new Promise((next) => {
      port1.onmessage = () => next();
      port2.postMessage(null);
    });
  }

  /** Files that were not exported are not there. */
  async bring(wants: FileRequest[]): Promise<void> {
    for (const { path } of wants) this.#sink?.frame({ gone: path });
  }
}

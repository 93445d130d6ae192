// The source of an exported page: all of it is in the page, and nothing changes.

import type { Want } from '../asks';
import { unpacked } from '../packed';
import { FirstLine } from './meta';
import { Source, type Sink } from './source';

export class Embedded extends Source {
  #data: string;
  #name = '';

  constructor(data: string) {
    super();
    this.#data = data;
  }

  async start(sink: Sink): Promise<void> {
    const state = { follows: false, canReadAgain: false, trouble: null };
    this.tell({ ...state, connection: 'opening', name: '' });
    await this.whole(sink);
    this.tell({ ...state, connection: 'still', name: this.#name });
  }

  async whole(sink: Sink): Promise<void> {
    const first = new FirstLine();
    // Nothing that it could lack is anywhere else: it is read once.
    const reader = unpacked(this.#data).getReader();
    this.#data = '';
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      first.take(part.value);
      sink.take(part.value);
      this.taken();
    }
    this.#name = first.meta?.root ?? '';
  }

  /** What was not exported is not there. */
  async bring(wants: Want[], sink: Sink): Promise<void> {
    for (const { path } of wants) sink.frame({ gone: path });
  }
}

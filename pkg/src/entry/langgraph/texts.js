// The texts of a thread's values: from the serializer to the store and back, encrypted where that is asked for.

import { KIND, refused } from './encryption.js';
import { bytesOfText, dump, load } from './values.js';

/** @typedef {import('../../../types/threads.js').Typed} Typed */
/** @typedef {import('./encryption.js').PlaceOfText} PlaceOfText */
/** @typedef {{threadId: string, namespace: string}} PlaceOfThread */

export class ThreadTexts {
  #serde;
  #encryption;

  /**
   * @param {() => import('@langchain/langgraph-checkpoint').SerializerProtocol} serde
   * @param {import('./encryption.js').ThreadEncryption | undefined} encryption
   */
  constructor(serde, encryption) {
    this.#serde = serde;
    this.#encryption = encryption;
  }

  /**
   * @param {PlaceOfThread} of
   * @param {[task: string, channel: string, value: Typed, id?: string][]} writes
   * @param {string} [checkpointId] that they were written to, where they do not say so
   * @returns {Promise<[string, string, unknown][]>}
   */
  async writes(of, writes, checkpointId) {
    /** @type {Map<string, number>} the number of the latest write of a task to a channel */
    const latest = new Map();
    const opened = await Promise.all(
      writes.map(async ([task, channel, typed, id = checkpointId ?? '']) => {
        const place = placeOf(of, 'write', id, task, channel);
        const { at, value } = await this.#open(typed, place);
        return { write: /** @type {[string, string, unknown]} */ ([task, channel, value]), place, at };
      }),
    );
    for (const { place, at } of opened) {
      if (at === undefined) continue;
      const key = JSON.stringify(place);
      if (at <= (latest.get(key) ?? -1)) throw refused(place, 'it stands in the place of another write of its task');
      latest.set(key, at);
    }
    return opened.map(({ write }) => write);
  }

  /**
   * @param {PlaceOfThread} of
   * @param {string} channel
   * @param {{id: string, parent: string | null, checkpoint: Typed, value: Typed}} seed
   */
  async seed(of, channel, { id, parent, checkpoint, value }) {
    if (this.#encryption === undefined) return load(this.#serde(), value);
    const body = await this.load(checkpoint, placeOf(of, 'checkpoint', id, parent));
    return this.load(value, placeOfValue(of, channel, body));
  }

  /**
   * @param {unknown} value
   * @param {import('./values.js').Part} part
   * @param {PlaceOfText} place
   * @param {number} [at] the number of a write among those of its task
   */
  dump(value, part, place, at) {
    const encryption = this.#encryption;
    return dump(this.#serde(), value, part, encryption && ((kind, bytes) => encryption.seal(kind, bytes, place, at)));
  }

  /**
   * @param {Typed} typed
   * @param {PlaceOfText} place
   */
  async load(typed, place) {
    const { value } = await this.#open(typed, place);
    return value;
  }

  /**
   * @param {Typed} typed
   * @param {PlaceOfText} place
   * @returns {Promise<{value: any, at?: number | undefined}>}
   */
  async #open(typed, place) {
    if (this.#encryption === undefined) {
      if (typed[0] === KIND) throw refused(place, 'it is encrypted, and this saver has no `encryption`');
      return { value: await load(this.#serde(), typed) };
    }
    const { kind, bytes, at } = await this.#encryption.open(typed[0], bytesOfText(typed), place);
    return { value: await this.#serde().loadsTyped(kind, bytes), at };
  }
}

/**
 * @param {PlaceOfThread} of
 * @param {string} part
 * @param {...(string | null)} names
 * @returns {PlaceOfText}
 */
export function placeOf({ threadId, namespace }, part, ...names) {
  return [part, threadId, namespace, ...names];
}

/**
 * A value stays the same through many checkpoints, as long as its channel has the same version.
 *
 * @param {PlaceOfThread} of
 * @param {string} channel
 * @param {any} body of a checkpoint that has it
 * @returns {PlaceOfText}
 */
export function placeOfValue(of, channel, body) {
  const versions = body?.channel_versions ?? {};
  return [...placeOf(of, 'channel', channel), Object.hasOwn(versions, channel) ? versions[channel] : null];
}

// The texts of a thread's values: from the serializer to the store and back, encrypted where that is asked for.

import { KIND, refused } from './encryption.js';
import { bytesOfText, dump, dumpedSeal, load } from './values.js';

/** @typedef {import('../../../types/threads.js').Typed} Typed */
/** @typedef {import('./encryption.js').PlaceOfText} PlaceOfText */
/** @typedef {{threadId: string, namespace: string}} PlaceOfThread */
/** @typedef {import('./values.js').Dumped} Dumped */

/**
 * An entry of a thread with its texts, as `thread_texts` has it.
 *
 * @typedef {{
 *   namespace: string, id: string, parent: string | null, checkpoint: Typed | null, metadata: Typed | null,
 *   values: [channel: string, value: Typed][], writes: [task: string, channel: string, value: Typed][],
 * }} EntryTexts
 */

const encoder = new TextEncoder();

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
   * The texts of a thread for another one: each is decrypted, and encrypted for its place there.
   *
   * @param {EntryTexts[]} entries
   * @param {string} from
   * @param {string} to
   * @returns {Promise<Dumped[]>} in the order of `thread_texts`
   */
  async moved(entries, from, to) {
    /** @type {Dumped[]} */
    const moved = [];
    for (const { namespace, id, parent, checkpoint, metadata, values, writes } of entries) {
      const move = async (/** @type {Typed} */ typed, /** @type {(of: PlaceOfThread) => PlaceOfText} */ placeIn) => {
        const [place, target] = [from, to].map((threadId) => placeIn({ threadId, namespace }));
        moved.push(await this.#moved(typed, place, target));
      };
      if (checkpoint !== null) {
        const place = (/** @type {PlaceOfThread} */ of) => placeOf(of, 'checkpoint', id, parent);
        const body = await this.load(checkpoint, place({ threadId: from, namespace }));
        await move(checkpoint, place);
        if (metadata !== null) await move(metadata, (of) => placeOf(of, 'metadata', id, parent));
        for (const [channel, value] of values) await move(value, (of) => placeOfValue(of, channel, body));
      }
      for (const [task, channel, value] of writes) await move(value, (of) => placeOf(of, 'write', id, task, channel));
    }
    return moved;
  }

  /**
   * @param {Typed} typed
   * @param {PlaceOfText} from
   * @param {PlaceOfText} to
   * @returns {Promise<Dumped>}
   */
  async #moved(typed, from, to) {
    // Nothing is left of the metadata of a pruned checkpoint.
    if (typed[0] === '' || this.#encryption === undefined) return { kind: typed[0], text: encoder.encode(typed[1]) };
    const { kind, bytes, at } = await this.#encryption.open(typed[0], bytesOfText(typed), from);
    return dumpedSeal(await this.#encryption.seal(kind, bytes, to, at));
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

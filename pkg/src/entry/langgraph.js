// `milepost/langgraph`: threads as LangGraph.js keeps its checkpoints. What is in them is the serializer's
// business, and what becomes of them the core's.

import {
  BaseCheckpointSaver,
  TASKS,
  copyCheckpoint,
  getCheckpointId,
  maxChannelVersion,
} from '@langchain/langgraph-checkpoint';
import { MilepostError, THREAD_OPTIONS, fromReply, openThreads } from 'milepost:threads';
import { isMilepostError } from '../base/brand.js';
import { ThreadEncryption } from './langgraph/encryption.js';
import { ThreadRuns } from './langgraph/runs.js';
import { ThreadSerializer } from './langgraph/serializer.js';
import { ThreadTexts, placeOf, placeOfValue } from './langgraph/texts.js';
import { describe, quote } from '../base/quote.js';
import { ThreadChanges } from '../client/thread-changes.js';

/** @typedef {import('../../types/threads.js').Ask} Ask */
/** @typedef {import('../../types/threads.js').Typed} Typed */
/** @typedef {import('../../types/threads.js').StoredTuple} StoredTuple */
/** @typedef {import('@langchain/langgraph-checkpoint').CheckpointTuple} CheckpointTuple */

const OPTIONS = [...THREAD_OPTIONS, 'allow', 'encryption', 'forks', 'queue', 'serde'];

/** So many checkpoints that were asked for by their id are remembered, the latest. */
const REMEMBERED = 10_000;

/** So many checkpoints are read at a time: each has all of its values. */
const PAGE = 10;

/** So often a copy begins again. */
const MOST_TRIES = 20;

export class MilepostSaver extends BaseCheckpointSaver {
  /** @type {Ask} */
  #ask;
  /** @type {ThreadChanges} */
  #changes;
  /** @type {boolean} */
  #allowsForks;
  /** @type {ThreadRuns} */
  #runs;
  #encryption;
  #texts;
  /** @type {Set<string>} checkpoints from which a fork may go out */
  #handedOut = new Set();

  /** @param {import('../../types/langgraph.js').MilepostSaverOptions} [options] */
  constructor(options = {}) {
    const unknown = Object.keys(options).find((key) => !OPTIONS.includes(key));
    if (unknown !== undefined) {
      const said = `\`MilepostSaver\` has no option ${quote(unknown, 'of that name')}`;
      throw new MilepostError('usage', `${said}; known are ${OPTIONS.join(', ')}`);
    }
    const { allow, encryption, forks = 'refuse', queue, serde, ...where } = options;
    if (forks !== 'refuse' && forks !== 'allow') {
      const said = `Expected \`forks\` to be "refuse" or "allow", got ${describe(forks)}`;
      throw new MilepostError('usage', said);
    }
    super(serde ?? new ThreadSerializer(classes(allow)));
    if (serde !== undefined && allow !== undefined) {
      const said = 'Expected `allow` to be left out beside `serde`, which decides by itself what it revives';
      throw new MilepostError('usage', said);
    }
    this.#allowsForks = forks === 'allow';
    this.#runs = new ThreadRuns(queue);
    this.#encryption = encryption === undefined ? undefined : new ThreadEncryption(encryption);
    this.#texts = new ThreadTexts(() => this.serde, this.#encryption);
    this.#ask = openThreads(where);
    this.#changes = new ThreadChanges(this.#ask, fromReply);
  }

  /** @param {import('@langchain/core/runnables').RunnableConfig} config */
  async getTuple(config) {
    // So the callers that do not know yet whether there is a thread ask for it.
    if (config.configurable?.thread_id === undefined) return undefined;
    const { thread_id, namespace } = whereOf(config);
    const id = getCheckpointId(config);
    const asked = { thread_id, namespace, ...(id === '' ? {} : { id }) };
    if (id === '') await this.#runs.begin(thread_id, namespace, config.signal);
    await this.#changes.settled(thread_id);
    const { found } = await this.#ask('load_thread', asked);
    if (found === null) return undefined;
    if (id !== '') this.#handOut(thread_id, found);
    return this.#tuple(thread_id, found);
  }

  /**
   * @param {import('@langchain/core/runnables').RunnableConfig} config
   * @param {import('@langchain/langgraph-checkpoint').CheckpointListOptions} [options]
   * @returns {AsyncGenerator<CheckpointTuple>}
   */
  async *list(config, { before, limit = Infinity, filter } = {}) {
    const configurable = config.configurable ?? {};
    const id = configurable.checkpoint_id;
    const query = {
      namespace: configurable.checkpoint_ns,
      before: before?.configurable?.checkpoint_id,
      id,
    };
    const isAddressed = id !== undefined || query.before !== undefined;
    let left = limit;
    await this.#changes.settled(configurable.thread_id);
    for await (const thread_id of this.#threads(configurable.thread_id)) {
      for await (const stored of this.#stored({ thread_id, ...query }, filter ? Infinity : left)) {
        if (left <= 0) return;
        const tuple = await this.#tuple(thread_id, stored);
        if (!isMeant(tuple.metadata, filter)) continue;
        left -= 1;
        if (isAddressed) this.#handOut(thread_id, stored);
        yield tuple;
      }
    }
  }

  /**
   * @param {import('@langchain/core/runnables').RunnableConfig} config
   * @param {import('@langchain/langgraph-checkpoint').Checkpoint} checkpoint
   * @param {import('@langchain/langgraph-checkpoint').CheckpointMetadata} metadata
   * @param {import('@langchain/langgraph-checkpoint').ChannelVersions} [newVersions]
   */
  async put(config, checkpoint, metadata, newVersions = checkpoint.channel_versions) {
    const { thread_id, namespace } = whereOf(config);
    this.#runs.expectCurrent(thread_id, namespace, config.signal);
    const put = () => this.#put(config, checkpoint, metadata, newVersions);
    return this.#runs.change(thread_id, () => this.#changes.making(thread_id, put));
  }

  /** @type {(...put: Required<Parameters<BaseCheckpointSaver['put']>>) => ReturnType<BaseCheckpointSaver['put']>} */
  async #put(config, checkpoint, metadata, newVersions) {
    const { thread_id, namespace } = whereOf(config);
    const parent = config.configurable?.checkpoint_id || null;
    const { channel_values: values, ...body } = copyCheckpoint(checkpoint);
    const changed = Object.keys(newVersions);
    const fork = this.#allowsForks || isFork(metadata) || this.#isHandedOut(thread_id, namespace, parent);
    const of = { threadId: thread_id, namespace };
    const { id } = checkpoint;
    const put = async (/** @type {string[]} */ channels, /** @type {boolean} */ whole) => {
      const [dumpedBody, dumpedMetadata, ...dumped] = await Promise.all([
        this.#texts.dump(body, { part: 'checkpoint' }, placeOf(of, 'checkpoint', id, parent)),
        this.#texts.dump(metadata, { part: 'metadata' }, placeOf(of, 'metadata', id, parent)),
        ...channels.map((channel) =>
          this.#texts.dump(values[channel], { part: 'channel', channel }, placeOfValue(of, channel, body)),
        ),
      ]);
      await this.#changes.put(thread_id, { namespace, id: checkpoint.id }, (texts) => ({
        namespace,
        id,
        parent,
        fork,
        checkpoint: given(dumpedBody, texts),
        metadata: given(dumpedMetadata, texts),
        channels: Object.keys(checkpoint.channel_versions),
        changed,
        values: channels.map((channel, at) => [channel, given(dumped[at], texts)]),
        whole,
        outer: metadata?.parents,
        run: runOf(config, metadata),
      }));
    };
    try {
      await put(
        changed.filter((channel) => Object.hasOwn(values, channel)),
        false,
      );
    } catch (/** @type {any} */ error) {
      // The parent is not there, so that what did not change has to come along.
      if (error?.code !== 'not_found') throw error;
      await put(Object.keys(values), true);
    }
    return configOf(thread_id, namespace, checkpoint.id);
  }

  /**
   * @param {import('@langchain/core/runnables').RunnableConfig} config
   * @param {import('@langchain/langgraph-checkpoint').PendingWrite[]} writes
   * @param {string} taskId
   * @param {string} [taskPath]
   */
  async putWrites(config, writes, taskId, taskPath = '') {
    const { thread_id, namespace } = whereOf(config);
    const id = getCheckpointId(config);
    if (id === '') throw missing('checkpoint_id', 'put writes');
    const of = { threadId: thread_id, namespace };
    await this.#runs.change(thread_id, async () => {
      const dumped = await Promise.all(
        writes.map(([channel, value], at) =>
          this.#texts.dump(value, { part: 'channel', channel }, placeOf(of, 'write', id, taskId, channel), at),
        ),
      );
      await this.#changes.write(thread_id, { namespace, id }, (texts) => ({
        namespace,
        id,
        task: taskId,
        path: taskPath,
        values: writes.map(([channel], at) => [channel, given(dumped[at], texts)]),
      }));
    });
  }

  /**
   * Returns whether a run of this saver is at work on a thread, or a change of it is on its way.
   *
   * @param {string} threadId
   */
  busy(threadId) {
    return this.#runs.isBusy(threadId);
  }

  /**
   * Returns the next version of a channel. Encrypted values are bound to it, so that two forks never have the same one.
   *
   * @param {number | undefined} current
   */
  getNextVersion(current) {
    const next = super.getNextVersion(current);
    if (this.#encryption === undefined) return next;
    const [chance = 0] = crypto.getRandomValues(new Uint32Array(1));
    return Math.floor(next) + chance / 2 ** 32;
  }

  /** @param {string} threadId */
  async deleteThread(threadId) {
    await this.#changes.settled(threadId);
    await this.#ask('delete_thread', { thread_id: threadId });
    for (const key of this.#handedOut) {
      if (JSON.parse(key)[0] === threadId) this.#handedOut.delete(key);
    }
  }

  /**
   * @param {string | string[]} threadIds
   * @param {import('../../types/langgraph.js').PruneOptions} [options]
   */
  async prune(threadIds, { strategy = 'keep_latest', keep } = {}) {
    if (strategy !== 'keep_latest' && strategy !== 'delete') {
      const said = 'Expected `strategy` to be "keep_latest" or "delete"';
      throw new MilepostError('usage', `${said}, got ${describe(strategy)}`);
    }
    for (const thread_id of [threadIds].flat()) {
      await this.#changes.settled(thread_id);
      if (strategy === 'delete') await this.deleteThread(thread_id);
      else await this.#ask('prune_thread', { thread_id, keep });
    }
  }

  /** @param {{days: number, dryRun?: boolean}} options */
  async pruneThreads({ days, dryRun = false }) {
    await this.#changes.settled();
    const { threads } = await this.#ask('prune_threads', { days, dry_run: dryRun });
    return threads;
  }

  /**
   * @param {string} sourceThreadId
   * @param {string} targetThreadId
   */
  async copyThread(sourceThreadId, targetThreadId) {
    await this.#changes.settled(sourceThreadId);
    if (this.#encryption === undefined) {
      await this.#ask('copy_thread', { thread_id: sourceThreadId, target: targetThreadId });
      return;
    }
    for (let tries = 1; ; tries += 1) {
      try {
        await this.#copyEncrypted(sourceThreadId, targetThreadId);
        return;
      } catch (/** @type {any} */ error) {
        // A run that goes on has changed the thread since its texts were read.
        const hasChanged = error?.code === 'conflict' && error.fields.includes('/state');
        if (!hasChanged || tries === MOST_TRIES) throw error;
      }
    }
  }

  /**
   * Copies a thread with other texts: what is encrypted is bound to its thread.
   *
   * @param {string} thread_id
   * @param {string} target
   */
  async #copyEncrypted(thread_id, target) {
    const { entries, state } = await this.#ask('thread_texts', { thread_id });
    /** @type {import('./langgraph/values.js').Dumped[]} */
    const held = [];
    const moved = await this.#texts.moved(entries, thread_id, target);
    const texts = moved.map((dumped) => given(dumped, held));
    await this.#ask('copy_thread', { thread_id, target, state, texts, text: held.map(({ text }) => text) });
  }

  /** @param {string[]} runIds */
  async deleteForRuns(runIds) {
    await this.#changes.settled();
    await this.#ask('delete_thread_runs', { runs: runIds });
  }

  /**
   * @param {string} threadId
   * @returns {Promise<import('../../types/langgraph.js').RecoveredThread>}
   */
  async recoverThread(threadId) {
    await this.#changes.settled(threadId);
    const { lost_parts: lostParts, ...recovered } = await this.#ask('recover_thread', { thread_id: threadId });
    return { ...recovered, lostParts };
  }

  /**
   * @param {{config: import('@langchain/core/runnables').RunnableConfig, channels: string[]}} options
   * @returns {Promise<Record<string, import('@langchain/langgraph-checkpoint').DeltaChannelHistory>>}
   */
  async getDeltaChannelHistory({ config, channels }) {
    if (channels.length === 0) return {};
    const { thread_id, namespace } = whereOf(config);
    const id = getCheckpointId(config);
    const asked = { thread_id, namespace, ...(id === '' ? {} : { id }), channels };
    await this.#changes.settled(thread_id);
    const { channels: found } = await this.#ask('thread_history', asked);
    const histories = await Promise.all(
      channels.map(async (channel) => {
        const history = found.find((/** @type {any} */ it) => it.channel === channel);
        const of = { threadId: thread_id, namespace };
        const writes = await this.#texts.writes(of, history?.writes ?? []);
        const seed = history?.seed ?? null;
        return [channel, seed === null ? { writes } : { writes, seed: await this.#texts.seed(of, channel, seed) }];
      }),
    );
    return Object.fromEntries(histories);
  }

  /** @param {string | undefined} threadId of one thread, if only that is meant */
  async *#threads(threadId) {
    if (threadId !== undefined) {
      yield threadId;
      return;
    }
    let after = null;
    do {
      const { threads, next } = await this.#ask('list_threads', { after });
      yield* threads;
      after = next;
    } while (after !== null);
  }

  /**
   * @param {Record<string, unknown>} query
   * @param {number} limit
   * @returns {AsyncGenerator<StoredTuple>}
   */
  async *#stored(query, limit) {
    let after = null;
    let left = limit;
    while (left > 0) {
      const page = { ...query, after, limit: Math.min(PAGE, left) };
      const { checkpoints, next } = await this.#page(page);
      yield* checkpoints;
      if (next === null) return;
      after = next;
      left -= checkpoints.length;
    }
  }

  /**
   * Reads a page; one that is too large for one answer has a single checkpoint.
   *
   * @param {Record<string, unknown> & {limit: number}} page
   * @returns {Promise<{checkpoints: StoredTuple[], next: unknown}>}
   */
  async #page(page) {
    try {
      return await this.#ask('list_thread', page);
    } catch (error) {
      if (page.limit === 1 || isMilepostError(error)) throw error;
      return this.#ask('list_thread', { ...page, limit: 1 });
    }
  }

  /**
   * @param {string} threadId
   * @param {StoredTuple} stored
   * @returns {Promise<CheckpointTuple>}
   */
  async #tuple(threadId, { namespace, id, parent, values, ...stored }) {
    const of = { threadId, namespace };
    const body = await this.#texts.load(stored.checkpoint, placeOf(of, 'checkpoint', id, parent));
    const pairs = values.map(async ([channel, value]) => [
      channel,
      await this.#texts.load(value, placeOfValue(of, channel, body)),
    ]);
    const checkpoint = { ...body, channel_values: Object.fromEntries(await Promise.all(pairs)) };
    if (checkpoint.v < 4 && parent !== null) {
      await this.#takeSends(checkpoint, { thread_id: threadId, namespace, id: parent });
    }
    return {
      config: configOf(threadId, namespace, id),
      checkpoint,
      metadata: await this.#texts.load(stored.metadata, placeOf(of, 'metadata', id, parent)),
      pendingWrites: await this.#texts.writes(of, stored.writes, id),
      ...(parent === null ? {} : { parentConfig: configOf(threadId, namespace, parent) }),
    };
  }

  /**
   * Values that were sent are among the writes of the parent, before it had a channel.
   *
   * @param {any} checkpoint
   * @param {{thread_id: string, namespace: string, id: string}} parent
   */
  async #takeSends(checkpoint, parent) {
    const { found } = await this.#ask('load_thread', parent);
    const of = { threadId: parent.thread_id, namespace: parent.namespace };
    const writes = await this.#texts.writes(of, found?.writes ?? [], parent.id);
    const versions = Object.values(checkpoint.channel_versions);
    checkpoint.channel_values[TASKS] = writes.filter(([, it]) => it === TASKS).map(([, , it]) => it);
    checkpoint.channel_versions[TASKS] =
      versions.length > 0 ? maxChannelVersion(...versions) : this.getNextVersion(undefined);
  }

  /**
   * @param {string} threadId
   * @param {{namespace: string, id: string}} stored
   */
  #handOut(threadId, { namespace, id }) {
    const key = JSON.stringify([threadId, namespace, id]);
    this.#handedOut.delete(key);
    this.#handedOut.add(key);
    if (this.#handedOut.size <= REMEMBERED) return;
    for (const oldest of this.#handedOut) {
      this.#handedOut.delete(oldest);
      return;
    }
  }

  /**
   * @param {string} threadId
   * @param {string} namespace
   * @param {string | null} id
   */
  #isHandedOut(threadId, namespace, id) {
    return this.#handedOut.has(JSON.stringify([threadId, namespace, id]));
  }
}

/**
 * The run that a checkpoint belongs to, as far as its caller names it.
 *
 * @param {import('@langchain/core/runnables').RunnableConfig} config
 * @param {any} metadata
 */
function runOf(config, metadata) {
  const run = metadata?.run_id ?? config.configurable?.run_id ?? config.metadata?.run_id;
  return typeof run === 'string' && run !== '' ? run : undefined;
}

/**
 * A value as requests have it, whose text goes to the others.
 *
 * @param {import('./langgraph/values.js').Dumped} dumped
 * @param {import('../client/thread-changes.js').HeldText[]} texts
 */
function given(dumped, texts) {
  texts.push(dumped);
  const { kind, text, encoding } = dumped;
  return encoding === undefined ? [kind, text.length] : [kind, text.length, encoding];
}

/** @param {import('@langchain/core/runnables').RunnableConfig} config */
function whereOf(config) {
  const { thread_id, checkpoint_ns } = config.configurable ?? {};
  if (thread_id === undefined || thread_id === null) throw missing('thread_id', 'find its checkpoints');
  if (typeof thread_id !== 'string') {
    throw new MilepostError('usage', `Expected \`thread_id\` to be a string, got ${typeof thread_id}`);
  }
  return { thread_id, namespace: checkpoint_ns ?? '' };
}

/**
 * @param {string} field
 * @param {string} what
 */
function missing(field, what) {
  return new MilepostError('usage', `Expected \`${field}\` in \`config.configurable\`, to ${what}`);
}

/**
 * @param {string} thread_id
 * @param {string} checkpoint_ns
 * @param {string} checkpoint_id
 */
function configOf(thread_id, checkpoint_ns, checkpoint_id) {
  return { configurable: { thread_id, checkpoint_ns, checkpoint_id } };
}

/**
 * Returns whether a checkpoint is a copy of another one, or is said to go out from an older one.
 *
 * @param {any} metadata
 */
function isFork(metadata) {
  return metadata?.source === 'fork' || Boolean(metadata?.fork);
}

/**
 * @param {any} metadata
 * @param {Record<string, unknown> | undefined} filter
 */
function isMeant(metadata, filter = {}) {
  return Object.entries(filter).every(
    ([key, value]) =>
      value === undefined ||
      metadata?.[key] === value ||
      JSON.stringify(metadata?.[key]) === JSON.stringify(value),
  );
}

/**
 * The classes that may be revived beside those of LangGraph.
 *
 * @param {unknown} allow
 * @returns {string[]}
 */
function classes(allow = []) {
  const isName = (/** @type {unknown} */ it) => typeof it === 'string' && it.includes('/');
  if (Array.isArray(allow) && allow.every(isName)) return allow;
  const said = 'Expected `allow` to be ids of classes, such as "langchain_core/prompts/chat/ChatPromptTemplate"';
  throw new MilepostError('usage', `${said}; got ${describe(allow)}`);
}

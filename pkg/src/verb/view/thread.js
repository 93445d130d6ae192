// The thread that reads: it reads files and runs operations, so that the server answers regardless of how long the disk
// and the core take.

import threads from 'node:worker_threads';
import { perform } from 'milepost:host';
import { EFFECTS, DONE, part } from '../../wasm/ffi.js';
import { Database } from '../../host/database/reach.js';
import { run as operate, runCommandLine } from '../../wasm/instance.js';
import { Core, Refusal } from '../../client/operations.js';
import { sentence } from '../../base/messages.js';
import { optionsOf } from '../../base/shell.js';
import { withoutSecrets } from '../../wasm/without-secrets.js';
import { Frames, bytesOf, meta } from './frames.js';
import { Mirror } from './mirror.js';
import { Tree } from './tree.js';
import { Watch } from './watch.js';

/**
 * @typedef {import('./frames.js').Frame} Frame
 * @typedef {import('./frames.js').Sources} Sources
 * @typedef {{id: number, ask: string, [member: string]: any}} QueryRequest
 * @typedef {{frames: Generator<Frame>, isBegun: boolean}} Stream
 */

/** The most bytes that are read before any are handed over, and the longest time. */
const PIECE_BYTES = 512 * 1024;
const PIECE_MS = 20;
/** The page has nothing to show before the first one. */
const FIRST_PIECE_BYTES = 32 * 1024;

/** The pause between two looks at whether a database announced changes. */
const MIRROR_EVERY_MS = 1000;
/** Pages wait for the thread, and have something to show without the database. */
const REACH_WITHIN_MS = 2000;

const PRINT = EFFECTS.indexOf('print');

const port = /** @type {import('node:worker_threads').MessagePort} */ (threads.parentPort);
/** @type {{place: Record<string, any>, program: string, version: string, store?: import('../../host/database/reach.js').Named}} */
const { place, program, version, store } = threads.workerData;

/** The options of commands that are copied from the page: they are about this place, from any folder. */
const placeWords = optionsOf({
  root: place.root,
  // The folder of a mirror goes with it.
  ...(store === undefined ? { dir: place.dir } : { store: `env:${store.variable ?? ''}`, project: store.project }),
});

const tree = new Tree();
const frames = new Frames(tree);
const core = new Core({ place, operate: (text) => operate(text, perform) }, () => {});
const mirror = store === undefined ? null : mirrorOf(store);
/** @type {Map<number, Stream>} what is being read, by the number that it was asked under */
const streams = new Map();
const watch = new Watch(tree, (changes) => port.postMessage({ changes }), sendMeta);
/** The last frame of everything but files. */
let sent = '';
/**
 * The distance of HEAD from the commits of runs. A run is always saved at the HEAD of that moment, so that this is
 * asked once for each HEAD.
 *
 * @type {{head: string | null, since: import('./frames.js').Distance[]}}
 */
let distances = { head: null, since: [] };

/** @type {Record<string, (asked: QueryRequest) => unknown>} */
const ANSWERS = {
  /** Returns whether there is a place to look at; its fault is the error. */
  begin() {
    mirror?.refresh(place);
    look();
    return null;
  },

  /** Begins with everything; the pieces come by `next`. */
  files({ id }) {
    streams.set(id, { frames: everything(), isBegun: false });
    return true;
  },

  /** Begins with what has these ids; `false` where one of them is unknown. */
  contents({ id, ids }) {
    for (const one of ids) {
      const known = tree.of(one);
      if (known === undefined) return false;
      if (known.name === null) watch.ask(known.folder);
    }
    streams.set(id, { frames: frames.contents(ids), isBegun: false });
    return true;
  },

  /** The next piece of a stream; `null` at its end. */
  next({ stream: id }) {
    const stream = streams.get(id);
    const bytes = stream === undefined ? null : piece(stream);
    if (bytes === null) streams.delete(id);
    return bytes;
  },

  end({ stream }) {
    streams.delete(stream);
    return null;
  },

  watch({ isWanted }) {
    if (isWanted === watch.isOn) return null;
    if (!isWanted) {
      watch.stop();
      return null;
    }
    const sources = look();
    sent = JSON.stringify(known(sources));
    watch.start(sources);
    return null;
  },

  /** The findings of `milepost doctor`, as it would print them. */
  doctor() {
    const { root, dir, ...more } = place;
    const words = ['doctor', '--look-only', '--json', ...(root ? ['--root', root] : []), ...(dir ? ['--dir', dir] : [])];
    return printed({ arguments: words, place: more, program, color: false, width: null, interactive: false, progress: null, user: {} });
  },

  /** The prompts of the branch, to which the files can go back. */
  prompts() {
    return JSON.stringify(core.ask('list_prompts'));
  },

  /** The plan of a rewind to before a prompt, and the command that carries out exactly that. */
  rewind({ to }) {
    const planned = core.ask('rewind', { to, dry_run: true });
    const command = `${program} rewind --to ${planned.id} --plan ${planned.plan.id}${placeWords}`;
    return JSON.stringify({ ...planned, command });
  },
};

/**
 * Returns the mirror that brings the files that are shown up to a database.
 *
 * @param {import('../../host/database/reach.js').Named} named
 */
function mirrorOf(named) {
  const database = new Database(named, perform, { listens: true, limit: REACH_WITHIN_MS });
  const run = (/** @type {string} */ text) => database.operate((onRecords) => operate(text, onRecords));
  return new Mirror(database, new Core({ place, operate: run }, () => {}), place.dir);
}

/** @param {Mirror} one */
function follow(one) {
  try {
    one.refresh(place);
  } catch {
    // The database is away; what was there before is shown until it is back.
  }
}

/** @returns {Sources} */
function look() {
  return core.ask('sources');
}

/**
 * Returns the frame that everything else is read by, as far as it is known without comparing commits.
 *
 * @param {Sources} sources
 */
function known(sources) {
  const since = distances.head === sources.head ? distances.since : [];
  return meta(sources, { shape: 'server', version, program, placeWords, since });
}

/**
 * Compares the commits of runs with a HEAD that is new.
 *
 * @param {Sources} sources
 */
function compare({ head }) {
  if (head === null || distances.head === head) return;
  try {
    distances = { head, since: core.ask('since_recorded') };
  } catch {
    // The page says of each file what is wrong with it.
    distances = { head, since: [] };
  }
}

/** @returns {Generator<Frame>} */
function* everything() {
  const sources = look();
  yield { header: known(sources) };
  yield* frames.beginning(sources);
  // The list is shown before this.
  compare(sources);
  if (distances.since.length > 0) yield { header: known(sources) };
  yield { header: { done: true } };
}

/** Sends the frame where HEAD or the settings have changed. */
function sendMeta() {
  try {
    const sources = look();
    compare(sources);
    const header = known(sources);
    const text = JSON.stringify(header);
    if (text === sent) return;
    sent = text;
    port.postMessage({ changes: [header] });
  } catch {
    // A writer is in the middle of something; the next look may succeed.
  }
}

/**
 * As many frames as are read in one go; `null` at the end.
 *
 * @param {Stream} stream
 */
function piece(stream) {
  const parts = [];
  const until = performance.now() + PIECE_MS;
  const most = stream.isBegun ? PIECE_BYTES : FIRST_PIECE_BYTES;
  stream.isBegun = true;
  for (let length = 0; length < most && (length === 0 || performance.now() < until); ) {
    const { value, done } = stream.frames.next();
    if (done) break;
    for (const part of bytesOf(value)) {
      parts.push(part);
      length += part.length;
    }
  }
  return parts.length === 0 ? null : Buffer.concat(parts);
}

/**
 * Runs the command line, and hands over what it prints.
 *
 * @param {object} request
 */
function printed(request) {
  /** @type {Buffer[]} */
  const parts = [];
  runCommandLine(JSON.stringify(request), (effect, at, length, more, moreLength, number, flag) => {
    if (effect !== PRINT) return perform(effect, at, length, more, moreLength, number, flag);
    parts.push(Buffer.from(part(at, length)));
    return DONE;
  });
  return Buffer.concat(parts).toString();
}

if (mirror !== null) setInterval(() => follow(mirror), MIRROR_EVERY_MS).unref();

port.on('message', (/** @type {QueryRequest} */ asked) => {
  try {
    const value = ANSWERS[asked.ask](asked);
    // Its memory goes along: it is not used here any more.
    const moved = value instanceof Uint8Array && value.length === value.buffer.byteLength ? [value.buffer] : [];
    port.postMessage({ id: asked.id, value }, /** @type {ArrayBuffer[]} */ (moved));
  } catch (error) {
    const refused = error instanceof Refusal ? error.error : { code: 'io', message: withoutSecrets(sentence(error)) };
    port.postMessage({ id: asked.id, error: { code: refused.code, message: refused.message } });
  }
});

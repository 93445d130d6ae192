// The content of an export: as frames, with the answers that the page would ask a server for on demand.

import { Frames, HISTORY, QUARANTINE, isDocument, isSession, meta } from './frames.js';
import { Tree, below, obstacle, read } from './tree.js';

/**
 * Takes the secrets out of a file.
 *
 * @typedef {(name: string, text: string) => {name: string, text: string, count: number}} Redact
 */

/**
 * @typedef {import('./frames.js').Frame} Frame
 * @typedef {import('./frames.js').Sources} Sources
 */

export class Collection {
  #frames;
  #tree = new Tree();
  #sources;
  #since;
  #options;
  #redact;
  /**
   * The name of each file in it, by its path in small letters: git may have it in others.
   *
   * @type {Map<string, unknown>}
   */
  #files = new Map();

  /** The number of checkpoints, and of texts with a secret. */
  checkpoints = 0;
  secrets = 0;

  /**
   * @param {Sources} sources
   * @param {import('./frames.js').Distance[]} since of all runs
   * @param {{version: string, program?: string, checkpoints: {command: string}[]}} options no checkpoints for everything;
   *   the program is the words that start it
   * @param {Redact | null} redact
   */
  constructor(sources, since, options, redact) {
    this.#frames = new Frames(this.#tree);
    this.#sources = sources;
    this.#since = since;
    this.#options = options;
    this.#redact = redact;
  }

  /** @returns {Generator<Frame>} */
  *frames() {
    const place = this.#place();
    yield { header: { meta: place } };
    const found = this.#options.checkpoints.length === 0 ? this.#everything() : this.#chosen();
    for (const frame of found) {
      if (this.#isCheckpoint(frame)) this.checkpoints += 1;
      const given = this.#handedOn(frame);
      const { file } = frame.header;
      if (typeof file === 'string') this.#files.set(file.toLowerCase(), given.header.file);
      yield given;
    }
    // Git's tracked files are listed by the file names in the export alone, which are known now.
    const called = (/** @type {string} */ path) => this.#files.get(path.toLowerCase()) ?? [];
    const tracked = this.#sources.tracked.flatMap(called);
    const since = this.#since.flatMap((one) => [called(one.document)].flat().map((document) => ({ ...one, document })));
    const more = { ...(tracked.length > 0 && { tracked }), ...(since.length > 0 && { since_recorded: since }) };
    if (Object.keys(more).length > 0) yield { header: { meta: { ...place, ...more } } };
    yield { header: { done: true } };
  }

  /** Returns the frame that everything else is read by, without the names of what is not in it. */
  #place() {
    const { version, program, checkpoints } = this.#options;
    const asked = checkpoints.map(({ command }) => command);
    const commands = this.#sources.commands.filter((it) => asked.length === 0 || asked.includes(it));
    const sources = { ...this.#sources, tracked: [], commands };
    const known = meta(sources, { shape: 'export', version, program, redacted: this.#redact !== null }).meta;
    const hidden = (/** @type {unknown} */ it) => (typeof it === 'string' ? this.#hidden('', it).text : it);
    const given = Object.entries(known).map(([key, it]) => [key, Array.isArray(it) ? it.map(hidden) : hidden(it)]);
    return Object.fromEntries(given);
  }

  /** @returns {Generator<Frame>} */
  *#everything() {
    const { state, sessions, archive, tasks, side } = this.#sources;
    yield* this.#frames.listing(state, isDocument);
    yield* this.#frames.settings(this.#sources);
    yield* this.#frames.listing(sessions, isSession);
    yield* this.#frames.listing(archive, isSession);
    yield* this.#frames.indexes(tasks, isDocument);
    yield* this.#frames.all(side, isDocument);
  }

  /**
   * As if there were no others.
   *
   * @returns {Generator<Frame>}
   */
  *#chosen() {
    const { state, side, checkpoints } = this.#sources;
    yield { header: { folder: state.path } };
    for (const { document } of checkpoints) {
      const name = document.slice(document.lastIndexOf('/') + 1);
      if (obstacle(state) === null) yield read(this.#tree, state, name);
    }
    yield { header: { listed: state.path } };
    for (const one of checkpoints) {
      // Below the folder of all of them; more than one part of it where a name has capitals.
      const parts = one.side.slice(side.path.length + 1).split('/');
      const own = parts.reduce(below, side);
      if (obstacle(own) !== null) continue;
      yield { header: { folder: own.path } };
      // Other files there may belong to a name with capitals.
      for (const name of [HISTORY, QUARANTINE]) yield* this.#frames.all(below(own, name), isDocument);
      yield { header: { listed: own.path } };
    }
  }

  /** @param {Frame} frame */
  #isCheckpoint({ header: { file }, content }) {
    if (typeof file !== 'string' || content === undefined || !isDocument(file)) return false;
    const at = file.lastIndexOf('/');
    return file.slice(0, Math.max(at, 0)) === this.#sources.state.path;
  }

  /**
   * A frame as others may have it.
   *
   * @param {Frame} frame
   * @returns {Frame}
   */
  #handedOn({ header: { id: _, ...rest }, content }) {
    /** @type {Frame['header']} */
    const header = rest;
    if (this.#redact === null) return { header, content };
    for (const key of ['file', 'folder', 'listed', 'link', 'gone']) {
      const path = header[key];
      if (typeof path === 'string') header[key] = this.#hidden('', path).text;
    }
    if (content === undefined) return { header };
    const path = /** @type {string} */ (header.file);
    const start = path.lastIndexOf('/') + 1;
    const { name, text } = this.#hidden(path.slice(start), content.toString());
    const bytes = Buffer.from(text);
    return { header: { ...header, file: path.slice(0, start) + name, bytes: bytes.length }, content: bytes };
  }

  /**
   * A text without its secrets, where they are taken out.
   *
   * @param {string} name of the file that it is; empty for a text of another kind
   * @param {string} text
   */
  #hidden(name, text) {
    if (this.#redact === null) return { name, text };
    const { count, ...hidden } = this.#redact(name, text);
    this.secrets += count;
    return hidden;
  }
}

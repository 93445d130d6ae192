// Frames: how files come to the page. Each is a line of JSON, and as many bytes after it as that says.

import { at, below, entries, isThere, look, obstacle, read } from './tree.js';

/**
 * @typedef {import('./tree.js').Folder} Folder
 * @typedef {import('./tree.js').Header} Header
 * @typedef {import('./tree.js').Tree} Tree
 */

/**
 * The places of all documents, as the core's operation `sources` answers.
 *
 * @typedef {object} Sources
 * @property {string} name
 * @property {Folder} state
 * @property {Folder} sessions
 * @property {Folder} archive
 * @property {Folder} tasks
 * @property {Folder} threads
 * @property {Folder} side
 * @property {Folder} settings
 * @property {string | null} head
 * @property {string | null} git
 * @property {string[]} tracked
 * @property {string[]} commands
 * @property {{document: string, side: string}[]} checkpoints
 */

/**
 * The distance of HEAD from a run's commit, as the core's operation `since_recorded` answers.
 *
 * @typedef {{document: string, head_commit: string, text: string}} Distance
 */

/** The one file of a task or a thread that says what else it has. */
const INDEX = 'index.json';
/** The folder of revisions, beside a document, and of copies of corrupt ones. */
export const HISTORY = 'history';
export const QUARANTINE = 'quarantine';

export const isDocument = (/** @type {string} */ name) => name.endsWith('.json');
export const isSession = (/** @type {string} */ name) => name.endsWith('.yaml') || isDocument(name);
const isIndex = (/** @type {string} */ name) => name === INDEX;
const never = () => false;

/** A header, and the content that comes with it. @typedef {{header: Header, content?: Buffer}} Frame */

/**
 * A frame as it is sent, in parts.
 *
 * @param {Frame} frame
 */
export function bytesOf({ header, content }) {
  const line = Buffer.from(`${JSON.stringify(header)}\n`);
  return content === undefined ? [line] : [line, content];
}

/**
 * Returns the frame that everything else is read by.
 *
 * @param {Sources} sources
 * @param {{shape: 'server' | 'export', version: string, program?: string, placeWords?: string, redacted?: boolean,
 *   since?: Distance[]}} more the `placeWords` are the options by which the caller named the place
 * @returns {{meta: Record<string, unknown>}}
 */
export function meta(
  { name, state, sessions, tasks, head, tracked, commands },
  { shape, version, program, placeWords, redacted = false, since = [] },
) {
  return {
    meta: {
      ...{ root: name, state: state.path, sessions: sessions.path, tasks: tasks.path },
      ...{ head, shape, version, tracked, redacted, commands },
      ...(program !== undefined && { program }),
      ...(placeWords && { place_words: placeWords }),
      ...(since.length > 0 && { since_recorded: since }),
    },
  };
}

/** Makes frames of what is there now. */
export class Frames {
  #tree;

  /** @param {Tree} tree */
  constructor(tree) {
    this.#tree = tree;
  }

  /**
   * All that a page begins with, between its `meta` and the end.
   *
   * @param {Sources} sources
   * @returns {Generator<Frame>}
   */
  *beginning(sources) {
    yield* this.listing(sources.state, isDocument);
    yield* this.settings(sources);
    yield* this.listing(sources.sessions, isSession);
    yield* this.listing(sources.archive, isSession);
    yield* this.indexes(sources.tasks);
    yield* this.indexes(sources.threads);
    yield* this.#side(sources.side);
  }

  /**
   * The one file of its folder that is shown.
   *
   * @param {Sources} sources
   * @returns {Generator<Frame>}
   */
  *settings({ settings }) {
    const { folder, name } = split(settings);
    if (obstacle(folder) === null) yield read(this.#tree, folder, name);
  }

  /**
   * A folder whose folders have an index each.
   *
   * @param {Folder} folder
   * @param {(name: string) => boolean} [brings]
   * @returns {Generator<Frame>}
   */
  *indexes(folder, brings = isIndex) {
    const found = entries(folder);
    if (!Array.isArray(found)) return;
    yield* this.listing(folder, never);
    for (const { name } of found.filter((it) => it.isDirectory() && !it.name.startsWith('.'))) {
      yield* this.listing(below(folder, name), brings);
    }
  }

  /**
   * The side folder of the documents, as folders, and what is in quarantine there.
   *
   * @param {Folder} side
   * @returns {Generator<Frame>}
   */
  *#side(side) {
    const found = entries(side);
    if (!Array.isArray(found)) return;
    yield* this.listing(side, never);
    for (const { name } of found.filter((it) => it.isDirectory())) {
      const quarantine = below(below(side, name), QUARANTINE);
      if (isThere(quarantine)) yield* this.listing(quarantine, never);
    }
  }

  /**
   * A folder with all that is in it: files with their contents where those are to be brought.
   *
   * @param {Folder} folder
   * @param {(name: string) => boolean} brings
   * @returns {Generator<Frame>}
   */
  *listing(folder, brings) {
    const found = entries(folder);
    if (!Array.isArray(found)) return yield { header: found };
    yield { header: this.#tree.header(folder) };
    for (const entry of found) {
      if (entry.isDirectory()) yield { header: this.#tree.header(below(folder, entry.name)) };
      else if (entry.isFile() && brings(entry.name)) yield read(this.#tree, folder, entry.name);
      else yield look(this.#tree, folder, entry.name);
    }
    yield { header: { listed: folder.path } };
  }

  /**
   * Lists a folder with every folder below it.
   *
   * @param {Folder} folder
   * @param {(name: string) => boolean} brings
   * @returns {Generator<Frame>}
   */
  *all(folder, brings) {
    const found = entries(folder);
    if (!Array.isArray(found)) return;
    yield* this.listing(folder, brings);
    for (const { name } of found.filter((it) => it.isDirectory())) yield* this.all(below(folder, name), brings);
  }

  /**
   * The contents that the page asks for by id, each of which is known.
   *
   * @param {string[]} ids
   * @returns {Generator<Frame>}
   */
  *contents(ids) {
    for (const id of ids) {
      const known = this.#tree.of(id);
      if (known === undefined) continue;
      const { folder, name } = known;
      if (name === null) {
        yield* this.listing(folder, never);
        continue;
      }
      const found = obstacle(folder);
      if (found === null) yield read(this.#tree, folder, name);
      else yield { header: 'gone' in found ? { gone: at(folder, name) } : found };
    }
  }
}

/**
 * The folder that a file is in, and its name there.
 *
 * @param {Folder} file
 * @returns {{folder: Folder, name: string}}
 */
export function split({ path, host, way }) {
  const above = (/** @type {string} */ file) => file.slice(0, Math.max(file.lastIndexOf('/'), 0));
  return { folder: { path: above(path), host: above(host), way }, name: host.slice(host.lastIndexOf('/') + 1) };
}

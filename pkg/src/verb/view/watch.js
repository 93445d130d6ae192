// Looks for changes of what the page shows, as long as a page is there: the host reports most, and a look at
// everything now and then finds the others.

import fs from 'node:fs';
import { split } from './frames.js';
import { below, entries, look, obstacle } from './tree.js';

/**
 * @typedef {import('./tree.js').Folder} Folder
 * @typedef {import('./tree.js').Header} Header
 * @typedef {import('./frames.js').Sources} Sources
 */

/** The time until the next look at a folder that does not report changes, or is not there yet, in ms. */
const UNREPORTED_MS = 2000;
/** The time where it does: some file systems report none by other machines. */
const REPORTED_MS = 30_000;
/** A commit changes several files. */
const PAUSE_MS = 25;
/** A repository that is being worked on changes its index all the time. */
const REPOSITORY_PAUSE_MS = 500;
/** A page that begins to listen reads everything first: looking at all of it as well can wait, since changes are sent. */
const FIRST_LOOK_MS = 1000;
/** Clocks of file systems run apart, and are coarse. */
const CLOCKS_APART_MS = 2000;
/** After so many names in one pause, looking at all of a folder costs no more. */
const MANY_NAMES = 500;
/** So many folders that pages looked into are watched, the latest ones; and so many of tasks. */
const MAX_ASKED = 64;
const MAX_INNER = 256;

/**
 * A folder under watch.
 *
 * @typedef {object} Watched
 * @property {Folder} folder
 * @property {(name: string) => boolean} shows whether a name in it is shown
 * @property {boolean} isOuter whether its folders are watched too
 * @property {boolean} isLasting whether it is watched even while it is not there
 * @property {boolean} isSettings whether more than it follows from what is in it
 * @property {fs.FSWatcher | undefined} watcher
 * @property {number} inode of the folder that is watched: another one may take its place
 * @property {Map<string, string>} known traces, by name
 * @property {boolean} isNew whether it was there from the start, and was not looked at yet
 * @property {Set<string>} touched names that something happened to
 * @property {boolean} isTouched whether all of it has to be looked at
 */

export class Watch {
  #tree;
  #send;
  #onRepository;
  /** @type {Map<string, Watched>} by path */
  #watched = new Map();
  /** @type {string[]} paths of folders that pages looked into, the latest last */
  #asked = [];
  /** @type {fs.FSWatcher[]} */
  #repository = [];
  /** @type {NodeJS.Timeout | undefined} */
  #pause;
  /** @type {NodeJS.Timeout | undefined} */
  #repositoryPause;
  /** @type {NodeJS.Timeout | undefined} */
  #next;
  /** @type {NodeJS.Timeout | undefined} */
  #first;
  #startedAt = 0;
  #lookedAt = 0;
  #isOn = false;

  /**
   * @param {import('./tree.js').Tree} tree
   * @param {(headers: Header[]) => void} send
   * @param {() => void} onRepository something may have become of HEAD, the index, or the settings
   */
  constructor(tree, send, onRepository) {
    this.#tree = tree;
    this.#send = send;
    this.#onRepository = onRepository;
  }

  get isOn() {
    return this.#isOn;
  }

  /** @param {Sources} sources */
  start(sources) {
    this.#isOn = true;
    this.#startedAt = Date.now();
    const { state, sessions, archive, side, tasks, threads, settings, git } = sources;
    for (const folder of [state, sessions, archive, side]) this.#add(folder, { isLasting: true });
    for (const folder of [tasks, threads]) this.#add(folder, { isLasting: true, isOuter: true });
    const { folder, name } = split(settings);
    this.#add(folder, { isLasting: true, isSettings: true, shows: (it) => it === name });
    if (git !== null) this.#watchRepository(git);
    this.#lookedAt = Date.now();
    this.#first = setTimeout(() => this.#lookFirst(), FIRST_LOOK_MS);
    this.#wait();
  }

  #lookFirst() {
    const unseen = [...this.#watched.values()].filter((it) => it.isNew);
    for (const watched of unseen) watched.isTouched = true;
    this.#report(unseen.flatMap((watched) => this.#changes(watched)));
  }

  stop() {
    this.#isOn = false;
    for (const timer of [this.#pause, this.#repositoryPause, this.#next, this.#first]) clearTimeout(timer);
    this.#pause = this.#repositoryPause = this.#next = undefined;
    for (const { watcher } of this.#watched.values()) watcher?.close();
    for (const watcher of this.#repository) watcher.close();
    this.#repository = [];
    this.#asked = [];
    this.#watched.clear();
  }

  /**
   * A page has looked into a folder: it is sent later changes of it.
   *
   * @param {Folder} folder
   */
  ask(folder) {
    if (!this.#isOn) return;
    const at = this.#asked.indexOf(folder.path);
    if (at < 0 && this.#watched.has(folder.path)) return;
    if (at >= 0) this.#asked.splice(at, 1);
    else this.#add(folder);
    this.#asked.push(folder.path);
    const old = this.#asked.length > MAX_ASKED ? this.#asked.shift() : undefined;
    if (old !== undefined) this.#drop(old);
  }

  /** @param {string} git */
  #watchRepository(git) {
    try {
      const watcher = fs.watch(git, { persistent: false }, () => this.#repositoryChanged());
      watcher.on('error', () => watcher.close());
      this.#repository.push(watcher);
    } catch {
      // The look at everything asks again.
    }
  }

  #repositoryChanged() {
    this.#repositoryPause ??= setTimeout(() => {
      this.#repositoryPause = undefined;
      this.#onRepository();
    }, REPOSITORY_PAUSE_MS);
  }

  /**
   * @param {Folder} folder
   * @param {Partial<Watched>} [more]
   */
  #add(folder, more = {}) {
    if (this.#watched.has(folder.path)) return;
    /** @type {Watched} */
    const watched = {
      ...{ folder, shows: () => true, isOuter: false, isLasting: false, isSettings: false },
      ...{ watcher: undefined, inode: 0, known: new Map(), isNew: false, touched: new Set(), isTouched: false },
      ...more,
    };
    this.#watched.set(folder.path, watched);
    // First, so that no change falls between the two.
    this.#open(watched);
    if (watched.isLasting) watched.isNew = obstacle(folder) === null;
    else watched.known = this.#traces(watched, []);
  }

  /** @param {string} path of a folder that went, or that others took the place of */
  #drop(path) {
    const watched = this.#watched.get(path);
    if (watched === undefined) return;
    close(watched);
    if (!watched.isLasting) this.#watched.delete(path);
  }

  /** @param {Watched} watched */
  #open(watched) {
    const { folder } = watched;
    if (obstacle(folder) !== null) return;
    try {
      watched.inode = fs.statSync(folder.host).ino;
      const watcher = fs.watch(folder.host, { persistent: false }, (_, name) => {
        if (name === null || watched.touched.size >= MANY_NAMES) watched.isTouched = true;
        else watched.touched.add(name);
        this.#soon();
      });
      watcher.on('error', () => close(watched));
      watched.watcher = watcher;
    } catch {
      // There may be no more of them than the host allows: then it is looked at.
      watched.watcher = undefined;
    }
  }

  /** However fast one change follows another, the look is not put off. */
  #soon() {
    this.#pause ??= setTimeout(() => {
      this.#pause = undefined;
      const touched = [...this.#watched.values()].filter((it) => it.isTouched || it.touched.size > 0);
      this.#report(touched.flatMap((watched) => this.#changes(watched)));
    }, PAUSE_MS);
  }

  #wait() {
    this.#next = setTimeout(() => this.#lookAround(), UNREPORTED_MS);
  }

  #lookAround() {
    const isAll = Date.now() - this.#lookedAt >= REPORTED_MS || Date.now() < this.#lookedAt;
    if (isAll) this.#lookedAt = Date.now();
    /** @type {Header[]} */
    const changes = [];
    for (const watched of [...this.#watched.values()]) {
      if (!isAll && watched.watcher !== undefined) continue;
      watched.isTouched = true;
      changes.push(...this.#changes(watched));
    }
    this.#report(changes);
    if (isAll) this.#onRepository();
    if (this.#isOn) this.#wait();
  }

  /** @param {Header[]} changes */
  #report(changes) {
    if (changes.length > 0) this.#send(changes);
  }

  /**
   * Returns the changes of a folder since the last look.
   *
   * @param {Watched} watched
   * @returns {Header[]}
   */
  #changes(watched) {
    const { touched } = watched;
    const isSame = this.#isSame(watched);
    const isAll = watched.isTouched || !isSame;
    watched.touched = new Set();
    watched.isTouched = false;
    /** @type {Header[]} */
    const changes = [];
    if (!isSame && watched.isNew) {
      // The content of the other one was not seen here.
      changes.push({ gone: watched.folder.path });
      watched.isNew = false;
    }
    if (isAll) {
      watched.known = this.#traces(watched, changes);
    } else {
      for (const name of touched) if (watched.shows(name)) this.#see(watched, name, watched.known, changes);
    }
    if (changes.length > 0 && watched.isSettings) this.#repositoryChanged();
    return changes;
  }

  /**
   * Returns whether the folder is that which is watched; where it is another one, that is from now on.
   *
   * @param {Watched} watched
   */
  #isSame(watched) {
    const found = obstacle(watched.folder) === null ? inode(watched.folder.host) : 0;
    if (found === watched.inode) return true;
    close(watched);
    watched.inode = found;
    if (found !== 0) this.#open(watched);
    return false;
  }

  /**
   * Looks at all of a folder.
   *
   * @param {Watched} watched
   * @param {Header[]} changes is filled
   * @returns {Map<string, string>}
   */
  #traces(watched, changes) {
    const { folder, known, shows } = watched;
    if (watched.watcher === undefined) this.#open(watched);
    /** @type {Map<string, string>} */
    const now = new Map();
    const found = entries(folder);
    if (!Array.isArray(found)) {
      if (known.size > 0) changes.push(found);
      return now;
    }
    const since = watched.isNew ? this.#startedAt - CLOCKS_APART_MS : 0;
    /** @type {Header[]} */
    const seen = [];
    for (const { name } of found.filter((it) => shows(it.name))) {
      const before = known.get(name);
      if (before !== undefined) now.set(name, before);
      this.#see(watched, name, now, seen);
    }
    // Entries from before any page read it are known to the page.
    changes.push(...seen.filter(({ modified = 0 }) => /** @type {number} */ (modified) >= since));
    watched.isNew = false;
    for (const name of known.keys()) if (!now.has(name)) this.#see(watched, name, now, changes, true);
    return now;
  }

  /**
   * There is a folder, be it for long.
   *
   * @param {Folder} folder
   * @param {boolean} isInner whether what is in it is sent
   */
  #appeared(folder, isInner) {
    const watched = this.#watched.get(folder.path);
    if (watched === undefined) {
      if (isInner && this.#watched.size < MAX_INNER) this.#add(folder);
    } else if (watched.watcher === undefined) {
      watched.isTouched = true;
      this.#soon();
    }
  }

  /**
   * Looks at one name.
   *
   * @param {Watched} watched
   * @param {string} name
   * @param {Map<string, string>} known is brought up to date
   * @param {Header[]} changes is filled
   * @param {boolean} [wasThere] where `known` does not say so
   */
  #see(watched, name, known, changes, wasThere = known.has(name)) {
    const { folder, isOuter } = watched;
    const { header, trace, isFolder } = look(this.#tree, folder, name);
    if (trace === '') {
      known.delete(name);
      this.#drop(below(folder, name).path);
      // Before the first look, it may have been.
      if (wasThere || watched.isNew) changes.push(header);
      return;
    }
    if (isFolder) this.#appeared(below(folder, name), isOuter && !name.startsWith('.'));
    if (known.get(name) === trace) return;
    known.set(name, trace);
    changes.push(header);
  }
}

/** @param {Watched} watched */
function close(watched) {
  watched.watcher?.close();
  watched.watcher = undefined;
}

/** @param {string} host */
function inode(host) {
  try {
    return fs.statSync(host).ino;
  } catch {
    return 0;
  }
}

// The host adapter on files and records in memory, for pages and tests.

import { counted } from './tokens.js';

/** @typedef {import('../../types/operation.js').Effect} Effect */
/** @typedef {import('../../types/operation.js').Entry} Entry */
/** @typedef {import('../../types/operation.js').Fault} Fault */
/** @typedef {import('../../types/operation.js').Outcome} Outcome */
/** @typedef {import('../../types/memory.js').MemoryFiles} MemoryFilesType */

/** @typedef {{kind: 'file', bytes: Uint8Array}} File two names of one file share the object */
/** @typedef {File | {kind: 'folder'} | {kind: 'symlink', target: Uint8Array}} Node */

/** @type {Outcome} */
const DONE = { outcome: 'done' };

/** @implements {MemoryFilesType} */
export class MemoryFiles {
  /** @type {Map<string, Node>} */
  #nodes = new Map([['/', { kind: 'folder' }]]);
  /** @type {Map<string, Uint8Array>} */
  #records = new Map();
  #now;
  #random;

  /** @param {import('../../types/memory.js').MemoryOptions} [options] */
  constructor({ now = Date.now, random = (bytes) => crypto.getRandomValues(bytes) } = {}) {
    this.#now = now;
    this.#random = random;
  }

  paths() {
    const files = [...this.#nodes].filter(([, node]) => node.kind === 'file');
    return files.map(([path]) => path).sort();
  }

  /** @param {string} path */
  read(path) {
    const node = this.#nodes.get(path);
    return node?.kind === 'file' ? node.bytes.slice() : null;
  }

  /**
   * @param {string} path
   * @param {string | Uint8Array} content
   */
  write(path, content) {
    const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content.slice();
    this.#put(path, { kind: 'file', bytes });
  }

  /** @param {string} path */
  makeFolder(path) {
    this.#put(path, { kind: 'folder' });
  }

  /** @param {string} path */
  makeSymlink(path) {
    this.#put(path, { kind: 'symlink', target: new TextEncoder().encode('nowhere') });
  }

  /** @param {string} path */
  remove(path) {
    this.#nodes.delete(path);
  }

  /**
   * @param {Effect} effect
   * @returns {Outcome}
   */
  perform(effect) {
    switch (effect.effect) {
      case 'clock': {
        const now = this.#now();
        return { outcome: 'clock', wallMs: now, monotonicMs: now };
      }
      case 'random':
        return { outcome: 'bytes', bytes: this.#random(new Uint8Array(effect.length)) };
      case 'wait':
        // There is no other writer: there is nothing to wait for.
        return DONE;
      case 'ascend':
        return this.#ascend(effect.from, effect.name);
      case 'inspect':
        return { outcome: 'entries', entries: effect.paths.map((path) => this.#entry(path)) };
      case 'read':
        return this.#read(effect.path, effect.limit, effect.links);
      case 'readStart': {
        const node = this.#nodes.get(effect.path);
        if (node?.kind === 'folder') return failed('wrongKind', 'not a regular file');
        if (node?.kind !== 'file') return failed('notFound', 'no such file');
        return { outcome: 'bytes', bytes: node.bytes.subarray(0, effect.limit) };
      }
      case 'part': {
        const whole = this.#read(effect.path, Infinity, effect.links);
        if (whole.outcome !== 'bytes') return whole;
        const { offset, length } = effect;
        return { outcome: 'bytes', bytes: whole.bytes.subarray(offset, offset + length) };
      }
      case 'readLink': {
        const node = this.#nodes.get(effect.path);
        if (node === undefined) return failed('notFound', 'no such link');
        if (node.kind !== 'symlink') return failed('wrongKind', 'not a symbolic link');
        return { outcome: 'bytes', bytes: node.target };
      }
      case 'append':
        return this.#append(effect.path, effect.bytes);
      case 'symlink':
        return this.#add(effect.path, { kind: 'symlink', target: effect.target });
      case 'makeFolder':
        return this.#add(effect.path, { kind: 'folder' });
      case 'create':
        return this.#add(effect.path, { kind: 'file', bytes: effect.bytes });
      case 'rename':
        return this.#rename(effect.from, effect.to);
      case 'link':
        return this.#link(effect.from, effect.to);
      case 'remove':
        return this.#remove(effect.path);
      case 'removeFolder':
        return this.#removeFolder(effect.path);
      case 'list':
        return this.#list(effect.path, effect.limit);
      case 'scan':
        return this.#scan(effect.folder.replace(/\/\.$/, ''), effect.limit);
      case 'syncFolder':
        return DONE;
      case 'readRecord': {
        const bytes = this.#records.get(effect.record);
        return bytes ? { outcome: 'bytes', bytes } : failed('notFound', 'no such record');
      }
      case 'swapRecord':
        return this.#swapRecord(effect);
      case 'listRecords':
        return listed(this.#records.keys(), effect.under, effect.limit);
      case 'countTokens':
        return counted(effect.encoding, effect.text, effect.limit);
      default:
        return failed('unsupported', `files in memory cannot perform \`${effect.effect}\``);
    }
  }

  /**
   * @param {string} path
   * @param {Node} node
   */
  #put(path, node) {
    for (let above = parentOf(path); above !== null; above = parentOf(above)) {
      if (!this.#nodes.has(above)) this.#nodes.set(above, { kind: 'folder' });
    }
    this.#nodes.set(path, node);
  }

  /**
   * @param {string} from
   * @param {string} name
   * @returns {Outcome}
   */
  #ascend(from, name) {
    for (let folder = /** @type {string | null} */ (from); folder !== null; ) {
      const { kind } = this.#entry(join(folder, name));
      if (kind !== 'absent') {
        const below = from.slice(folder.length).replace(/^\/+/, '');
        return { outcome: 'found', folder, below, kind };
      }
      folder = parentOf(folder);
    }
    return failed('notFound', `no ${name} in any folder above`);
  }

  /**
   * @param {string} path
   * @returns {Entry}
   */
  #entry(path) {
    const node = this.#nodes.get(path);
    const size = node?.kind === 'file' ? node.bytes.length : 0;
    return { kind: node?.kind ?? 'absent', size };
  }

  /**
   * @param {string} path
   * @param {number} limit
   * @param {'follow' | 'refuse'} links
   * @returns {Outcome}
   */
  #read(path, limit, links) {
    const node = this.#nodes.get(path);
    if (node?.kind === 'folder') return failed('wrongKind', 'not a regular file');
    if (node?.kind === 'symlink' && links === 'refuse') return failed('symlink', 'a symbolic link');
    if (node?.kind !== 'file') return failed('notFound', 'no such file');
    if (node.bytes.length > limit) return failed('tooLarge', `more than ${limit} bytes`);
    return { outcome: 'bytes', bytes: node.bytes };
  }

  /**
   * @param {string} path
   * @param {Uint8Array} bytes
   * @returns {Outcome}
   */
  #append(path, bytes) {
    const node = this.#nodes.get(path);
    if (node?.kind === 'folder') return failed('wrongKind', 'not a regular file');
    if (node?.kind === 'symlink') return failed('symlink', 'a symbolic link');
    if (node === undefined) return failed('notFound', 'no such file');
    const whole = new Uint8Array(node.bytes.length + bytes.length);
    whole.set(node.bytes);
    whole.set(bytes, node.bytes.length);
    node.bytes = whole;
    return DONE;
  }

  /**
   * @param {string} path
   * @param {Node} node
   * @returns {Outcome}
   */
  #add(path, node) {
    const above = parentOf(path);
    if (above === null || this.#nodes.get(above)?.kind !== 'folder') {
      return failed('notFound', 'no such folder');
    }
    if (this.#nodes.has(path)) return failed('exists', 'the name is taken');
    this.#nodes.set(path, node);
    return DONE;
  }

  /**
   * @param {string} from
   * @param {string} to
   * @returns {Outcome}
   */
  #rename(from, to) {
    const node = this.#nodes.get(from);
    const there = this.#nodes.get(to);
    if (node === undefined) return failed('notFound', 'no such file');
    if (node.kind === 'folder') return this.#renameFolder(from, to);
    // As POSIX has it: two names of one file stay both.
    if (there === node) return DONE;
    if (there?.kind === 'folder') return failed('wrongKind', 'a folder has this name');
    this.#nodes.delete(from);
    this.#nodes.set(to, node);
    return DONE;
  }

  /**
   * A folder goes with all that is in it, where nothing stands.
   *
   * @param {string} from
   * @param {string} to
   * @returns {Outcome}
   */
  #renameFolder(from, to) {
    if (this.#nodes.has(to)) return failed('exists', 'the name is taken');
    const prefix = join(from, '');
    if (to.startsWith(prefix)) return failed('notFound', 'a folder cannot be moved into itself');
    for (const [path, node] of [...this.#nodes]) {
      if (path !== from && !path.startsWith(prefix)) continue;
      this.#nodes.delete(path);
      this.#nodes.set(to + path.slice(from.length), node);
    }
    return DONE;
  }

  /**
   * @param {string} from
   * @param {string} to
   * @returns {Outcome}
   */
  #link(from, to) {
    const node = this.#nodes.get(from);
    return node?.kind === 'file' ? this.#add(to, node) : failed('notFound', 'no such file');
  }

  /**
   * @param {string} path
   * @returns {Outcome}
   */
  #remove(path) {
    const node = this.#nodes.get(path);
    if (node === undefined) return failed('notFound', 'no such file');
    if (node.kind === 'folder') return failed('wrongKind', 'a folder');
    this.#nodes.delete(path);
    return DONE;
  }

  /**
   * @param {string} path
   * @returns {Outcome}
   */
  #removeFolder(path) {
    const node = this.#nodes.get(path);
    if (node === undefined) return failed('notFound', 'no such folder');
    if (node.kind !== 'folder') return failed('wrongKind', 'not a folder');
    const prefix = join(path, '');
    if ([...this.#nodes.keys()].some((other) => other.startsWith(prefix))) {
      return failed('other', 'the folder is not empty');
    }
    this.#nodes.delete(path);
    return DONE;
  }

  /**
   * @param {string} path
   * @param {number} limit
   * @returns {Outcome}
   */
  #list(path, limit) {
    if (this.#nodes.get(path)?.kind !== 'folder') return failed('notFound', 'no such folder');
    return listed(this.#nodes.keys(), path, limit);
  }

  /**
   * Nothing here has dates.
   *
   * @param {string} folder
   * @param {number} limit
   * @returns {Outcome}
   */
  #scan(folder, limit) {
    const node = this.#nodes.get(folder);
    if (node?.kind === 'symlink') return failed('symlink', 'a symbolic link');
    if (node?.kind === 'file') return failed('wrongKind', 'not a folder');
    if (node === undefined) return failed('notFound', 'no such folder');
    const names = namesUnder(this.#nodes.keys(), folder);
    const entries = names.slice(0, limit).map((name) => {
      return { name, ...this.#entry(join(folder, name)), modifiedMs: 0 };
    });
    return { outcome: 'scanned', entries, complete: names.length <= limit };
  }

  /**
   * @param {Effect & {effect: 'swapRecord'}} swap
   * @returns {Outcome}
   */
  #swapRecord({ record, expected, bytes, keep, beside }) {
    const replaced = this.#records.get(record);
    if (!isSame(replaced, expected ?? undefined)) return failed('changed', 'another state');
    const isTaken = beside.some((other) => other.mustBeNew && this.#records.has(other.record));
    if (isTaken) return failed('changed', 'a record beside it is there already');
    if (replaced && keep) this.#records.set(join(record, keep), replaced);
    for (const other of [...beside, { record, bytes }]) {
      if (other.bytes) this.#records.set(other.record, other.bytes);
      else this.#records.delete(other.record);
    }
    return DONE;
  }
}

/**
 * @param {Uint8Array | undefined} one
 * @param {Uint8Array | undefined} other
 */
function isSame(one, other) {
  if (one === undefined || other === undefined) return one === other;
  return one.length === other.length && one.every((byte, at) => byte === other[at]);
}

/**
 * The names directly under one, sorted.
 *
 * @param {Iterable<string>} all
 * @param {string} under
 */
function namesUnder(all, under) {
  const prefix = join(under, '');
  const below = [...all].filter((other) => other.startsWith(prefix));
  const names = below.map((other) => other.slice(prefix.length));
  return names.filter((name) => name !== '' && !name.includes('/')).sort();
}

/**
 * @param {Iterable<string>} all
 * @param {string} under
 * @param {number} limit
 * @returns {Outcome}
 */
function listed(all, under, limit) {
  const direct = namesUnder(all, under);
  return { outcome: 'names', names: direct.slice(0, limit), complete: direct.length < limit };
}

/** @param {string} path */
function parentOf(path) {
  const end = path.lastIndexOf('/');
  if (end < 0 || path === '/') return null;
  return end === 0 ? '/' : path.slice(0, end);
}

/**
 * @param {string} folder
 * @param {string} name
 */
function join(folder, name) {
  return `${folder.replace(/\/+$/, '')}/${name}`;
}

/**
 * @param {Fault} fault
 * @param {string} detail
 * @returns {Outcome}
 */
function failed(fault, detail) {
  return { outcome: 'failed', fault, detail };
}

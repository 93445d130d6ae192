// A folder that the page may read: what is shown at the beginning, what is wanted later, and what has changed since.

import type { Want } from '../asks';
import type { SourceState } from '../messages';
import { headOf } from './head';
import { CONFIG, isOfBeginning, split, type Meta } from './meta';
import { MAX_DOCUMENT_BYTES, Source, type Sink } from './source';

export interface Entry {
  name: string;
  isFolder: boolean;
}

/** A file that has not been read. */
export interface Unread {
  modified: number;
  size: number;
  content: Blob;
}

/** Paths are relative to the project's root. */
export interface Tree {
  readonly name: string;
  /** `null` where there is no such folder. */
  list(folder: string): Promise<Entry[] | null>;
  /** `null` where there is no such file. */
  file(path: string): Promise<Unread | null>;
}

/** So many files are read at once, unless they are large: one reading of many takes little longer than of one. */
const AT_ONCE = 64;
const AT_ONCE_BYTES = 4 * 1024 * 1024;

/** Folders of task checkpoints and of threads, below the state folder. */
const WITH_PARTS = ['tasks', 'threads'];
const SIDE = '.milepost';

export abstract class TreeSource extends Source {
  protected readonly meta: Meta;
  protected sink: Sink | null = null;
  /** What the core knows of each file: when it changed and how large it was. */
  #known = new Map<string, string>();
  #folders = new Set<string>();
  #walking: Promise<boolean> | null = null;
  #head: string | null = null;

  constructor(protected readonly tree: Tree) {
    super();
    this.meta = { root: tree.name, state: '.claude/state', sessions: '.claude/checkpoints' };
  }

  protected abstract state(): SourceState;

  async start(sink: Sink): Promise<void> {
    this.sink = sink;
    this.tell({ ...this.state(), connection: 'opening' });
    await this.walk();
    sink.frame({ done: true });
    this.taken();
    this.tell(this.state());
  }

  async whole(sink: Sink): Promise<void> {
    const before = this.sink;
    await this.#walking?.catch(() => false);
    this.#known.clear();
    this.sink = sink;
    try {
      await this.walk();
      sink.frame({ done: true });
    } finally {
      this.sink = before;
    }
  }

  async again(): Promise<void> {
    if (await this.walk()) this.taken();
    this.tell(this.state());
  }

  async bring(wants: Want[], sink: Sink): Promise<void> {
    for (const { path, kind } of wants) {
      if (kind === 'folder') await this.#list(path, () => false);
      else await this.#bringFile(path, sink);
    }
  }

  /** Brings what is shown at the beginning, as far as it is not known. @returns whether anything was news */
  protected walk(): Promise<boolean> {
    this.#walking ??= this.#walk().finally(() => {
      this.#walking = null;
    });
    return this.#walking;
  }

  async #walk(): Promise<boolean> {
    const before = this.#folders;
    this.#folders = new Set();
    const { state, sessions } = this.meta;
    const isWhole = (path: string) => isOfBeginning(path, this.meta);
    let isNews = await this.#tellMeta();
    // First, since which files are checkpoints depends on it.
    isNews = (await this.#files([CONFIG], isWhole)) || isNews;
    isNews = (await this.#list(state, isWhole)) || isNews;
    isNews = (await this.#list(sessions, isWhole)) || isNews;
    for (const name of WITH_PARTS) isNews = (await this.#indexes(`${state}/${name}`)) || isNews;
    for (const folder of [state, sessions]) isNews = (await this.#quarantines(`${folder}/${SIDE}`)) || isNews;
    // What somebody has looked into.
    for (const folder of before) {
      if (!this.#folders.has(folder)) isNews = (await this.#list(folder, () => false)) || isNews;
    }
    return isNews;
  }

  /** Looks at some paths alone. */
  protected async look(paths: string[]): Promise<void> {
    const files = paths.filter((path) => this.#known.has(path) || isOfBeginning(path, this.meta));
    if (await this.#files(files, (path) => isOfBeginning(path, this.meta))) this.taken();
  }

  async #tellMeta(): Promise<boolean> {
    const head = await headOf(this.tree);
    if (head === this.#head && this.#known.size > 0) return false;
    this.#head = head;
    this.sink?.frame({ meta: { ...this.meta, head, shape: 'folder', tracked: [], redacted: false } });
    return true;
  }

  /** All entries of a folder. */
  async #list(folder: string, isWhole: (path: string) => boolean): Promise<boolean> {
    const entries = (await this.tree.list(folder)) ?? [];
    this.#folders.add(folder);
    const there = new Set(entries.map(({ name }) => name));
    let isNews = this.#forget(folder, there);
    for (const { name, isFolder } of entries) {
      if (isFolder) isNews = this.#tellFolder(`${folder}/${name}`) || isNews;
    }
    const files = entries.filter(({ isFolder }) => !isFolder).map(({ name }) => `${folder}/${name}`);
    isNews = (await this.#files(files, isWhole)) || isNews;
    this.sink?.frame({ listed: folder });
    return isNews;
  }

  #tellFolder(path: string): boolean {
    if (this.#known.has(path)) return false;
    this.#known.set(path, 'folder');
    this.sink?.frame({ folder: path });
    return true;
  }

  /** Says of what was in a folder that it is not any more. */
  #forget(folder: string, there: Set<string>): boolean {
    let isNews = false;
    for (const [path, stamp] of [...this.#known]) {
      const [parent, name] = split(path);
      if (parent !== folder || there.has(name) || stamp === ABSENT) continue;
      this.#drop(path);
      isNews = true;
    }
    return isNews;
  }

  #drop(path: string): void {
    this.sink?.frame({ gone: path });
    for (const known of [...this.#known.keys()]) {
      if (known === path || known.startsWith(`${path}/`)) this.#known.delete(known);
    }
  }

  /** The indexes of task checkpoints, one in each folder. */
  async #indexes(folder: string): Promise<boolean> {
    if ((await this.tree.list(folder)) === null) return false;
    let isNews = await this.#list(folder, () => false);
    const entries = (await this.tree.list(folder)) ?? [];
    const names = entries.filter(({ name, isFolder }) => isFolder && name !== SIDE);
    const indexes = names.map(({ name }) => `${folder}/${name}/index.json`);
    isNews = (await this.#files(indexes, () => true)) || isNews;
    return isNews;
  }

  /** The side folders of documents, and what was put aside in them. */
  async #quarantines(side: string): Promise<boolean> {
    const entries = await this.tree.list(side);
    if (entries === null) return false;
    let isNews = await this.#list(side, () => false);
    for (const { name, isFolder } of entries) {
      const folder = `${side}/${name}/quarantine`;
      if (!isFolder || (await this.tree.list(folder)) === null) continue;
      isNews = this.#tellFolder(folder) || isNews;
      isNews = (await this.#list(folder, () => false)) || isNews;
    }
    return isNews;
  }

  /** Tells of files, with their content where it is to be whole. */
  async #files(paths: string[], isWhole: (path: string) => boolean): Promise<boolean> {
    let isNews = false;
    for (let from = 0; from < paths.length; from += AT_ONCE) {
      const some = paths.slice(from, from + AT_ONCE);
      const looks = await Promise.all(some.map((path) => this.#look(path)));
      const changed = looks.filter((look) => look !== null);
      const whole = changed.filter(({ path, file }) => isWhole(path) && (file?.size ?? 0) <= MAX_DOCUMENT_BYTES);
      const contents = await read(whole.flatMap(({ file }) => (file === null ? [] : [file])));
      for (const { path, file } of changed) {
        if (file === null) this.sink?.frame({ gone: path });
        else tellFile(path, file, contents.get(file), this.sink);
      }
      if (changed.length === 0) continue;
      isNews = true;
      this.taken();
    }
    return isNews;
  }

  /** What stands at a path now; `null` where that is known. */
  async #look(path: string): Promise<{ path: string; file: Unread | null } | null> {
    const file = await this.tree.file(path);
    if (file === null) {
      // What has never been told is told once: nobody lists the folder that it would be in.
      const wasThere = this.#known.get(path) !== ABSENT;
      this.#known.set(path, ABSENT);
      return wasThere ? { path, file } : null;
    }
    const stamp = stampOf(file);
    if (this.#known.get(path) === stamp) return null;
    this.#known.set(path, stamp);
    return { path, file };
  }

  async #bringFile(path: string, sink: Sink): Promise<void> {
    const file = await this.tree.file(path);
    if (file === null) {
      sink.frame({ gone: path });
      return;
    }
    this.#known.set(path, stampOf(file));
    tellFile(path, file, (await read([file])).get(file), sink);
  }
}

/** In place of a stamp. */
const ABSENT = '-';

const stampOf = ({ modified, size }: Unread): string => `${modified}/${size}`;

type Content = Uint8Array | 'denied' | 'io';

/** @param content what was read of it, or why it was not; nothing where it was not to be read */
function tellFile(path: string, { modified, size }: Unread, content: Content | undefined, sink: Sink | null): void {
  const header = { file: path, modified };
  if (content instanceof Uint8Array) sink?.frame({ ...header, bytes: content.length }, content);
  else sink?.frame({ ...header, size, ...(content !== undefined && { fault: content }) });
}

async function read(files: Unread[]): Promise<Map<Unread, Content>> {
  const contents = new Map<Unread, Content>();
  for (let from = 0; from < files.length; ) {
    let bytes = 0;
    let end = from;
    for (; end < files.length && (end === from || bytes + (files[end]?.size ?? 0) <= AT_ONCE_BYTES); end += 1) {
      bytes += files[end]?.size ?? 0;
    }
    await readTogether(files.slice(from, end), bytes, contents);
    from = end;
  }
  return contents;
}

/** One that has changed since it was looked at spoils the reading of all: then each is read by itself. */
async function readTogether(files: Unread[], bytes: number, contents: Map<Unread, Content>): Promise<void> {
  try {
    const all = new Uint8Array(await new Blob(files.map(({ content }) => content)).arrayBuffer());
    if (all.length !== bytes) throw new RangeError('a file has changed');
    let from = 0;
    for (const file of files) {
      contents.set(file, all.subarray(from, from + file.size));
      from += file.size;
    }
  } catch {
    for (const file of files) contents.set(file, await readAlone(file));
  }
}

async function readAlone({ content }: Unread): Promise<Content> {
  try {
    return new Uint8Array(await content.arrayBuffer());
  } catch (error) {
    return error instanceof DOMException && error.name === 'NotAllowedError' ? 'denied' : 'io';
  }
}

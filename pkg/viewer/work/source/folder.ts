// A folder that the browser lets the page read as long as it is open: it is followed.

import type { FileRequest } from '../protocol';
import type { SourceState } from '../messages';
import { baseOf, below } from './base';
import { CONFIG } from './meta';
import type { Sink } from './source';
import type { Entry, Tree, Unread } from './tree';
import { TreeSource } from './tree-source';

/** The time from the end of one reading to the next one, where the browser reports no changes, or refuses, in ms. */
const POLL_MS = 1000;
/** Changes come in groups: a file is written, then renamed. */
const GATHER_MS = 60;

class Handles implements Tree {
  readonly name: string;
  #folders = new Map<string, FileSystemDirectoryHandle>();
  #base: Promise<string> | null = null;

  constructor(readonly root: FileSystemDirectoryHandle) {
    this.name = root.name;
  }

  async base(): Promise<string> {
    this.#base ??= this.#findBase();
    return this.#base;
  }

  async list(folder: string): Promise<Entry[] | null> {
    const handle = await this.folder(folder);
    if (handle === null) return null;
    const entries: Entry[] = [];
    try {
      for await (const [name, { kind }] of handle.entries()) entries.push({ name, isFolder: kind === 'directory' });
    } catch (error) {
      if (!isGone(error)) throw error;
      this.#folders.clear();
      return null;
    }
    return entries;
  }

  async file(path: string): Promise<Unread | null> {
    const at = path.lastIndexOf('/');
    const folder = await this.folder(path.slice(0, Math.max(at, 0)));
    if (folder === null) return null;
    try {
      const content = await (await folder.getFileHandle(path.slice(at + 1))).getFile();
      return { modified: content.lastModified, size: content.size, content };
    } catch (error) {
      if (isGone(error)) return null;
      throw error;
    }
  }

  async folder(path: string): Promise<FileSystemDirectoryHandle | null> {
    const inside = below(await this.base(), path);
    if (inside === null) return null;
    if (inside === '') return this.root;
    const known = this.#folders.get(inside);
    if (known !== undefined) return known;
    try {
      let handle = this.root;
      for (const name of inside.split('/')) handle = await handle.getDirectoryHandle(name);
      this.#folders.set(inside, handle);
      return handle;
    } catch (error) {
      if (isGone(error)) return null;
      throw error;
    }
  }

  async #findBase(): Promise<string> {
    const names: string[] = [];
    for await (const name of this.root.keys()) names.push(name);
    return baseOf(this.root.name, names);
  }
}

/** Nothing is there, or something of another kind, or a name that no file has. */
function isGone(error: unknown): boolean {
  if (error instanceof TypeError) return true;
  return error instanceof DOMException && ['NotFoundError', 'TypeMismatchError'].includes(error.name);
}

/** A browser's report of a change, where it makes one. */
interface ChangeRecord {
  type: string;
  /** `null` where nothing is there any more. */
  changedHandle: FileSystemHandle | null;
  relativePathComponents: string[];
  relativePathMovedFrom?: string[] | null;
}

interface Observer {
  observe(handle: FileSystemDirectoryHandle, options: { recursive: boolean }): Promise<void>;
  disconnect(): void;
}

type ObserverClass = new (onChange: (records: ChangeRecord[]) => void) => Observer;

export class Folder extends TreeSource {
  #handles: Handles;
  #isLive = true;
  #isStopped = false;
  #observer: Observer | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Paths that have changed; `null` where only all of it can be looked at. */
  #changed: Set<string> | null = new Set();
  #trouble: string | null = null;

  constructor(root: FileSystemDirectoryHandle) {
    const handles = new Handles(root);
    super(handles);
    this.#handles = handles;
  }

  override async start(sink: Sink): Promise<void> {
    // Before it is read, so that no change between the two is missed.
    await this.#observe();
    await super.start(sink);
    this.#next();
  }

  override async again(): Promise<void> {
    await this.#update(null);
    this.#next();
  }

  override bring(wants: FileRequest[]): Promise<void> {
    return this.#reading(super.bring(wants));
  }

  live(on: boolean): void {
    this.#isLive = on;
    this.report(this.state());
    if (on) this.#changed = null;
    this.#next();
  }

  override stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    this.#observer?.disconnect();
  }

  protected state(): SourceState {
    const connection = this.#isLive ? 'live' : 'still';
    return { connection, name: this.tree.name, follows: true, canReadAgain: true, trouble: this.#trouble };
  }

  /** Follows the folder with `.claude` in it alone: a project has much else. */
  async #observe(): Promise<void> {
    const { FileSystemObserver } = globalThis as { FileSystemObserver?: ObserverClass };
    if (FileSystemObserver === undefined) return;
    const base = await this.#handles.base();
    const from = base === '' ? '.claude' : base;
    const observed = await this.#handles.folder(from);
    if (observed === null) return;
    try {
      const observer = new FileSystemObserver((records) => this.#hear(from, records));
      await observer.observe(observed, { recursive: true });
      if (this.#isStopped) observer.disconnect();
      this.#observer = observer;
    } catch {
      // It is read again and again instead.
    }
  }

  #hear(from: string, records: ChangeRecord[]): void {
    for (const { type, changedHandle, relativePathComponents: way, relativePathMovedFrom: before } of records) {
      const isFolder = changedHandle?.kind === 'directory';
      if (type === 'unknown' || type === 'errored') this.#changed = null;
      // It reports nothing any more.
      if (type === 'errored') this.#observer = null;
      for (const path of [way, ...(before ? [before] : [])].map((way) => [from, ...way].join('/'))) {
        const place = this.#placeOf(path);
        if (place === 'inside' && !isFolder) this.#changed?.add(path);
        // The content of a folder that comes or goes is not reported.
        else if (place !== 'elsewhere' && type !== 'modified') this.#changed = null;
      }
    }
    this.#next();
  }

  /** The place of a path, seen from what the page shows: `.claude` may have whole working trees in it. */
  #placeOf(path: string): 'inside' | 'above' | 'elsewhere' {
    const { state, sessions } = this.meta;
    if (path === CONFIG || [state, sessions].some((folder) => path.startsWith(`${folder}/`))) return 'inside';
    return [state, sessions, CONFIG].some((shown) => `${shown}/`.startsWith(`${path}/`)) ? 'above' : 'elsewhere';
  }

  #next(): void {
    if (this.#isStopped || !this.#isLive) return;
    if (this.#observer !== null && this.#changed?.size === 0) return;
    if (this.#timer !== undefined) return;
    const pause = this.#observer === null || this.#trouble !== null ? POLL_MS : GATHER_MS;
    this.#timer = setTimeout(() => void this.#follow(), pause);
  }

  async #follow(): Promise<void> {
    const changed = this.#observer === null ? null : this.#changed;
    this.#changed = new Set();
    await this.#update(changed);
    this.#timer = undefined;
    this.#next();
  }

  async #update(changed: Set<string> | null): Promise<void> {
    try {
      await this.#reading(this.update(changed === null ? null : [...changed]));
    } catch {
      this.#changed = null;
    }
  }

  /** Where it cannot be read, what was read stays, and the page says so until it can. */
  async #reading(reading: Promise<void>): Promise<void> {
    const before = this.#trouble;
    try {
      await reading;
      this.#trouble = null;
    } catch (error) {
      this.#trouble = `The folder cannot be read any more: ${error instanceof Error ? error.message : String(error)}`;
      throw error;
    } finally {
      if (this.#trouble !== before) this.report(this.state());
      // Files that could not be brought are wanted again.
      if (this.#trouble === null && before !== null) this.taken();
    }
  }
}

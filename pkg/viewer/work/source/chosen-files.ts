// Files that were dropped or chosen: their state at that moment, their contents read when they are needed.

import type { FileBatch, SourceState } from '../messages';
import { baseOf, below, placeOf } from './base';
import type { Entry, Tree, Unread } from './tree';
import { TreeSource } from './tree-source';

class Files implements Tree {
  #files = new Map<string, Unread>();
  #folders = new Map<string, Map<string, Entry>>();
  #base: string | null = null;

  constructor(readonly name: string) {}

  add(path: string, file: Unread): void {
    this.#files.set(path, file);
    this.#enter(path, false);
  }

  async list(folder: string): Promise<Entry[] | null> {
    const path = below(this.#where(), folder);
    const entries = path === null ? undefined : this.#folders.get(path);
    return entries === undefined ? null : [...entries.values()];
  }

  async file(path: string): Promise<Unread | null> {
    const found = below(this.#where(), path);
    return (found === null ? undefined : this.#files.get(found)) ?? null;
  }

  #enter(path: string, isFolder: boolean): void {
    const at = path.lastIndexOf('/');
    const [folder, name] = at === -1 ? ['', path] : [path.slice(0, at), path.slice(at + 1)];
    const entries = this.#folders.get(folder);
    if (entries === undefined) {
      this.#folders.set(folder, new Map([[name, { name, isFolder }]]));
      if (folder !== '') this.#enter(folder, true);
    } else {
      entries.set(name, { name, isFolder });
    }
  }

  #where(): string {
    this.#base ??= baseOf(this.name, [...(this.#folders.get('')?.keys() ?? [])]);
    return this.#base;
  }
}

export class ChosenFiles extends TreeSource {
  #files: Files;

  /** @param name of the folder; empty where files were opened by themselves */
  constructor(private readonly name: string) {
    const files = new Files(name === '' ? '.' : name);
    super(files);
    this.#files = files;
  }

  add({ files, contents }: FileBatch): void {
    let from = 0;
    for (const { path, modified, size } of files) {
      const content = contents.slice(from, from + size);
      this.#files.add(this.name === '' ? placeOf(path) : path, { modified, size, content });
      from += size;
    }
  }

  protected state(): SourceState {
    const name = this.name === '' ? 'Files' : this.name;
    return { connection: 'still', name, follows: false, canReadAgain: false, trouble: null };
  }
}

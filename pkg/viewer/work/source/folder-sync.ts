// The state of a core that follows a folder of the page: it is sent what it does not know, and nothing twice.

import type { FileRequest } from '../protocol';
import { headOf } from './head';
import { CONFIG, isOfBeginning, split, type Meta } from './meta';
import { MAX_DOCUMENT_BYTES, type Sink } from './source';
import type { Tree, Unread } from './tree';

/** The number of files that are read together, unless they are large: reading many takes little longer than one. */
const TOGETHER = 64;
const TOGETHER_BYTES = 4 * 1024 * 1024;

/** Folders of task checkpoints and of threads, below the state folder. */
const WITH_PARTS = ['tasks', 'threads'];
const SIDE = '.milepost';

/** In place of a stamp. */
const ABSENT = '-';
const FOLDER = 'folder';

/** A filter of files that are sent with their content. */
type IsWhole = (path: string) => boolean;

const never: IsWhole = () => false;

export class FolderSync {
  /** Of each file when it changed and how large it was. */
  #known = new Map<string, string>();
  /** Folders with all that is in them, and the walk in which they were listed last. */
  #listed = new Map<string, number>();
  #walks = 0;
  #head: string | null = null;

  constructor(
    private readonly tree: Tree,
    private readonly meta: Meta,
    private readonly sink: Sink,
    private readonly taken: () => void,
  ) {}

  /** Sends what is shown at the beginning, and the folders that were looked into, as far as that is news. */
  async walk(): Promise<void> {
    const { state, sessions } = this.meta;
    this.#walks += 1;
    await this.#sendMeta();
    // First, since which files are checkpoints depends on it.
    await this.#files([CONFIG], this.#isWhole);
    await this.#list(state, this.#isWhole);
    await this.#list(sessions, this.#isWhole);
    for (const name of WITH_PARTS) await this.#indexes(`${state}/${name}`);
    for (const folder of [state, sessions]) await this.#quarantines(`${folder}/${SIDE}`);
    for (const [folder, walk] of [...this.#listed]) if (walk < this.#walks) await this.#list(folder, never);
  }

  /** Sends what has changed at some paths alone, none of which is a folder's that came. */
  async look(paths: string[]): Promise<void> {
    const isShown = (path: string) => this.#known.has(path) || this.#listed.has(split(path)[0]);
    await this.#files(
      paths.filter((path) => isShown(path) || this.#isWhole(path)),
      this.#isWhole,
    );
  }

  /** Sends the wants of a question. */
  async bring(wants: FileRequest[]): Promise<void> {
    for (const { path, kind } of wants) {
      if (kind === 'folder') await this.#list(path, never);
      else await this.#bringFile(path);
    }
  }

  #isWhole: IsWhole = (path) => isOfBeginning(path, this.meta);

  #send(header: object, content?: Uint8Array): void {
    this.sink.frame(header, content);
    this.taken();
  }

  async #sendMeta(): Promise<void> {
    const head = await headOf(this.tree);
    if (head === this.#head && this.#known.size > 0) return;
    this.#head = head;
    this.#send({ meta: { ...this.meta, head, shape: 'folder', tracked: [], redacted: false } });
  }

  /** All entries of a folder. */
  async #list(folder: string, isWhole: IsWhole): Promise<void> {
    const entries = (await this.tree.list(folder)) ?? [];
    this.#listed.set(folder, this.#walks);
    this.#forget(folder, new Set(entries.map(({ name }) => name)));
    for (const { name, isFolder } of entries) if (isFolder) this.#sendFolder(`${folder}/${name}`);
    const files = entries.filter(({ isFolder }) => !isFolder).map(({ name }) => `${folder}/${name}`);
    await this.#files(files, isWhole);
    // No news by itself: it is said each time.
    this.sink.frame({ listed: folder });
  }

  #sendFolder(path: string): void {
    if (this.#known.get(path) === FOLDER) return;
    this.#known.set(path, FOLDER);
    this.#send({ folder: path });
  }

  /** Says of what was in a folder that it is not any more. */
  #forget(folder: string, there: Set<string>): void {
    for (const [path, stamp] of [...this.#known]) {
      const [parent, name] = split(path);
      if (parent === folder && !there.has(name) && stamp !== ABSENT) this.#drop(path);
    }
  }

  /** Nothing is there any more, nor below it. */
  #drop(path: string): void {
    this.#send({ gone: path });
    const isWithin = (other: string) => other === path || other.startsWith(`${path}/`);
    for (const known of [...this.#known.keys()]) if (isWithin(known)) this.#known.delete(known);
    for (const listed of [...this.#listed.keys()]) if (isWithin(listed)) this.#listed.delete(listed);
  }

  /** The indexes of task checkpoints, one in each folder. */
  async #indexes(folder: string): Promise<void> {
    const entries = await this.tree.list(folder);
    if (entries === null) return;
    await this.#list(folder, never);
    const names = entries.filter(({ name, isFolder }) => isFolder && name !== SIDE);
    await this.#files(names.map(({ name }) => `${folder}/${name}/index.json`), () => true);
  }

  /** The side folders of documents, and what was put aside in them. */
  async #quarantines(side: string): Promise<void> {
    const entries = await this.tree.list(side);
    if (entries === null) return;
    await this.#list(side, never);
    for (const { name, isFolder } of entries) {
      const folder = `${side}/${name}/quarantine`;
      if (!isFolder || (await this.tree.list(folder)) === null) continue;
      this.#sendFolder(folder);
      await this.#list(folder, never);
    }
  }

  /** Sends files, with their content where it is to be whole. */
  async #files(paths: string[], isWhole: IsWhole): Promise<void> {
    for (let from = 0; from < paths.length; from += TOGETHER) {
      const some = paths.slice(from, from + TOGETHER);
      const looks = await Promise.all(some.map((path) => this.#look(path)));
      const changed = looks.filter((look) => look !== null);
      const whole = changed.filter(({ path, file }) => isWhole(path) && (file?.size ?? 0) <= MAX_DOCUMENT_BYTES);
      const contents = await read(whole.flatMap(({ file }) => (file === null ? [] : [file])));
      for (const { path, file } of changed) {
        if (file === null) this.#sendAbsent(path);
        else this.#sendFile(path, file, contents.get(file));
      }
    }
  }

  /** The entry at a path now; `null` where that is known. */
  async #look(path: string): Promise<{ path: string; file: Unread | null } | null> {
    const file = await this.tree.file(path);
    const known = this.#known.get(path);
    return (file === null ? ABSENT : stampOf(file)) === known ? null : { path, file };
  }

  /** A path that has never been sent is sent once: the folder that it would be in is not listed. */
  #sendAbsent(path: string): void {
    this.#drop(path);
    this.#known.set(path, ABSENT);
  }

  async #bringFile(path: string): Promise<void> {
    const file = await this.tree.file(path);
    if (file === null) this.#sendAbsent(path);
    else this.#sendFile(path, file, (await read([file])).get(file));
  }

  /** @param content what was read of it, or why it was not; nothing where it was not to be read */
  #sendFile(path: string, file: Unread, content: Content | undefined): void {
    const { modified, size } = file;
    const header = { file: path, modified };
    // Known once it is sent: a reading that fails is made up for by the next one.
    this.#known.set(path, stampOf(file));
    if (content instanceof Uint8Array) this.#send({ ...header, bytes: content.length }, content);
    else this.#send({ ...header, size, ...(content !== undefined && { fault: content }) });
  }
}

const stampOf = ({ modified, size }: Unread): string => `${modified}/${size}`;

type Content = Uint8Array | 'denied' | 'io';

async function read(files: Unread[]): Promise<Map<Unread, Content>> {
  const contents = new Map<Unread, Content>();
  for (let from = 0; from < files.length; ) {
    let bytes = 0;
    let end = from;
    for (; end < files.length && (end === from || bytes + (files[end]?.size ?? 0) <= TOGETHER_BYTES); end += 1) {
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

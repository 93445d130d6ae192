// The files that the user drops on the page or chooses: found here, read by the worker. Nothing leaves the page.

import { signal } from '@preact/signals';

import { send } from '../work/client';
import { isChoosing } from './page';
import type { ChosenFile } from '../work/messages';

/** A file, and its path below what was dropped or chosen. */
interface LocalFile {
  path: string;
  file: File;
}

/** The number of files that are sent at a time: the page does nothing else during it. */
const PART = 64;
/** The files of a project that are read: `.claude` has much else, and so has `.git`. */
const OF_PROJECT = [
  /^\.claude(\/(state|checkpoints|config)(\/.*)?)?$/,
  /^\.git(\/(HEAD|packed-refs|refs(\/heads(\/.*)?)?))?$/,
];
const OF_CLAUDE = /^(state|checkpoints|config)(\/.*)?$/;

type Handled = DataTransferItem & { getAsFileSystemHandle?(): Promise<FileSystemHandle | null> };
type Picker = { showDirectoryPicker?(options: { id: string; mode: 'read' }): Promise<FileSystemDirectoryHandle> };

/** True if the browser can show a folder that stays readable, and so can be followed. */
export const canFollow = (window as Picker).showDirectoryPicker !== undefined;

/** Asks for a folder. @returns whether one was chosen */
export async function chooseFolder(): Promise<boolean> {
  try {
    const folder = await (window as Picker).showDirectoryPicker?.({ id: 'milepost', mode: 'read' });
    if (folder === undefined) return false;
    open(folder);
    return true;
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return false;
    throw error;
  }
}

/** Opens the same thing again; null where that has to be chosen again. */
export const reopen = signal<(() => Promise<void>) | null>(null);

/** The last opening: while its files are looked for, the user may open something else, which then counts alone. */
let latest: object = {};

/** @returns whether nothing else has been opened since */
function begin(): () => boolean {
  const mine = {};
  latest = mine;
  return () => latest === mine;
}

function showing(again: (() => Promise<void>) | null): void {
  reopen.value = again;
  isChoosing.value = false;
}

/** A folder that stays readable. */
function open(folder: FileSystemDirectoryHandle): void {
  begin();
  showing(null);
  send({ do: 'open', folder });
}

/** Files of an input: a whole folder's, or single ones. */
export async function openFiles(files: Iterable<File>): Promise<void> {
  const all = [...files];
  if (all.length > 0) await sendFiles(all, begin());
}

async function sendFiles(all: File[], isLatest: () => boolean): Promise<void> {
  showing(null);
  const folder = all[0]?.webkitRelativePath.split('/', 1)[0] ?? '';
  const files = all.map((file) => ({ path: file.webkitRelativePath.slice(folder.length + 1) || file.name, file }));
  const isWanted = fileFilter(folder, new Set(files.map(({ path }) => path.split('/', 1)[0] ?? '')));
  const sender = new Sender(folder, isLatest);
  for (const one of files) if (folder === '' || isWanted(one.path)) await sender.add(one);
  sender.end();
}

/** Opens a drop. Its entries have to be asked for before the event is over. */
export async function openDropped(transfer: DataTransfer): Promise<void> {
  const items = [...transfer.items].filter(({ kind }) => kind === 'file') as Handled[];
  if (items.length === 0) return;
  const isLatest = begin();
  const entries = items.map((item) => item.webkitGetAsEntry());
  const files = [...transfer.files];
  const [item] = items;
  const handle = items.length === 1 ? item?.getAsFileSystemHandle?.().catch(() => null) : undefined;
  const folder = await handle;
  if (!isLatest()) return;
  if (folder?.kind === 'directory') {
    open(folder as FileSystemDirectoryHandle);
    return;
  }
  const root = entries.find((entry) => entry?.isDirectory);
  if (root === undefined || root === null) {
    await sendFiles(files, isLatest);
    return;
  }
  await openEntry(root as FileSystemDirectoryEntry, isLatest);
}

async function openEntry(root: FileSystemDirectoryEntry, isLatest = begin()): Promise<void> {
  showing(() => openEntry(root));
  const first = await entriesOf(root);
  const isWanted = fileFilter(root.name, new Set(first.map(({ name }) => name)));
  const sender = new Sender(root.name, isLatest);
  const folders: { path: string; entries: FileSystemEntry[] }[] = [{ path: '', entries: first }];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const { path, entries } = folder;
    const files: Promise<LocalFile | null>[] = [];
    for (const entry of entries) {
      const entryPath = path === '' ? entry.name : `${path}/${entry.name}`;
      if (!isWanted(entryPath)) continue;
      if (entry.isDirectory) {
        folders.push({ path: entryPath, entries: await entriesOf(entry as FileSystemDirectoryEntry) });
      } else files.push(fileOf(entry as FileSystemFileEntry, entryPath));
    }
    for (const file of await Promise.all(files)) if (file !== null) await sender.add(file);
  }
  sender.end();
}

/** All entries: a browser gives some hundred at a time. */
async function entriesOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, failed) => reader.readEntries(resolve, failed));
    if (some.length === 0) return all;
    all.push(...some);
  }
}

/** `null` where it vanished since. */
function fileOf(entry: FileSystemFileEntry, path: string): Promise<LocalFile | null> {
  return new Promise((resolve) => entry.file((file) => resolve({ path, file }), () => resolve(null)));
}

/** Returns the filter of files below a folder of this name with these entries. */
function fileFilter(name: string, entries: Set<string>): (path: string) => boolean {
  if (entries.has('.claude')) return (path) => OF_PROJECT.some((rule) => rule.test(path));
  if (name === '.claude' || entries.has('state') || entries.has('checkpoints')) return (path) => OF_CLAUDE.test(path);
  return () => true;
}

/** Sends files to the worker in parts, between which the page does its other work. */
class Sender {
  #part: LocalFile[] = [];
  #isFirst = true;

  constructor(
    private readonly name: string,
    private readonly isLatest: () => boolean,
  ) {}

  async add(file: LocalFile): Promise<void> {
    this.#part.push(file);
    if (this.#part.length < PART) return;
    this.#send(false);
    await new Promise((next) => setTimeout(next));
  }

  end(): void {
    this.#send(true);
  }

  #send(last: boolean): void {
    // Its parts would get in between those of another one.
    if (!this.isLatest()) return;
    const files = this.#part.map(({ path, file }): ChosenFile => {
      return { path, modified: file.lastModified, size: file.size };
    });
    const contents = new Blob(this.#part.map(({ file }) => file));
    send({ do: 'files', name: this.name, first: this.#isFirst, last, files, contents });
    this.#isFirst = false;
    this.#part = [];
  }
}

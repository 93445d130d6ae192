import type { Store, StoreOptions } from './index.js';
import type { Effect, Outcome } from './operation.js';

/** The source of the clocks and the chance of {@link MemoryFiles}; by default the page's. */
export interface MemoryOptions {
  /** Milliseconds since 1970. */
  now?: () => number;
  /** Fills an array with unpredictable bytes. */
  random?: (bytes: Uint8Array<ArrayBuffer>) => Uint8Array;
}

/** Files in memory: a host with no other writer. Paths are absolute, with `/`. */
export declare class MemoryFiles {
  constructor(options?: MemoryOptions);
  /** The paths of all files, sorted. */
  paths(): string[];
  /** The bytes of a file, or null where it is absent. */
  read(path: string): Uint8Array | null;
  /** Writes a file, and makes the folders above it. */
  write(path: string, content: string | Uint8Array): void;
  /** Makes a folder, and those above it. */
  makeFolder(path: string): void;
  /** Puts a symbolic link in place; it leads nowhere. */
  makeSymlink(path: string): void;
  /** Removes the file, folder or link at this path. */
  remove(path: string): void;
  /** Performs one effect. */
  perform(effect: Effect): Outcome;
}

/** A store whose files are in memory. */
export interface MemoryStore extends Store {
  /** The files, to fill and to look at. */
  readonly files: MemoryFiles;
}

/** Options of {@link openMemoryStore}. */
export interface MemoryStoreOptions extends StoreOptions {
  /** The files; new ones, by default. */
  files?: MemoryFiles;
}

/**
 * Opens a store on files in memory. Its root is `/`, unless `root` says otherwise.
 *
 * @example
 * ```ts
 * import { openMemoryStore } from 'milepost/memory';
 *
 * const store = openMemoryStore();
 * store.updatePhase('implement', 'tests', { status: 'in_progress' });
 * const paths = store.files.paths();
 * ```
 */
export declare function openMemoryStore(options?: MemoryStoreOptions): MemoryStore;

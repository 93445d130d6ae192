// The messages between the page and its worker.

import type { Failure, Query, Warning } from './protocol';

/** The way in which the page was opened, from its `meta`. */
export type PageShape = 'hosted' | 'server' | 'export';

/** A file that was dropped or chosen: its path below what was dropped, and what is known of it unread. */
export interface ChosenFile {
  path: string;
  modified: number;
  size: number;
}

/**
 * Some of the chosen files, with their contents one after the other: browsers hand over and read one
 * blob of many files several times as fast as many files.
 */
export interface FileBatch {
  /** Of the folder; empty where files were opened by themselves. */
  name: string;
  first: boolean;
  last: boolean;
  files: ChosenFile[];
  contents: Blob;
}

/** A message of the page to the worker. */
export type ToWorker =
  | { do: 'start'; shape: 'hosted' }
  | { do: 'start'; shape: 'server'; token: string | null }
  | { do: 'start'; shape: 'export'; module: WebAssembly.Module }
  | { do: 'data'; part: string; isLast: boolean }
  | { do: 'query'; id: number; query: Query }
  | { do: 'cancel'; id: number }
  | { do: 'open'; folder: FileSystemDirectoryHandle }
  | ({ do: 'files' } & FileBatch)
  | { do: 'live'; on: boolean }
  | { do: 'again' };

/**
 * The source of what is shown: `none` of a hosted page that has got nothing yet, `locked` of a server that does
 * not know this page, `ended` of one that does not answer any more.
 */
export type Connection = 'none' | 'opening' | 'live' | 'still' | 'locked' | 'lost' | 'ended' | 'failed';

/** The progress of the index, and whether what is shown is followed. */
export interface Progress {
  version: number;
  indexed: number;
  total: number;
  pending: number;
}

export interface SourceState {
  connection: Connection;
  /** The name of the shown folder. */
  name: string;
  /** True if changes are sent without being asked for. */
  follows: boolean;
  /** True if the source can be read again on request. */
  canReadAgain: boolean;
  /** The error, in words. */
  trouble: string | null;
}

/** A message of the worker to the page. */
export type FromWorker =
  | { is: 'reply'; id: number; value?: unknown; warnings?: Warning[]; error?: Failure }
  | { is: 'progress'; progress: Progress }
  | { is: 'source'; source: SourceState };

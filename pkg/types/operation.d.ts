import type { Effect, SideWrite } from './effect.js';

export * from './effect.js';
export * from './wire.js';

/** The earlier name of `SideWrite`. */
export type Beside = SideWrite;

/**
 * Whom a new folder or file is for, where the host has modes: the user alone (0700, 0600), or
 * all whom the user's umask lets in.
 */
export type Access = 'owner' | 'shared';

/**
 * The kind of entry at a path; `denied` where the user of the process may not search a folder on the way,
 * so that it is unknown.
 */
export type Kind = 'absent' | 'file' | 'folder' | 'symlink' | 'other' | 'denied';

/** Reasons of failure that the core acts on; the rest is `other`. */
export type Fault =
  | 'notFound'
  | 'exists'
  | 'symlink'
  | 'wrongKind'
  | 'tooLarge'
  | 'changed'
  | 'noSpace'
  | 'unsupported'
  | 'denied'
  | 'closed'
  | 'sharing'
  | 'other';

/** One inspected path. */
export interface Entry {
  /** The kind of the entry. */
  kind: Kind;
  /** Bytes of a file; 0 for anything else. */
  size: number;
  /** The permission bits of a file or folder, where the host has modes. */
  mode?: number;
}

/** One name of a scanned folder. */
export interface ScannedEntry extends Entry {
  /** The name; where it is not Unicode, `/` and behind it the hexadecimal digits of its bytes. */
  name: string;
  /** The time of its last write, in milliseconds since 1970; NaN where it may not be looked at. */
  modifiedMs: number;
  /** The time of its last change, its mode too, where the host knows. */
  changedMs?: number;
  /** A number that distinguishes the file from others of its file system, where the host knows it. */
  number?: number;
}

/** The answer of a host. */
export type Outcome =
  | { outcome: 'done' }
  | { outcome: 'bytes'; bytes: Uint8Array }
  /** Milliseconds since 1970, and since any fixed moment. */
  | { outcome: 'clock'; wallMs: number; monotonicMs: number }
  /** One for each inspected path, in their order. */
  | { outcome: 'entries'; entries: Entry[] }
  /** The folder that holds the name, the way from there down with `/`, and what the name is. */
  | { outcome: 'found'; folder: string; below: string; kind: Kind }
  /** Names in any order; `complete` where every name is among them. */
  | { outcome: 'names'; names: string[]; complete: boolean }
  /** In any order; `complete` where it is everything in the folder, with the names that are not Unicode. */
  | { outcome: 'scanned'; entries: ScannedEntry[]; complete: boolean }
  /**
   * The tokens of a text, and how many bytes of UTF-8 its longest prefix has that has at most as many tokens
   * as the limit and ends with a token and with a character.
   */
  | { outcome: 'counted'; tokens: number; kept: number }
  /** The detail is the host's own words, without a path. */
  | { outcome: 'failed'; fault: Fault; detail: string };

/**
 * Runs one operation on a host of your own, which performs one effect at a time and decides
 * nothing.
 *
 * @param request JSON text: the operation, its place and its arguments
 * @param perform performs an effect; what goes wrong is an outcome
 * @returns JSON text: `{"ok":true,"value":…,"warnings":[…]}`, or `{"ok":false,"error":{…},…}`
 *
 * @example
 * ```ts
 * import { MemoryFiles } from 'milepost/memory';
 * import { runOperation } from 'milepost/operation';
 *
 * const files = new MemoryFiles();
 * const request = { operation: 'load', place: { root: '/' }, command: 'implement' };
 * const reply = JSON.parse(runOperation(JSON.stringify(request), (effect) => files.perform(effect)));
 * ```
 */
export declare function runOperation(
  request: string,
  perform: (effect: Effect) => Outcome,
): string;

/**
 * Runs an operation on a host that answers later. Any number of operations may be in flight; one that is never
 * answered holds up no other. A host's error or rejection is a failure `io` of the reply.
 *
 * @param request JSON text: the operation, its place and its arguments
 * @param perform performs an effect, and may answer some immediately
 * @returns JSON text, as above
 */
export declare function runOperation(
  request: string,
  perform: (effect: Effect) => Outcome | PromiseLike<Outcome>,
): Promise<string>;

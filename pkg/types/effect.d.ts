// Printed from the table of effects; a test holds the file to it.

/** One thing that the core asks a host to do. */
export type Effect =
  /** The wall clock and the monotonic clock; answered with `clock`. */
  | { effect: 'clock' }
  /** Unpredictable bytes, so many; answered with `bytes`. */
  | { effect: 'random'; length: number }
  /** Pause for so many milliseconds; answered with `done`. */
  | { effect: 'wait'; ms: number }
  /** The nearest folder, from `from` upwards, that holds `name`; answered with `found`. */
  | { effect: 'ascend'; from: string; name: string }
  /** The entry at each path, without following a link in its last part; `entries`. */
  | { effect: 'inspect'; paths: string[] }
  /** A whole file of at most `limit` bytes, or the fault `tooLarge`; `bytes`. */
  | { effect: 'read'; path: string; limit: number; links: 'follow' | 'refuse' }
  /** The first bytes of a file, through a link too: fewer than `limit` where it holds no more; `bytes`. */
  | { effect: 'readStart'; path: string; limit: number }
  /** One new folder; `done`, or the fault `exists`. */
  | { effect: 'makeFolder'; path: string; access: 'owner' | 'shared' }
  /** A new file with these bytes; `done`, or the fault `exists`. */
  | { effect: 'create'; path: string; bytes: Uint8Array; sync: 'lazy' | 'durable'; access: 'owner' | 'shared' }
  /** Renames a file, replacing another; `done`. */
  | { effect: 'rename'; from: string; to: string }
  /** Gives a file a second name, never replacing one; `done`. */
  | { effect: 'link'; from: string; to: string }
  /** Removes a file's name; `done`. */
  | { effect: 'remove'; path: string }
  /** Removes a folder that is empty; `done`. */
  | { effect: 'removeFolder'; path: string }
  /** Removes group and other permissions; `done`, or the fault `unsupported`. */
  | { effect: 'restrict'; path: string }
  /**
   * The names in a folder, at most `limit`, from a new open. The core has looked at it before; a host
   * refuses a link where opening can, and looks for none; `names`.
   */
  | { effect: 'list'; path: string; limit: number }
  /** Makes the entries of a folder durable; `done`, or the fault `unsupported`. */
  | { effect: 'syncFolder'; path: string }
  /** A record of a host that swaps by itself, such as a database; `bytes`, or the fault `notFound`. */
  | { effect: 'readRecord'; record: string }
  /**
   * Compare-and-swap of a record together with its side records, in one step; `done`, or the fault `changed`
   * where its bytes are not `expected` (null: absent), or a record of `beside` is there that must be
   * new. What is replaced is kept as the record `RECORD/keep`. `bytes` null removes the record, and
   * likewise each of `beside`.
   */
  | { effect: 'swapRecord'; record: string; expected: Uint8Array | null; bytes: Uint8Array | null; keep: string | null; beside: SideWrite[] }
  /** The records under a name, without it and the `/` after it, and none deeper; `names`. */
  | { effect: 'listRecords'; under: string; limit: number }
  /**
   * Runs git without a shell, pager or hooks; `bytes`, or the fault `unsupported`. So that no program of the
   * repository runs: before the arguments `--no-pager -c core.fsmonitor=false -c core.hooksPath=/dev/null`, in the
   * environment `GIT_NO_LAZY_FETCH=1` and `GIT_ALLOW_PROTOCOL=none`, and no `GIT_DIR`, `GIT_WORK_TREE` and
   * `GIT_CONFIG`.
   */
  | { effect: 'git'; folder: string; arguments: string[] }
  /** Writes text for the user; `done`, or the fault `closed` where it is not read any more. */
  | { effect: 'print'; stream: 'output' | 'error'; text: string }
  /** Standard input to its end, or up to the end of a line with the newline, and nothing behind that; `bytes`. */
  | { effect: 'input'; limit: number; until: 'end' | 'line' }
  /**
   * For each of these names in a folder, a trace that distinguishes the file from any other state of it: empty where
   * no regular file stands there; else the milliseconds since 1970 of its last change, and behind a
   * space all else that differs where the file does, such as its times, size and number; `names`, in
   * this order, or the fault `unsupported`: then every file is read.
   */
  | { effect: 'survey'; folder: string; names: string[] }
  /** A part of a file: fewer than `length` only where it ends, and none from there on; `bytes`. */
  | { effect: 'part'; path: string; offset: number; length: number; links: 'follow' | 'refuse' }
  /** The target of a symbolic link; `bytes`, or the fault `wrongKind` where none stands there. */
  | { effect: 'readLink'; path: string }
  /** More bytes at the end of an existing file, which is no link; `done`. */
  | { effect: 'append'; path: string; bytes: Uint8Array; sync: 'lazy' | 'durable' }
  /** A new symbolic link with this in it; `done`, or the fault `exists`, or `unsupported`. */
  | { effect: 'symlink'; path: string; target: Uint8Array }
  /**
   * Gives a file or folder that is no link these nine permission bits, and leaves those beyond; where `permissions`
   * is null, adds the execute bits of a file where its read bits are, or takes them. `done`, or the fault
   * `unsupported`.
   */
  | { effect: 'setMode'; path: string; isExecutable: boolean; permissions: number | null }
  /**
   * Everything in a folder, at most `limit` entries, with the facts of each that a look without following links gives;
   * `scanned`, or the fault `symlink` where the folder is one. Entries that vanish during the scan are left out.
   */
  | { effect: 'scan'; folder: string; limit: number }
  /**
   * The number of tokens of a text in an encoding; `counted`, or the fault `unsupported` without its vocabulary,
   * with what is to be done as the detail, and never another count.
   */
  | { effect: 'countTokens'; encoding: 'o200k' | 'cl100k'; text: string; limit: number };

/** The change of another record than the one that is swapped, in the same step. */
export interface SideWrite {
  /** The record. */
  record: string;
  /** If true, fails with `changed` when the record exists. */
  mustBeNew: boolean;
  /** The new bytes; null removes the record, and a missing one is fine. */
  bytes: Uint8Array | null;
}

// The `milepost:` modules that the build puts in: the interface to the wasm, as
// `src/surface/js` writes it.

declare module 'milepost:wasm' {
  /** The wasm file, or what the host has compiled of it. */
  export function bytes(): Uint8Array<ArrayBuffer> | WebAssembly.Module;
}

declare module 'milepost:host' {
  /** Performs one effect; never throws. */
  export const perform: import('../src/wasm/ffi.js').Perform;
  /** A path that is opened from the working folder, as one that is opened from anywhere. */
  export function absolute(path: string): string;
  /** The location that this process works on. */
  export function place(): { git_root: string | null; working: string };
}

declare module 'milepost:vocabulary' {
  type Name = 'o200k' | 'cl100k';
  /**
   * The text of a vocabulary's module, where the package is on a disk; undefined where it may not be read. Throws
   * where it is not there.
   */
  export const file: undefined | ((name: Name) => string | undefined);
  /** Import a vocabulary as base64. */
  export const modules: Record<Name, () => Promise<{ default: string }>>;
}

declare module 'milepost:installed' {
  /** Loads the package of exact tokens; throws where it is not installed. */
  export const load: () => typeof import('./exact-tokens.js');
}

declare module 'milepost:driver' {
  /** Loads `pg`. */
  export const load: () => any;
}

declare module 'milepost:cli' {
  /** Loads the module with the wasm of the command line. */
  export const load: undefined | (() => typeof import('../src/client/cli-operations.js'));
}

declare module 'milepost:hosted' {
  /** The location of the work, and what runs an operation there: JSON text of a request and of its reply. */
  export interface Hosting {
    place: object;
    /** The words that start the program. */
    program: string;
    /** The database that the place is in, if the words name one. */
    store?: import('../src/host/database/reach.js').Named;
    operate(request: string): string;
    /**
     * Has the command line do the call in files, with what it is to know of the user, and of a database beside the
     * files; the exit code.
     */
    goOn(known: object, beside?: Beside | null): number;
    validateSummary: typeof import('../src/wasm/instance.js').validateSummary;
    /** Returns a message without its secrets. */
    withoutSecrets(message: string): string;
  }
  /** A database beside files, whether the user has named it, and whether a schema that is not there is made. */
  export interface Beside {
    named: import('../src/host/database/reach.js').Named;
    isOfUser: boolean;
    makes: boolean;
  }
  /** The loader of each verb that the host does: its code runs it and resolves to the exit code. */
  export const hosted: Record<string, () => { run(options: Record<string, any>, host: Hosting): Promise<number> }>;
  /** Runs the program of hooks, with the words of this process. */
  export function startHook(): void;
}

declare module 'milepost:event' {
  /** Loads what takes an event of a coding agent. */
  export function loadEvent(): typeof import('../src/program/hook-event.js');
  /** Loads the order of entries. */
  export function loadPrecedence(): typeof import('../src/program/precedence.js');
  /** Loads what takes an event into a database. */
  export function loadStored(): typeof import('../src/program/hook-stored.js');
  /** Loads what an event seldom needs. */
  export function loadLibrary(): typeof import('../src/program/hook-library.js');
}

declare module 'milepost:database' {
  /** Loads what reaches a database by a thread of its own. */
  export function load(): typeof import('../src/host/database/blocking-client.js');
}

declare module 'milepost:threads' {
  export const MilepostError: typeof import('../src/base/error.js').MilepostError;
  /** The options of threads. */
  export const THREAD_OPTIONS: typeof import('../src/client/threads.js').THREAD_OPTIONS;
  export const fromReply: typeof import('../src/client/reply.js').fromReply;
  /** Opens the threads in a folder, in a database, or in memory. */
  export const openThreads: typeof import('../src/client/threads.js').openThreads;
}

declare module 'milepost:deferred' {
  /** Loads what runs operations on hosts that answer later. */
  export type Load = () => typeof import('../src/client/deferred.js') | Promise<typeof import('../src/client/deferred.js')>;
  export const load: Load;
}

declare module 'milepost:library' {
  /** The parts that hooks can do without, loaded at the first call. */
  export function library(): typeof import('../src/entry/library.js');
}

declare module 'milepost:glue' {
  /** The exports of the wasm. Numbers that are places in memory are signed. */
  export interface InitOutput {
    readonly memory: WebAssembly.Memory;
    reserve(bytes: number): number;
    count_tokens(length: number): number;
    validate_summary(length: number, limit: number): number;
    truncate(length: number, limit: number): number;
    operate(length: number): number;
    /** Not in the wasm of hooks. */
    without_secrets(length: number): number;
    /** Only in the wasm of the command line. */
    command_line(length: number): number;
    /** Only in the wasm of the command line. */
    store(length: number): number;
    hosted(length: number): number;
    /** These three only in the wasm for hosts that answer later. */
    begin(length: number): number;
    step(operation: number): number;
    resume(operation: number, code: number): number;
    reply_place(): number;
    reply_length(): number;
    reserve_outcome(length: number): number;
    shorten(length: number): void;
    /** The others only in the wasm of exact tokens; `encoding` is a number. */
    load(encoding: number, length: number): number;
    count(encoding: number, length: number): number;
    count_within(encoding: number, length: number, limit: number): number;
    truncate(encoding: number, length: number, limit: number): number;
    truncated_bytes(): number;
    encode(encoding: number, length: number): number;
    ids(): number;
    decode(encoding: number, count: number): number;
    decoded(): number;
    counter_new(): number;
    counter_add(counter: number, encoding: number, length: number): void;
    /** With the text in the buffer, which is not added. */
    counter_count(counter: number, encoding: number, length: number): number;
    counter_free(counter: number): void;
  }
  export function initSync(options?: { module: Uint8Array<ArrayBuffer> | WebAssembly.Module }): InitOutput;
  export function __wbg_reset_state(): void;
}

// Installed by users of a database; a pool of it has the shape of `PostgresPool`.
declare module 'pg' {
  const pg: any;
  export default pg;
}

/** The part in use of the package that unpacks deflate. */
declare module 'fflate' {
  export function inflateSync(packed: Uint8Array): Uint8Array<ArrayBuffer>;
}

/** The parts in use of the package that signs webhooks. */
declare module 'standardwebhooks' {
  export class Webhook {
    constructor(secret: string);
    sign(id: string, time: Date, payload: string): string;
  }
}

/** The parts in use of Slack's package. */
declare module '@slack/webhook' {
  export class IncomingWebhook {
    constructor(
      url: string,
      options: { fetch: (url: string, init: { headers: Record<string, string>; body: string }) => Promise<unknown> },
    );
    send(message: object): Promise<unknown>;
  }
}

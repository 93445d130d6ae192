// What the build puts in place of the `milepost:` modules: the border to the wasm, as
// `src/surface/js` writes it.

declare module 'milepost:wasm' {
  /** The wasm file. */
  export function bytes(): Uint8Array<ArrayBuffer>;
}

declare module 'milepost:host' {
  import type { Effect, Outcome } from 'milepost:glue';

  /** Performs one effect; never throws. */
  export function perform(effect: Effect): Outcome;
  /** Where this process works. */
  export function place(): { git_root: string | null; working: string };
}

declare module 'milepost:glue' {
  export interface InitOutput {
    readonly memory: WebAssembly.Memory;
  }
  export function initSync(options?: { module: Uint8Array<ArrayBuffer> }): InitOutput;
  export function __wbg_reset_state(): void;

  export function reserve(bytes: number): number;
  export function count_tokens(length: number): number;
  export function validate_summary(length: number, limit: number): string;
  export function truncate(length: number, limit: number): number;
  export function start(length: number): number;
  /** Only in the wasm of the command line. */
  export function start_command_line(length: number): number;
  export function step(handle: number): string;
  export function payload(length: number): number;
  export function resume(handle: number, length: number): string;
  export function abandon(handle: number): void;

  export type Effect =
    | { effect: 'clock' }
    | { effect: 'random'; length: number }
    | { effect: 'wait'; ms: number }
    | { effect: 'ascend'; from: string; name: string }
    | { effect: 'inspect'; paths: string[] }
    | { effect: 'read'; path: string; limit: number; links: 'follow' | 'refuse' }
    | { effect: 'makeFolder'; path: string }
    | { effect: 'create'; path: string; bytes: Uint8Array; sync: 'durable' | 'lazy' }
    | { effect: 'rename'; from: string; to: string }
    | { effect: 'link'; from: string; to: string }
    | { effect: 'remove'; path: string }
    | { effect: 'list'; path: string; limit: number }
    | { effect: 'syncFolder'; path: string }
    | { effect: 'git'; folder: string; arguments: string[] }
    | { effect: 'print'; stream: 'output' | 'error'; text: string }
    | { effect: 'input'; limit: number };

  export type Kind = 'absent' | 'file' | 'folder' | 'symlink' | 'other';

  export type Fault =
    | 'notFound'
    | 'exists'
    | 'symlink'
    | 'wrongKind'
    | 'tooLarge'
    | 'unsupported'
    | 'sharing'
    | 'other';

  export interface Entry {
    kind: Kind;
    size: number;
  }

  export type Outcome =
    | { outcome: 'done' }
    | { outcome: 'bytes'; bytes: Uint8Array }
    | { outcome: 'clock'; wallMs: number; monotonicMs: number }
    | { outcome: 'entries'; entries: Entry[] }
    | { outcome: 'found'; folder: string; below: string; kind: Kind }
    | { outcome: 'names'; names: string[]; complete: boolean }
    | { outcome: 'failed'; fault: Fault; detail: string };
}

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
  /** A path that is opened from the working folder, as one that is opened from anywhere. */
  export function absolute(path: string): string;
  /** Where this process works. */
  export function place(): { git_root: string | null; working: string };
}

declare module 'milepost:large' {
  /** Loads the module with the larger wasm. */
  export const load: undefined | (() => { run: typeof import('../src/instance.js').run });
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

  export type Access = import('./operation.js').Access;
  export type Effect = import('./operation.js').Effect;
  export type Fault = import('./operation.js').Fault;
  export type Kind = import('./operation.js').Kind;
  export type Outcome = import('./operation.js').Outcome;
}

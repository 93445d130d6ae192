/** The glue that wasm-bindgen makes. Only numbers cross: what is asked and answered is text in memory. */
declare module 'milepost:viewer' {
  export interface InitOutput {
    readonly memory: WebAssembly.Memory;
    readonly reserve: (bytes: number) => number;
    readonly take: (length: number) => void;
    readonly query: (length: number) => number;
    readonly reply_length: () => number;
  }
  export function initSync(options: { module: WebAssembly.Module }): InitOutput;
  export function __wbg_reset_state(): void;
}

// What every entry shares, once for each module system: the wasm, and all that needs no host.

export * from './arguments.js';
export * from './error.js';
export { UNABLE, run } from './instance.js';
export * from './silent.js';
export * from './summary.js';

// The operations that only the larger wasm has, in a module of its own.

export { run } from './instance.js';

// What the wasm of hooks leaves out, for the hook of coding agents: the same operation, with session checkpoints.

export { run } from './instance.js';

// Node's adapter in a module of its own, for hosts that perform most effects themselves.

export { through } from '../wasm/ffi.js';
export { absolute, perform } from './node/whole.js';

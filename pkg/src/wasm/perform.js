// The name that the wasm's glue calls.

export { perform as milepost_perform } from './ffi.js';

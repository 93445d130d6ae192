// All that the package has, in one module: for pages and bundlers.

export * from './index.js';
export { MemoryFiles, openMemoryStore, runOn, runOperation } from './rest.js';

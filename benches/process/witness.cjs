'use strict';

// Sees which wasm a package really runs, whichever way the bytes are carried: inlined, in a file,
// behind a lazy start. To be required before the package.

const modules = [];
const memories = [];

WebAssembly.Module = new Proxy(WebAssembly.Module, {
  construct(target, [bytes, ...rest]) {
    modules.push(Buffer.from(bytes.buffer ?? bytes, bytes.byteOffset ?? 0, bytes.byteLength));
    return new target(bytes, ...rest);
  },
});

WebAssembly.Instance = new Proxy(WebAssembly.Instance, {
  construct(target, args) {
    const instance = new target(...args);
    for (const exported of Object.values(instance.exports)) {
      if (exported instanceof WebAssembly.Memory) memories.push(exported);
    }
    return instance;
  },
});

/** @returns {Buffer[]} the bytes of every module compiled so far */
exports.modules = () => modules;

/** @returns {number} bytes of all linear memories */
exports.memoryBytes = () => memories.reduce((sum, { buffer }) => sum + buffer.byteLength, 0);

// Chromium for the bench, with what Chromium knows of itself: memory, and a processor that is slower.

import * as fs from 'node:fs';
import * as http from 'node:http';
import * as path from 'node:path';
import { pathToFileURL } from 'node:url';

const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.wasm': 'application/wasm' };

/** The tools with which the tests drive pages, from beside the installed package. */
export async function tools(fixture) {
  const load = (file) => import(pathToFileURL(path.join(fixture.folder, 'tests/hosts/viewer', file)).href);
  const [driver, visitor, viewer, many] = await Promise.all(
    ['drive/chromium.mjs', 'drive/visitor.mjs', 'fixture.mjs', 'data/many.mjs'].map(load),
  );
  return { ...driver, ...visitor, ...viewer, ...many };
}

/** The hosted page's files on a server that has nothing else. */
export async function hosted(fixture) {
  const folder = path.join(fixture.folder, 'node_modules/milepost/dist/viewer');
  const server = http.createServer((request, response) => {
    const name = request.url === '/' ? 'index.html' : path.basename(request.url.split('?')[0]);
    const file = path.join(folder, name);
    if (!fs.existsSync(file)) return void response.writeHead(404).end();
    response.setHeader('content-type', TYPES[path.extname(file)] ?? 'text/plain');
    response.end(fs.readFileSync(file));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { address: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() };
}

/** The page's own channel to Chromium, and those of its workers. */
export async function channels(page) {
  const own = await page.context().newCDPSession(page);
  const workers = [];
  own.on('Target.attachedToTarget', ({ sessionId }) => workers.push(sessionId));
  await own.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: false, flatten: false });
  return { own, workers };
}

/** The bytes in use after a collection: of the page, and of its worker with the memory of the wasm. */
export async function heap({ own, workers }) {
  await own.send('HeapProfiler.enable');
  await own.send('HeapProfiler.collectGarbage');
  const used = await own.send('Runtime.getHeapUsage');
  const page = used.usedSize + (used.backingStorageSize ?? 0);
  let worker = 0;
  for (const sessionId of workers) {
    const ask = (method, parameters) => inWorker(own, sessionId, method, parameters);
    await ask('HeapProfiler.enable');
    await ask('HeapProfiler.collectGarbage');
    const { usedSize, backingStorageSize = 0 } = await ask('Runtime.getHeapUsage');
    worker += usedSize + backingStorageSize + (await memoryOfWasm(ask));
  }
  return { page, worker, all: page + worker };
}

/** The memory of a worker's wasm, which its heap does not count. */
async function memoryOfWasm(ask) {
  const { result: prototype } = await ask('Runtime.evaluate', { expression: 'WebAssembly.Memory.prototype' });
  const { objects } = await ask('Runtime.queryObjects', { prototypeObjectId: prototype.objectId });
  const { result } = await ask('Runtime.callFunctionOn', {
    objectId: objects.objectId,
    functionDeclaration: 'function () { return this.reduce((sum, { buffer }) => sum + buffer.byteLength, 0); }',
    returnByValue: true,
  });
  return result.value;
}

let sent = 0;

function inWorker(own, sessionId, method, params = {}) {
  const id = ++sent;
  return new Promise((resolve, reject) => {
    const take = ({ sessionId: from, message }) => {
      const answer = JSON.parse(message);
      if (from !== sessionId || answer.id !== id) return;
      own.off('Target.receivedMessageFromTarget', take);
      if (answer.error) reject(new Error(answer.error.message));
      else resolve(answer.result);
    };
    own.on('Target.receivedMessageFromTarget', take);
    own.send('Target.sendMessageToTarget', { sessionId, message: JSON.stringify({ id, method, params }) }).catch(reject);
  });
}

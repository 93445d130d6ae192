// Bundles the worker as wrangler does, runs it on workerd, and holds what it found to what is expected; with the
// condition `workerd`, and without it.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import esbuild from 'esbuild';
import workerd from 'workerd';

/** The conditions of wrangler beside `workerd`. */
const CONDITIONS = ['worker', 'browser'];

/** Bundles into a folder, with each wasm as a module beside the script; the configuration of workerd. */
async function bundled(folder, conditions) {
  const modules = new Map();
  const wasm = {
    name: 'wasm',
    setup(build) {
      build.onResolve({ filter: /\.wasm$/ }, ({ path: name, resolveDir }) => {
        const file = path.join(resolveDir, name);
        modules.set(path.basename(file), file);
        return { path: `./${path.basename(file)}`, external: true };
      });
    },
  };
  await esbuild.build({
    ...{ entryPoints: ['worker.mjs'], bundle: true, format: 'esm', outfile: path.join(folder, 'worker.js') },
    ...{ conditions, external: ['node:*'], plugins: [wasm], logLevel: 'error' },
  });
  for (const [name, file] of modules) fs.copyFileSync(file, path.join(folder, name));
  const list = [...modules.keys()].map((name) => `, (name = "./${name}", wasm = embed "${name}")`).join('');
  const text = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .worker)],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")]
);
const worker :Workerd.Worker = (
  modules = [(name = "worker.js", esModule = embed "worker.js")${list}],
  compatibilityDate = "2026-11-01",
  compatibilityFlags = ["nodejs_compat"]
);
`;
  const file = path.join(folder, 'config.capnp');
  fs.writeFileSync(file, text);
  return { file, modules: [...modules.keys()] };
}

/** The answer of the worker, and its words on its console. */
async function answered(config) {
  const server = spawn(workerd.default, ['serve', config, '--control-fd=3'], { stdio: ['ignore', 'pipe', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [server.stdout, server.stderr]) stream.setEncoding('utf8').on('data', (text) => (said += text));
  const ended = new Promise((resolve) => server.once('close', resolve));
  try {
    const port = await new Promise((resolve, reject) => {
      let lines = '';
      server.stdio[3].setEncoding('utf8').on('data', (text) => {
        lines += text;
        for (const line of lines.split('\n').slice(0, -1)) {
          const { event, port } = JSON.parse(line);
          if (event === 'listen') resolve(port);
        }
      });
      server.once('close', (code) => reject(new Error(`workerd ended with ${code}: ${said}`)));
    });
    const response = await fetch(`http://127.0.0.1:${port}/`);
    assert.equal(response.status, 200, said);
    return { found: await response.json(), said: () => said };
  } finally {
    server.kill();
    await ended;
  }
}

for (const folder of ['with', 'without']) fs.mkdirSync(path.join('dist', folder), { recursive: true });

const { file, modules } = await bundled('dist/with', ['workerd', ...CONDITIONS]);
assert.deepEqual(modules, ['library.wasm']);
const { found, said } = await answered(file);
const { store, openedSnapshots, operation, ...others } = found;
assert.deepEqual(others, {
  counting: [3, 1, 'one two'],
  validation: [false, 'object'],
  memory: 'complete',
  snapshots: true,
  tasks: ['last'],
  langgraph: [1, 'two'],
  transcripts: 2,
  session: [{ role: 'assistant' }, [{ role: 'user' }]],
  silent: [null, false],
});
for (const failed of [store, openedSnapshots]) assert.match(failed, /^io: .*this host has no files/);
assert.match(operation, /workerd.*answer without a promise/);
assert.match(said(), /this host has no files/);
console.log('with the condition passed');

const without = await answered((await bundled('dist/without', CONDITIONS)).file);
const { silent, ...refused } = without.found;
for (const [name, message] of Object.entries(refused)) {
  assert.match(String(message), /WebAssembly, which milepost needs, .*disallowed.*condition `workerd`/, name);
}
assert.deepEqual(silent, [null, false]);
assert.match(without.said(), /WebAssembly, which milepost needs/);
console.log('without the condition passed');

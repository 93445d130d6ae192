// The components out of an OCI registry on this machine: what is pulled is what was pushed, and wasmtime runs it.

import '../environment.mjs';
import * as assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import * as fs from 'node:fs';
import * as net from 'node:net';
import * as os from 'node:os';
import * as path from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';

const env = /** @type {Record<string, string>} */ (process.env);
/** A layout for each component, and the component. */
const COMPONENTS = {
  milepost: [env.MILEPOST_COMMAND_LAYOUT, env.MILEPOST_COMPONENT],
  'milepost-core': [env.MILEPOST_CORE_LAYOUT, env.MILEPOST_CORE],
};

let home = '';
let host = '';
/** @type {import('node:child_process').ChildProcess} */
let server;

before(async () => {
  home = fs.mkdtempSync(path.join(os.tmpdir(), 'milepost-oci-'));
  const probe = net.createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = /** @type {net.AddressInfo} */ (probe.address());
  await promisify(probe.close.bind(probe))();
  host = `127.0.0.1:${port}`;
  const config = path.join(home, 'registry.yml');
  fs.writeFileSync(
    config,
    JSON.stringify({ version: '0.1', log: { level: 'info' }, storage: { filesystem: { rootdirectory: path.join(home, 'storage') } }, http: { addr: host } }),
  );
  server = spawn(env.MILEPOST_OCI_REGISTRY, ['serve', config], { stdio: ['ignore', 'ignore', 'pipe'] });
  const said = /** @type {import('node:stream').Readable} */ (server.stderr);
  for await (const line of said.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    if (line.includes('listening on')) break;
  }
  said.resume();
});

after(async () => {
  server.kill();
  if (server.exitCode === null && server.signalCode === null) await once(server, 'exit');
  fs.rmSync(home, { recursive: true, force: true });
});

/** @param {string} from @param {string} to */
function copy(from, to) {
  execFileSync(env.MILEPOST_SKOPEO, ['--insecure-policy', 'copy', '--src-tls-verify=false', '--dest-tls-verify=false', from, to], {
    env: { ...process.env, HOME: home, XDG_RUNTIME_DIR: home },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** @param {Buffer} bytes */
const digest = (bytes) => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

for (const [name, [layout, component]] of Object.entries(COMPONENTS)) {
  test(`${name} comes back from the registry byte by byte`, async () => {
    const wasm = fs.readFileSync(component);
    const [{ annotations }] = JSON.parse(fs.readFileSync(path.join(layout, 'index.json'), 'utf8')).manifests;
    const version = annotations['org.opencontainers.image.ref.name'];
    const there = `docker://${host}/${name}:${version}`;
    copy(`oci:${layout}:${version}`, there);

    const answer = await fetch(`http://${host}/v2/${name}/manifests/${version}`, {
      headers: { accept: 'application/vnd.oci.image.manifest.v1+json' },
    });
    const manifest = /** @type {any} */ (await answer.json());
    assert.equal(manifest.config.mediaType, 'application/vnd.wasm.config.v0+json');
    assert.deepEqual(
      manifest.layers.map((/** @type {any} */ it) => [it.mediaType, it.digest]),
      [['application/wasm', digest(wasm)]],
    );

    const pulled = path.join(home, `pulled-${name}`);
    copy(there, `oci:${pulled}:${version}`);
    const blob = fs.readFileSync(path.join(pulled, 'blobs/sha256', digest(wasm).slice('sha256:'.length)));
    assert.ok(blob.equals(wasm));
    const config = JSON.parse(fs.readFileSync(path.join(pulled, 'blobs/sha256', manifest.config.digest.slice('sha256:'.length)), 'utf8'));
    assert.equal(config.os, 'wasip2');
    assert.equal(config.component.exports.length > 0, true);
    assert.equal(config.component.imports.length > 0, name === 'milepost');
  });
}

test('wasmtime runs the command line that was pulled', () => {
  const [, component] = COMPONENTS.milepost;
  const blob = path.join(home, 'pulled-milepost/blobs/sha256', digest(fs.readFileSync(component)).slice('sha256:'.length));
  const out = execFileSync(env.MILEPOST_WASMTIME, ['run', blob, '--version'], { encoding: 'utf8' });
  assert.match(out, /^milepost \d+\.\d+\.\d+/);
});

// The package out of a registry of npm's protocol on this machine: published, refused, interrupted, and installed by
// each package manager. Nothing is asked of any other registry.

import '../environment.mjs';
import * as assert from 'node:assert/strict';
import { fork, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import * as fs from 'node:fs';
import * as net from 'node:net';
import * as os from 'node:os';
import * as path from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';

const env = /** @type {Record<string, string>} */ (process.env);
const { MILEPOST_NODE, MILEPOST_BUN, MILEPOST_DENO } = env;
const modules = env.MILEPOST_REGISTRY_MODULES;
const tarball = env.MILEPOST_TARBALL;
const exactTokens = env.MILEPOST_EXACT_TOKENS;

const MANIFEST = JSON.parse(inTar('package/package.json'));
const { name, version } = MANIFEST;

let home = '';
let address = '';
/** @type {import('node:child_process').ChildProcess} */
let server;

before(async () => {
  home = fs.mkdtempSync(path.join(os.tmpdir(), 'milepost-registry-'));
  const config = path.join(home, 'registry.yaml');
  fs.writeFileSync(
    config,
    JSON.stringify({
      storage: path.join(home, 'storage'),
      // No registry behind it: what is not published here is not there.
      uplinks: {},
      packages: { '**': { access: '$all', publish: '$all' } },
      max_body_size: '50mb',
      log: { type: 'stdout', format: 'json', level: 'warn' },
    }),
  );
  const port = await freePort();
  address = `http://127.0.0.1:${port}/`;
  server = fork(path.join(modules, 'verdaccio/bin/verdaccio'), ['--config', config, '--listen', `127.0.0.1:${port}`], {
    execPath: MILEPOST_NODE,
    cwd: home,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  // It says so when it listens.
  const [{ verdaccio_started: started }] = await once(server, 'message');
  assert.ok(started);
  fs.writeFileSync(path.join(home, '.npmrc'), `registry=${address}\n//127.0.0.1:${port}/:_authToken=any\n`);
});

after(async () => {
  server.kill();
  if (server.exitCode === null && server.signalCode === null) await once(server, 'exit');
  fs.rmSync(home, { recursive: true, force: true });
});

/** A port that nothing listens on now. */
async function freePort() {
  const probe = net.createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = /** @type {net.AddressInfo} */ (probe.address());
  await promisify(probe.close.bind(probe))();
  return port;
}

/** The text of a file of the package. @param {string} file */
function inTar(file) {
  const { stdout } = spawnSync('tar', ['-xzOf', tarball, file], { encoding: 'utf8', maxBuffer: 1 << 26 });
  return stdout;
}

/**
 * Runs a program in a folder whose home is that of this test.
 *
 * @param {string} program
 * @param {string[]} words
 * @param {string} [cwd]
 */
function run(program, words, cwd = home) {
  const env = {
    ...process.env,
    HOME: home,
    USERPROFILE: home,
    npm_config_userconfig: path.join(home, '.npmrc'),
    npm_config_registry: address,
    npm_config_cache: path.join(home, 'cache'),
    npm_config_update_notifier: 'false',
    npm_config_loglevel: 'error',
    COREPACK_ENABLE_STRICT: '0',
    YARN_NPM_REGISTRY_SERVER: address,
    YARN_UNSAFE_HTTP_WHITELIST: '127.0.0.1',
    YARN_ENABLE_TELEMETRY: '0',
    // By itself it takes no version that is younger than some days.
    YARN_NPM_MINIMAL_AGE_GATE: '0',
    // Yarn makes no change to a lock file where it takes this for a run of CI.
    YARN_ENABLE_IMMUTABLE_INSTALLS: 'false',
    BUN_INSTALL_CACHE_DIR: path.join(home, 'bun'),
    DENO_DIR: path.join(home, 'deno'),
    NPM_CONFIG_REGISTRY: address,
  };
  const { status, stdout, stderr, error } = spawnSync(program, words, { cwd, env, encoding: 'utf8', input: '' });
  return { code: status, out: stdout, error: `${stderr}${error ?? ''}` };
}

/** Without a proof of where it was built, which only a workflow can give. @param {string} file @param {string[]} more */
const publish = (file, ...more) => run('npm', ['publish', file, '--access', 'public', '--no-provenance', ...more]);

/** The answer of the registry about a package, or null. @param {string} [of] @returns {Promise<any>} */
async function known(of = name) {
  // A connection that waits is closed by the server while this process waits for a program.
  const response = await fetch(`${address}${of}`, { headers: { connection: 'close' } });
  return response.ok ? response.json() : null;
}

/** An empty project. @param {string} kind */
function project(kind) {
  const folder = path.join(home, `project-${kind}`);
  fs.mkdirSync(folder);
  fs.writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ name: kind, private: true }));
  return folder;
}

/** A package with other content, under this version. @param {string} other */
function changed(other) {
  const folder = fs.mkdtempSync(path.join(home, 'changed-'));
  spawnSync('tar', ['-xzf', tarball, '-C', folder]);
  const file = path.join(folder, 'package/package.json');
  fs.writeFileSync(file, JSON.stringify({ ...MANIFEST, version: other, description: 'another one' }));
  spawnSync('tar', ['-czf', path.join(folder, 'package.tgz'), '-C', folder, 'package']);
  return path.join(folder, 'package.tgz');
}

/** The words in which a registry refuses a version that it has. */
const REFUSED = /EPUBLISHCONFLICT|E409|E403|previously published|already present/;

test('a release that is cut off leaves no version of the package, and the next attempt makes it whole', async () => {
  const first = publish(exactTokens);
  assert.equal(first.code, 0, first.error);
  const { versions: before } = await known('milepost-exact-tokens');
  const { port } = new URL(address);
  const body = JSON.stringify({ _id: name, name, 'dist-tags': { latest: version }, versions: { [version]: MANIFEST } });
  const socket = net.connect(Number(port), '127.0.0.1');
  await once(socket, 'connect');
  socket.write(
    `PUT /${name} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer any\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length + 1000}\r\n\r\n${body}`,
  );
  socket.end();
  await once(socket.resume(), 'close');
  assert.equal(await known(), null);

  // The jobs run again: what is there stays as it is, and what is missing comes.
  const again = publish(exactTokens);
  assert.notEqual(again.code, 0);
  assert.match(again.error, REFUSED);
  assert.deepEqual((await known('milepost-exact-tokens')).versions, before);
  const { code, error } = publish(tarball);
  assert.equal(code, 0, error);
  const all = await known();
  assert.deepEqual(Object.keys(all.versions), [version]);
  const { integrity, tarball: at } = all.versions[version].dist;
  const stored = Buffer.from(await (await fetch(at, { headers: { connection: 'close' } })).arrayBuffer());
  assert.equal(integrity, `sha512-${createHash('sha512').update(stored).digest('base64')}`);
  assert.ok(stored.equals(fs.readFileSync(tarball)), 'the registry has the bytes that were packed');
});

test('a version that is there is refused, and stays as it is', async () => {
  const before = (await known()).versions[version].dist.integrity;
  for (const file of [tarball, changed(version)]) {
    const { code, error } = publish(file);
    assert.notEqual(code, 0);
    assert.match(error, REFUSED, error);
  }
  assert.equal((await known()).versions[version].dist.integrity, before);
});

test('a version under a tag of its own leaves the latest one where it is', async () => {
  for (const [other, tag] of [
    ['0.0.8', 'older'],
    [`${version.split('.')[0]}.999.0`, 'next'],
  ]) {
    const { code, error } = publish(changed(other), '--tag', tag);
    assert.equal(code, 0, error);
    const { 'dist-tags': tags } = await known();
    assert.equal(tags[tag], other);
    assert.equal(tags.latest, version);
  }
});

/** The bytes of the files below a folder; a link counts nothing. @param {string} folder */
function sizeOf(folder) {
  const entries = fs.readdirSync(folder, { recursive: true, withFileTypes: true }).filter((it) => it.isFile());
  return entries.reduce((sum, it) => sum + fs.statSync(path.join(it.parentPath, it.name)).size, 0);
}

const yarn = path.join(modules, '@yarnpkg/cli-dist/bin/yarn.js');
const pnpm = path.join(modules, 'pnpm/bin/pnpm.cjs');
const spec = `${name}@${version}`;

/** For each package manager the command that adds the package, and the one that starts a program of it. @type {Record<string, [string, string[], string, string[]]>} */
const MANAGERS = {
  npm: ['npm', ['install', '--save-exact', spec], 'npx', ['--no-install', 'milepost']],
  pnpm: [process.execPath, [pnpm, 'add', '--save-exact', spec], process.execPath, [pnpm, 'exec', 'milepost']],
  yarn: [process.execPath, [yarn, 'add', '--exact', spec], process.execPath, [yarn, 'milepost']],
  bun: [MILEPOST_BUN ?? 'bun', ['add', '--exact', spec], MILEPOST_BUN ?? 'bun', ['x', '--no-install', 'milepost']],
};

for (const [manager, [add, adding, start, starting]] of Object.entries(MANAGERS)) {
  test(`${manager} installs the package and starts its command line`, (t) => {
    const folder = project(manager);
    if (manager === 'yarn') fs.writeFileSync(path.join(folder, 'yarn.lock'), '');
    const began = performance.now();
    const added = run(add, adding, folder);
    t.diagnostic(`${manager}: ${((performance.now() - began) / 1000).toFixed(1)} s, ${sizeOf(folder)} bytes`);
    assert.equal(added.code, 0, added.error + added.out);
    const { dependencies } = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8'));
    assert.deepEqual(dependencies, { [name]: version });
    const { code, out, error } = run(start, [...starting, '--version'], folder);
    assert.equal(code, 0, error);
    assert.match(out, new RegExp(`milepost ${version}`));
  });
}

test('npx starts it where nothing is installed', () => {
  const folder = project('npx');
  const { code, out, error } = run('npx', ['--yes', spec, '--version'], folder);
  assert.equal(code, 0, error);
  assert.match(out, new RegExp(`milepost ${version}`));
});

test('Deno imports it by its name in npm', () => {
  // Without a manifest, which would have to name it.
  const folder = fs.mkdtempSync(path.join(home, 'deno-'));
  fs.writeFileSync(path.join(folder, 'use.mjs'), `import { countTokens } from 'npm:${spec}';\nconsole.log(countTokens('one two'));\n`);
  const words = ['run', '--minimum-dependency-age=0', '--allow-read', '--allow-env', 'use.mjs'];
  const { code, out, error } = run(MILEPOST_DENO ?? 'deno', words, folder);
  assert.equal(code, 0, error);
  assert.equal(out.trim(), '2');
});

test('the package asks for nothing but itself', () => {
  const folder = project('alone');
  const added = run('npm', ['install', spec], folder);
  assert.equal(added.code, 0, added.error);
  const lock = JSON.parse(fs.readFileSync(path.join(folder, 'package-lock.json'), 'utf8'));
  assert.deepEqual(Object.keys(lock.packages).sort(), ['', `node_modules/${name}`]);
  assert.equal(lock.packages[`node_modules/${name}`].hasInstallScript, undefined);
});

test('both packages are installed for the projects of consumers', () => {
  const folder = env.MILEPOST_INSTALLED;
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, 'package.json'), '{ "private": true }\n');
  const added = run('npm', ['install', spec, `milepost-exact-tokens@${version}`], folder);
  assert.equal(added.code, 0, added.error);
  const lock = JSON.parse(fs.readFileSync(path.join(folder, 'package-lock.json'), 'utf8'));
  const from = Object.entries(lock.packages).flatMap(([, { resolved }]) => resolved ?? []);
  assert.equal(from.length, 2);
  assert.ok(from.every((it) => it.startsWith(address)), `${from}`);
});

// The host adapters themselves: the same effects on real files have the same outcomes on Node, Deno
// and Bun, and on Deno by either of the two that the package has for it.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { pathToFileURL } from 'node:url';
import test from 'node:test';
import { DENO, RUNTIMES, emptyFolder, run, script } from './ground.mjs';

/** Which adapter performs on which runtime. */
const HOSTS = [
  ...RUNTIMES.map((runtime) => ({ ...runtime, runtime, file: 'host/node/index.js' })),
  { name: 'Deno, by its own functions', runtime: DENO, file: 'host/deno/index.js' },
];

const read = (path, links = 'refuse', limit = 100) => ({ effect: 'read', path, limit, links });
const readStart = (path, limit = 3) => ({ effect: 'readStart', path, limit });
const create = (path, sync = 'durable', access = 'owner') => ({
  effect: 'create',
  path,
  text: 'new',
  sync,
  access,
});
const makeFolder = (path, access = 'owner') => ({ effect: 'makeFolder', path, access });
const link = (from, to) => ({ effect: 'link', from, to });
const rename = (from, to) => ({ effect: 'rename', from, to });
const remove = (path) => ({ effect: 'remove', path });
const removeFolder = (path) => ({ effect: 'removeFolder', path });
const restrict = (path) => ({ effect: 'restrict', path });
const inspect = (...paths) => ({ effect: 'inspect', paths });
const list = (path) => ({ effect: 'list', path, limit: 100 });
const syncFolder = (path) => ({ effect: 'syncFolder', path });
const ascend = (from, name) => ({ effect: 'ascend', from, name });

const DONE = { outcome: 'done' };
const failed = (fault) => ({ outcome: 'failed', fault });
const text = (text) => ({ outcome: 'bytes', text });
const found = (below) => ({ outcome: 'found', folder: '', below, kind: 'file' });
const entries = (...pairs) => ({
  outcome: 'entries',
  entries: pairs.map(([kind, size, mode]) => ({ kind, size, ...(mode && { mode }) })),
});

// What is made for others too has the modes that this leaves.
process.umask(0o022);

/** In this order, in a folder as {@link filled} makes it. */
const TABLE = [
  [
    inspect('file', 'folder', 'link', 'dangling', 'fifo', 'absent', 'file/below'),
    entries(
      ...[['file', 4, 0o640], ['folder', 0, 0o755], ['symlink', 0], ['symlink', 0]],
      ...[['other', 0], ['absent', 0], ['other', 0]],
    ),
  ],
  // What a link leads to is not even looked at.
  [{ effect: 'inspect', paths: ['way', 'way/below'] }, entries(['symlink', 0], ['other', 0])],
  [read('file'), text('text')],
  [read('file', 'refuse', 4), text('text')],
  [read('file', 'refuse', 3), failed('tooLarge')],
  [read('folder'), failed('wrongKind')],
  [read('fifo'), failed('wrongKind')],
  [read('absent'), failed('notFound')],
  [read('file/below'), failed('wrongKind')],
  [read('link'), failed('symlink')],
  [read('dangling'), failed('symlink')],
  [read('link', 'follow'), text('text')],
  [read('dangling', 'follow'), failed('notFound')],
  [readStart('file'), text('tex')],
  [readStart('file', 9), text('text')],
  [readStart('link'), text('tex')],
  [readStart('folder'), failed('wrongKind')],
  [readStart('fifo'), failed('wrongKind')],
  [readStart('absent'), failed('notFound')],
  [ascend('folder', 'file'), found('folder')],
  [ascend('.', 'file'), found('')],
  [makeFolder('made'), DONE],
  [makeFolder('made'), failed('exists')],
  [makeFolder('dangling'), failed('exists')],
  [makeFolder('file/made'), failed('wrongKind')],
  [makeFolder('absent/made'), failed('notFound')],
  [create('made/new'), DONE],
  [create('made/new'), failed('exists')],
  [create('link'), failed('exists')],
  [create('dangling'), failed('exists')],
  [create('folder'), failed('exists')],
  [create('absent/new'), failed('notFound')],
  [create('made/lazy', 'lazy'), DONE],
  [read('made/new'), text('new')],
  [makeFolder('shown', 'shared'), DONE],
  [create('shown/new', 'lazy', 'shared'), DONE],
  [
    inspect('made', 'made/new', 'shown', 'shown/new'),
    entries(['folder', 0, 0o700], ['file', 3, 0o600], ['folder', 0, 0o755], ['file', 3, 0o644]),
  ],
  [link('made/new', 'made/lazy'), failed('exists')],
  [link('made/new', 'dangling'), failed('exists')],
  [link('absent', 'made/other'), failed('notFound')],
  [link('file', 'made/linked'), DONE],
  [rename('made/linked', 'made/lazy'), DONE],
  [read('made/lazy'), text('text')],
  [rename('absent', 'made/lazy'), failed('notFound')],
  [rename('made/lazy', 'folder'), failed('wrongKind')],
  [remove('made/new'), DONE],
  [remove('made/new'), failed('notFound')],
  [remove('folder'), failed('wrongKind')],
  [restrict('file'), DONE],
  [restrict('made'), DONE],
  // A right that the owner does not have is not given.
  [restrict('closed'), DONE],
  [inspect('closed'), entries(['folder', 0, 0o500])],
  [restrict('link'), failed('symlink')],
  [restrict('absent'), failed('notFound')],
  [inspect('file', 'made'), entries(['file', 4, 0o600], ['folder', 0, 0o700])],
  [makeFolder('made/below'), DONE],
  [removeFolder('made/below'), DONE],
  [removeFolder('made/below'), failed('notFound')],
  [removeFolder('file'), failed('wrongKind')],
  [removeFolder('made'), failed('other')],
  [list('made'), { outcome: 'names', names: ['lazy'], complete: true }],
  [list('folder'), { outcome: 'names', names: [], complete: true }],
  [list('absent'), failed('notFound')],
  [list('file'), failed('wrongKind')],
  // The core looks for a link itself.
  [list('way'), { outcome: 'names', names: [], complete: true }],
  [list('way/'), { outcome: 'names', names: [], complete: true }],
  [list('dangling'), failed('notFound')],
  [syncFolder('made'), DONE],
  [syncFolder('file'), failed('wrongKind')],
  [syncFolder('absent'), failed('notFound')],
  [remove('link'), DONE],
  [read('file'), text('text')],
  [{ effect: 'wait', ms: 1 }, DONE],
];

function filled(folder) {
  const at = (name) => path.join(folder, name);
  fs.mkdirSync(at('folder'));
  fs.chmodSync(at('folder'), 0o755);
  fs.mkdirSync(at('closed'));
  fs.chmodSync(at('closed'), 0o555);
  fs.writeFileSync(at('file'), 'text');
  fs.chmodSync(at('file'), 0o640);
  fs.symlinkSync(at('file'), at('link'));
  fs.symlinkSync(at('nowhere'), at('dangling'));
  fs.symlinkSync(at('folder'), at('way'));
  execFileSync('mkfifo', [at('fifo')]);
  return folder;
}

/** The adapter's source, where every runtime takes it for modules. */
function adapter(t) {
  const folder = emptyFolder(t);
  fs.cpSync(process.env.MILEPOST_ADAPTER, folder, { recursive: true });
  fs.writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}');
  const whole = "module.exports = require('../../node-host.js');\n";
  fs.writeFileSync(path.join(folder, 'host/deno/node-host.cjs'), whole);
  return folder;
}

async function outcomes(t, { runtime, file }, effects, cwd) {
  const source = adapter(t);
  const index = pathToFileURL(path.join(source, file)).href;
  const words = [script('effects.mjs'), index, JSON.stringify(effects)];
  const permissions = [`--allow-read=${cwd},${source}`, `--allow-write=${cwd}`];
  const { code, stdout, stderr } = await run(runtime, words, { cwd, permissions });
  assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
  return JSON.parse(stdout.replaceAll(cwd, ''));
}

for (const host of HOSTS) {
  test(`a file that was edited, or put in another one's place, looked as before on ${host.name}`, async (t) => {
    const cwd = filled(emptyFolder(t));
    const file = path.join(cwd, 'file');
    const names = ['file', 'folder', 'link', 'dangling', 'fifo', 'absent'];
    const survey = async () => {
      const effects = [{ effect: 'survey', folder: cwd, names }];
      const [{ names: traces, complete }] = await outcomes(t, host, effects, cwd);
      const [trace, ...others] = traces;
      assert.deepEqual({ complete, others }, { complete: true, others: names.slice(1).map(() => '') });
      return trace;
    };
    const first = await survey();
    assert.match(first, /^\d+ \S/);
    assert.ok(Math.abs(Number(first.split(' ', 1)[0]) - Date.now()) < 60_000, first);
    fs.readFileSync(file);
    assert.equal(await survey(), first);

    // As long as before, and with its time put back.
    const { atime, mtime } = fs.statSync(file);
    const coarsest = Date.now() + 3_000;
    let edited = first;
    // Some clocks are as coarse as that: Deno dates this change to the second.
    while (edited === first && Date.now() < coarsest) {
      fs.writeFileSync(file, 'next');
      fs.utimesSync(file, atime, mtime);
      edited = await survey();
    }
    assert.notEqual(edited, first);

    fs.writeFileSync(`${file}.other`, 'more');
    fs.utimesSync(`${file}.other`, atime, mtime);
    fs.renameSync(`${file}.other`, file);
    assert.notEqual(await survey(), edited);
  });

  test(`effects on files have the outcomes of the table on ${host.name}`, async (t) => {
    const cwd = filled(emptyFolder(t));
    const effects = TABLE.map(([effect]) => effect);
    const answered = await outcomes(t, host, effects, cwd);
    for (const [at, [effect, expected]] of TABLE.entries()) {
      // The words of a reason are the runtime's own.
      const { detail, ...outcome } = answered[at];
      assert.deepEqual(outcome, expected, `${effect.effect} ${JSON.stringify(effect)}`);
    }
  });

  test(`random bytes and clocks are there on ${host.name}`, async (t) => {
    const effects = [{ effect: 'random', length: 16 }, { effect: 'clock' }, { effect: 'clock' }];
    const [random, first, second] = await outcomes(t, host, effects, emptyFolder(t));
    assert.equal(random.outcome, 'bytes');
    assert.ok(second.monotonicMs >= first.monotonicMs);
    assert.ok(second.wallMs > Date.UTC(2025));
  });
}

test('Deno says why by its own functions in other words than by those of Node', async (t) => {
  const effects = [
    ...TABLE.map(([effect]) => effect),
    makeFolder('a'.repeat(300)),
    read('loop/below'),
    rename('folder', 'folder/below'),
  ];
  const answers = HOSTS.filter(({ runtime }) => runtime === DENO).map((host) => {
    const cwd = filled(emptyFolder(t));
    fs.symlinkSync('loop', path.join(cwd, 'loop'));
    return outcomes(t, host, effects, cwd);
  });
  const [node, own] = await Promise.all(answers);
  assert.deepEqual(own, node);
});

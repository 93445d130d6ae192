// The host adapters themselves: the same effects on real files have the same outcomes on Node, Deno
// and Bun, and on Deno by either of the two that the package has for it.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { pathToFileURL } from 'node:url';
import test from 'node:test';
import { DENO, RUNTIMES, adapter, emptyFolder, run, script } from './fixture.mjs';

/** The adapters, each with the runtime that it performs on. */
const HOSTS = [
  ...RUNTIMES.map((runtime) => ({ ...runtime, runtime, file: 'host/node/whole.js' })),
  { name: 'Deno, by its own functions', runtime: DENO, file: 'host/deno/index.js' },
];

const read = (path, links = 'refuse', limit = 100) => ({ effect: 'read', path, limit, links });
const readStart = (path, limit = 3) => ({ effect: 'readStart', path, limit });
const part = (path, offset, length, links = 'refuse') => ({
  effect: 'part',
  path,
  offset,
  length,
  links,
});
const readLink = (path) => ({ effect: 'readLink', path });
const append = (path, sync = 'durable') => ({ effect: 'append', path, text: 'ab', sync });
const symlink = (path, target = 'to') => ({ effect: 'symlink', path, target });
const setMode = (path, isExecutable) => ({ effect: 'setMode', path, isExecutable });
const setPermissions = (path, permissions) => ({ ...setMode(path, (permissions & 0o100) !== 0), permissions });
const scan = (folder, limit = 100) => ({ effect: 'scan', folder, limit });
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
const bytes = (text) => ({ outcome: 'bytes', bytes: [...Buffer.from(text)] });
const found = (below) => ({ outcome: 'found', folder: '', below, kind: 'file' });
const entries = (...pairs) => ({
  outcome: 'entries',
  entries: pairs.map(([kind, size, mode]) => ({ kind, size, ...(mode && { mode }) })),
});

/** In this order, in a folder as {@link filled} makes it. */
const TABLE = [
  [
    inspect('file', 'folder', 'link', 'dangling', 'fifo', 'absent', 'file/below'),
    entries(
      ...[['file', 4, 0o640], ['folder', 0, 0o755], ['symlink', 0], ['symlink', 0]],
      ...[['other', 0], ['absent', 0], ['other', 0]],
    ),
  ],
  // The target of a link is not even looked at.
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
  [part('file', 0, 3), text('tex')],
  [part('file', 1, 2), text('ex')],
  [part('file', 2, 100), text('xt')],
  [part('file', 4, 100), text('')],
  [part('file', 5, 100), text('')],
  [part('file', 2 ** 53, 100), text('')],
  [part('file', 1, 0), text('')],
  [part('link', 1, 2), failed('symlink')],
  [part('link', 1, 2, 'follow'), text('ex')],
  [part('way/../file', 1, 2), text('ex')],
  [part('dangling', 1, 2), failed('symlink')],
  [part('dangling', 1, 2, 'follow'), failed('notFound')],
  [part('folder', 1, 2), failed('wrongKind')],
  [part('folder', 0, 0, 'follow'), failed('wrongKind')],
  [part('fifo', 1, 2), failed('wrongKind')],
  [part('fifo', 1, 2, 'follow'), failed('wrongKind')],
  [part('absent', 1, 2), failed('notFound')],
  [part('file/below', 1, 2), failed('wrongKind')],
  [readLink('file'), failed('wrongKind')],
  [readLink('folder'), failed('wrongKind')],
  [readLink('fifo'), failed('wrongKind')],
  [readLink('absent'), failed('notFound')],
  [readLink('file/below'), failed('wrongKind')],
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
  [append('made/new'), DONE],
  [append('made/new', 'lazy'), DONE],
  [read('made/new'), text('newabab')],
  [append('link'), failed('symlink')],
  [append('dangling'), failed('symlink')],
  [append('folder'), failed('wrongKind')],
  [append('fifo'), failed('wrongKind')],
  [append('absent'), failed('notFound')],
  [append('file/below'), failed('wrongKind')],
  [inspect('absent', 'nowhere'), entries(['absent', 0], ['absent', 0])],
  [setMode('file', true), DONE],
  [inspect('file'), entries(['file', 4, 0o750])],
  [setMode('file', true), DONE],
  [setMode('file', false), DONE],
  [inspect('file'), entries(['file', 4, 0o640])],
  [setMode('link', true), failed('symlink')],
  [setMode('dangling', true), failed('symlink')],
  [setMode('folder', true), failed('wrongKind')],
  [setMode('fifo', true), failed('wrongKind')],
  [setMode('absent', true), failed('notFound')],
  [inspect('file', 'folder'), entries(['file', 4, 0o640], ['folder', 0, 0o755])],
  [setPermissions('file', 0o604), DONE],
  [setPermissions('folder', 0o700), DONE],
  [inspect('file', 'folder'), entries(['file', 4, 0o604], ['folder', 0, 0o700])],
  [setPermissions('file', 0o640), DONE],
  [setPermissions('folder', 0o755), DONE],
  [setPermissions('link', 0o600), failed('symlink')],
  [setPermissions('fifo', 0o600), failed('wrongKind')],
  [setPermissions('absent', 0o600), failed('notFound')],
  [scan('way'), failed('symlink')],
  [scan('dangling'), failed('symlink')],
  [scan('file'), failed('wrongKind')],
  [scan('fifo'), failed('wrongKind')],
  [scan('absent'), failed('notFound')],
  [scan('folder'), { outcome: 'scanned', entries: [], complete: true }],
  [scan('folder', 0), { outcome: 'scanned', entries: [], complete: true }],
  [scan('way/.'), { outcome: 'scanned', entries: [], complete: true }],
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

/** For Deno makes links only where it may read and write everything. */
const MAKING_LINKS = [
  [symlink('made', '../äny'), DONE],
  [readLink('made'), bytes('../äny')],
  [symlink('made'), failed('exists')],
  [symlink('file'), failed('exists')],
  [symlink('folder'), failed('exists')],
  [symlink('dangling'), failed('exists')],
  [symlink('absent/made'), failed('notFound')],
  [symlink('file/made'), failed('wrongKind')],
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

async function outcomes(t, { runtime, file }, effects, cwd, allowed) {
  const source = adapter(t);
  const index = pathToFileURL(path.join(source, file)).href;
  const words = [script('effects.mjs'), index, JSON.stringify(effects)];
  const permissions = allowed ?? [`--allow-read=${cwd},${source}`, `--allow-write=${cwd}`];
  const { code, stdout, stderr } = await run(runtime, words, { cwd, permissions });
  assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
  return JSON.parse(stdout.replaceAll(cwd, ''));
}

for (const host of HOSTS) {
  test(`a file that was edited, or put in another one's place, looks changed on ${host.name}`, async (t) => {
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
    for (let tries = 0; edited === first && (tries < 3 || Date.now() < coarsest); tries += 1) {
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
    for (const [table, allowed] of [[TABLE], [MAKING_LINKS, ['--allow-read', '--allow-write']]]) {
      const cwd = filled(emptyFolder(t));
      const effects = table.map(([effect]) => effect);
      const answered = await outcomes(t, host, effects, cwd, allowed);
      for (const [at, [effect, expected]] of table.entries()) {
        // The words of a reason are the runtime's own.
        const { detail, ...outcome } = answered[at];
        assert.deepEqual(outcome, expected, `${effect.effect} ${JSON.stringify(effect)}`);
      }
    }
  });

  test(`a scan gives the entries of a look at each name on ${host.name}`, async (t) => {
    const cwd = filled(emptyFolder(t));
    const names = fs.readdirSync(cwd).sort();
    const effects = [scan(cwd), scan('.', names.length), scan('.', names.length - 1)];
    const [all, just, fewer] = await outcomes(t, host, effects, cwd);
    assert.deepEqual([all.complete, just.complete, fewer.complete], [true, true, false]);
    assert.equal(fewer.entries.length, names.length - 1);
    all.entries.sort((one, other) => (one.name < other.name ? -1 : 1));
    assert.deepEqual(all.entries.map(({ name }) => name), names);
    for (const { name, kind, size, mode, modifiedMs, changedMs, inode } of all.entries) {
      const seen = fs.lstatSync(path.join(cwd, name));
      const [is, itsSize, itsMode] = {
        closed: ['folder', 0, 0o555],
        dangling: ['symlink', 0, -1],
        fifo: ['other', 0, -1],
        file: ['file', 4, 0o640],
        folder: ['folder', 0, 0o755],
        link: ['symlink', 0, -1],
        way: ['symlink', 0, -1],
      }[name];
      assert.deepEqual({ name, kind, size, mode }, { name, kind: is, size: itsSize, mode: itsMode });
      assert.equal(inode, seen.ino);
      // Deno has whole milliseconds, and seconds of what changed last.
      assert.ok(Math.abs(modifiedMs - seen.mtimeMs) <= 1, `${modifiedMs} ${seen.mtimeMs}`);
      assert.ok(Math.abs(changedMs - seen.ctimeMs) <= 1_000, `${changedMs} ${seen.ctimeMs}`);
    }
  });

  test(`a name that is not Unicode is named by its bytes, or said to be missing, on ${host.name}`, async (t) => {
    const cwd = emptyFolder(t);
    const strange = (name) => Buffer.concat([Buffer.from(`${cwd}/`), name]);
    fs.writeFileSync(strange(Buffer.from('no\xff', 'latin1')), '');
    fs.writeFileSync(path.join(cwd, 'no\uFFFD'), 'real');
    fs.writeFileSync(path.join(cwd, 'ä'), '');
    const [{ entries, complete }] = await outcomes(t, host, [scan('.')], cwd);
    const lines = entries.map(({ name, size }) => `${name} ${size}`).sort();
    // Deno does not say which of the two is which.
    const isDeno = host.runtime === DENO;
    assert.deepEqual(lines, isDeno ? ['ä 0'] : ['/6e6fff 0', 'no\uFFFD 4', 'ä 0']);
    assert.equal(complete, !isDeno);
  });

  test(`a link to what is not Unicode leads there on ${host.name}`, async (t) => {
    const cwd = emptyFolder(t);
    const target = [...Buffer.from('no\xff', 'latin1')];
    const effects = [symlink('new', target), readLink('new')];
    const everything = ['--allow-read', '--allow-write'];
    const [made, read] = await outcomes(t, host, effects, cwd, everything);
    if (made.outcome === 'done') assert.deepEqual(read, { outcome: 'bytes', bytes: target });
    else assert.equal(made.fault, 'unsupported');
    fs.symlinkSync(Buffer.from(target), path.join(cwd, 'old'));
    const [old] = await outcomes(t, host, [readLink('old')], cwd, everything);
    if (old.outcome === 'bytes') assert.deepEqual(old.bytes, target);
  });

  test(`random bytes and clocks are there on ${host.name}`, async (t) => {
    const effects = [{ effect: 'random', length: 16 }, { effect: 'clock' }, { effect: 'clock' }];
    const [random, first, second] = await outcomes(t, host, effects, emptyFolder(t));
    assert.equal(random.outcome, 'bytes');
    assert.ok(second.monotonicMs >= first.monotonicMs);
    assert.ok(second.wallMs > Date.UTC(2025));
  });
}

test('Deno says what to allow before it makes a link', async (t) => {
  const cwd = emptyFolder(t);
  for (const host of HOSTS.filter(({ runtime }) => runtime === DENO)) {
    const [made] = await outcomes(t, host, [symlink('new')], cwd);
    assert.equal(made.outcome, 'failed');
    assert.match(made.detail, /--allow-(read|write)/);
  }
});

test('Deno says why by its own functions in the words of those of Node', async (t) => {
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

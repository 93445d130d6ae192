// Hosts that take effects as objects: what an effect is as an object, what its outcome is as bytes, and
// files in memory, which are such a host.

import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { pathToFileURL } from 'node:url';
import test from 'node:test';
import { RUNTIMES, adapter, emptyFolder, run, script } from './fixture.mjs';

const [NODE] = RUNTIMES;

/** The outcomes of effects by a host whose source this is, and the effects as that host saw them. */
async function outcomes(t, source, effects) {
  const folder = adapter(t);
  const host = path.join(folder, 'host/own/index.js');
  fs.mkdirSync(path.dirname(host));
  fs.writeFileSync(host, source);
  const words = [script('effects.mjs'), pathToFileURL(host).href, JSON.stringify(effects)];
  const { code, stdout, stderr } = await run(NODE, words, { cwd: emptyFolder(t) });
  assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
  return JSON.parse(stdout);
}

const IN_MEMORY = `
  import { ofObjects } from '../objects.js';
  import { MemoryFiles } from '../memory.js';
  const files = new MemoryFiles();
  files.write('/a/file', 'text');
  files.makeSymlink('/a/link');
  export const perform = ofObjects((effect) => files.perform(effect));
`;

const part = (path, offset, length, links = 'refuse') => ({
  effect: 'part',
  path,
  offset,
  length,
  links,
});
const scan = (folder, limit = 9) => ({ effect: 'scan', folder, limit });
const failed = (fault) => ({ outcome: 'failed', fault });
const bytes = (text) => ({ outcome: 'bytes', bytes: [...Buffer.from(text)] });
const scanned = (entries, complete = true) => ({
  outcome: 'scanned',
  complete,
  entries: entries.map(([name, kind, size]) => {
    return { name, kind, size, mode: -1, modifiedMs: 0, changedMs: null, inode: 0 };
  }),
});
const DONE = { outcome: 'done' };

test('files in memory take parts, links, additions and scans as a disk does', async (t) => {
  const append = (path) => ({ effect: 'append', path, text: 'ab', sync: 'durable' });
  const symlink = { effect: 'symlink', path: '/a/new', target: '../x' };
  const readLink = (path) => ({ effect: 'readLink', path });
  const table = [
    [part('/a/file', 1, 2), { outcome: 'bytes', text: 'ex' }],
    [part('/a/file', 9, 2), { outcome: 'bytes', text: '' }],
    [part('/a/link', 0, 2), failed('symlink')],
    [part('/a', 0, 2), failed('wrongKind')],
    [part('/none', 0, 2), failed('notFound')],
    [append('/a/file'), DONE],
    [append('/a/link'), failed('symlink')],
    [append('/a'), failed('wrongKind')],
    [append('/none'), failed('notFound')],
    [part('/a/file', 3, 9), { outcome: 'bytes', text: 'tab' }],
    [symlink, DONE],
    [symlink, failed('exists')],
    [readLink('/a/new'), bytes('../x')],
    [readLink('/a/file'), failed('wrongKind')],
    [readLink('/none'), failed('notFound')],
    [{ effect: 'rename', from: '/a/new', to: '/a/z' }, DONE],
    [{ effect: 'setMode', path: '/a/file', isExecutable: true }, failed('unsupported')],
    [{ effect: 'rename', from: '/a', to: '/a/file' }, failed('exists')],
    [{ effect: 'rename', from: '/a', to: '/a/inner' }, failed('notFound')],
    [{ effect: 'rename', from: '/a', to: '/b' }, DONE],
    [scan('/a'), failed('notFound')],
    [scan('/b', 1), scanned([['file', 'file', 6]], false)],
    [{ effect: 'rename', from: '/b', to: '/a' }, DONE],
    [scan('/a'), scanned([['file', 'file', 6], ['link', 'symlink', 0], ['z', 'symlink', 0]])],
    [scan('/a/.', 3), scanned([['file', 'file', 6], ['link', 'symlink', 0], ['z', 'symlink', 0]])],
    [scan('/a', 1), scanned([['file', 'file', 6]], false)],
    [scan('/a/link'), failed('symlink')],
    [scan('/a/file'), failed('wrongKind')],
    [scan('/none'), failed('notFound')],
  ];
  const answered = await outcomes(t, IN_MEMORY, table.map(([effect]) => effect));
  for (const [at, [effect, expected]] of table.entries()) {
    const { detail, ...outcome } = answered[at];
    assert.deepEqual(outcome, expected, JSON.stringify(effect));
  }
});

test('a swap of records in memory is done whole or not, and never beside what must be new', async (t) => {
  const swap = (expected, bytes, keep, ...beside) => {
    const others = beside.map(([record, text, mustBeNew]) => ({ record, mustBeNew, bytes: text }));
    return { effect: 'swapRecord', record: 'r', expected, bytes, keep, beside: others };
  };
  const holds = (record, text) => {
    return [{ effect: 'readRecord', record }, text === null ? failed('notFound') : { outcome: 'bytes', text }];
  };
  const table = [
    [swap(null, 'one', null, ['r/ä', 'ß', true], ['s', 'x', true]), DONE],
    holds('r', 'one'),
    holds('r/ä', 'ß'),
    // Refused as a whole: the one beside it that is new is not made either.
    [swap('one', 'two', 'kept', ['new', 'y', true], ['s', 'z', true]), failed('changed')],
    [swap('other', 'two', 'kept', ['new', 'y', true]), failed('changed')],
    holds('r', 'one'),
    holds('r/kept', null),
    holds('new', null),
    holds('s', 'x'),
    [swap('one', '', 'kept', ['s', 'replaced', false], ['r/ä', null, false], ['none', null, false]), DONE],
    holds('r', ''),
    holds('r/kept', 'one'),
    holds('s', 'replaced'),
    holds('r/ä', null),
    [swap('', null, null, ['none', null, true]), DONE],
    holds('r', null),
  ];
  const answered = await outcomes(t, IN_MEMORY, table.map(([effect]) => effect));
  for (const [at, [effect, expected]] of table.entries()) {
    const { detail, ...outcome } = answered[at];
    assert.deepEqual(outcome, expected, JSON.stringify(effect));
  }
});

test('an effect reaches a host of objects as asked for', async (t) => {
  const source = `
    import { ofObjects } from '../objects.js';
    const bytesOf = (key, value) => (value instanceof Uint8Array ? { text: String(value) } : value);
    export const perform = ofObjects((effect) => {
      return { outcome: 'failed', fault: 'other', detail: JSON.stringify(effect, bytesOf) };
    });
  `;
  const asked = [
    { effect: 'part', path: '/f', offset: 2 ** 40 + 1, length: 7, links: 'follow' },
    { effect: 'part', path: '/f', offset: 0, length: 0, links: 'refuse' },
    { effect: 'readLink', path: '/l' },
    { effect: 'append', path: '/f', text: 'ab', sync: 'durable' },
    { effect: 'append', path: '/f', text: '', sync: 'lazy' },
    { effect: 'symlink', path: '/l', target: [255] },
    { effect: 'setMode', path: '/f', isExecutable: true, permissions: null },
    { effect: 'setMode', path: '/f', isExecutable: false, permissions: null },
    { effect: 'setMode', path: '/f', isExecutable: true, permissions: 0o750 },
    { effect: 'setMode', path: '/f', isExecutable: false, permissions: 0 },
    { effect: 'scan', folder: '/d', limit: 5 },
  ];
  const seen = (await outcomes(t, source, asked)).map(({ detail }) => JSON.parse(detail));
  const expected = asked.map(({ text, target, ...effect }) => ({
    ...effect,
    ...(text !== undefined && { bytes: { text: String(Buffer.from(text).toJSON().data) } }),
    ...(target && { target: { text: '255' } }),
  }));
  assert.deepEqual(seen, expected);
});

test('a scan of a host of objects is passed on whole, and refused where it is malformed', async (t) => {
  const host = (entries) => `
    import { ofObjects } from '../objects.js';
    export const perform = ofObjects(() => (${JSON.stringify({ outcome: 'scanned', entries, complete: true })}));
  `;
  const whole = { name: 'ä', kind: 'file', size: 5e9, mode: 0o755, modifiedMs: 1.5, changedMs: 2.5, number: 7 };
  const [seen] = await outcomes(t, host([whole]), [scan('/')]);
  const { number, ...rest } = whole;
  assert.deepEqual(seen.entries, [{ ...rest, inode: number }]);
  for (const member of ['name', 'kind', 'size', 'modifiedMs']) {
    const { [member]: _, ...without } = whole;
    await assert.rejects(outcomes(t, host([without]), [scan('/')]), new RegExp(`usable .${member}`));
  }
});

test('tokens are counted by what is loaded, and else the host says what is missing', async (t) => {
  const asked = [{ effect: 'countTokens', encoding: 'cl100k', text: 'größer', limit: 3 }];
  const [missing] = await outcomes(t, IN_MEMORY, asked);
  assert.deepEqual(missing, {
    outcome: 'failed',
    fault: 'unsupported',
    detail:
      'no vocabulary is loaded: install the npm package milepost-exact-tokens beside milepost; in a bundle and in a page, ' +
      'import `milepost/exact-tokens` before this call, and await its `load`',
  });
  const counting = (counted) => `
    globalThis[Symbol.for('milepost.exact-tokens')] = { count: (...asked) => (${counted}) };
    ${IN_MEMORY}
  `;
  const byCharacter = '{ tokens: asked[1].length, kept: asked[0].length + asked[2] }';
  const [counted] = await outcomes(t, counting(byCharacter), asked);
  assert.deepEqual(counted, { outcome: 'counted', tokens: 6, kept: 9 });
  const [thrown] = await outcomes(t, counting('null.count'), asked);
  assert.equal(thrown.fault, 'other');
  await assert.rejects(outcomes(t, counting('{ tokens: 1.5, kept: 0 }'), asked), /usable .tokens/);
});

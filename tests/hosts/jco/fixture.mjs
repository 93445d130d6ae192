// The core component as JavaScript, made by jco, and a host in memory for its operations.

import '../environment.mjs';
import * as fs from 'node:fs';
import { createRequire } from 'node:module';
import * as os from 'node:os';
import * as path from 'node:path';
import { pathToFileURL } from 'node:url';

/** @param {string} name */
function given(name) {
  const value = process.env[name];
  if (!value) throw new Error(`${name} names no file: \`cargo xtask test\` sets it`);
  return value;
}

/** The exports of the component, by interface. */
export async function transpiled() {
  const require = createRequire(path.join(given('MILEPOST_HOST_MODULES'), 'resolve-from-here'));
  const jco = await import(pathToFileURL(require.resolve('@bytecodealliance/jco-transpile')).href);
  const component = fs.readFileSync(given('MILEPOST_CORE'));
  const { files, imports } = await jco.transpileBytes(component, { name: 'core', wasiShim: false });

  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'milepost-jco-'));
  process.on('exit', () => fs.rmSync(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries({ ...files, 'package.json': '{"type":"module"}' })) {
    const file = path.join(folder, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, content);
  }
  return { imports, core: await import(pathToFileURL(path.join(folder, 'core.js')).href) };
}

/** Drives an operation to its reply. */
export function run(operation, perform) {
  let turn = operation.step();
  while (turn.tag === 'effect') turn = operation.resume(perform(turn.val));
  return JSON.parse(replyOf(turn));
}

/** The reply that an operation has ended with, as text: that of a success, or of a failure. */
export function replyOf(turn) {
  return turn.tag === 'failed' ? turn.val.reply : turn.val;
}

/** A file system that begins with the folder `/w`, and a clock that stands. */
export function memory() {
  /** @type {Map<string, Uint8Array | 'folder'>} */
  const entries = new Map([['/w', 'folder']]);
  const done = { tag: 'done' };
  const failed = (tag) => ({ tag: 'failed', val: { tag, val: tag } });
  const take = (file) => {
    const content = entries.get(file);
    return content instanceof Uint8Array ? content : undefined;
  };
  const add = (file, content) => {
    if (entries.has(file)) return failed('exists');
    entries.set(file, content);
    return done;
  };
  const inspect = (file) => {
    const content = entries.get(file);
    if (content === undefined) return { kind: 'absent', size: 0n };
    if (content === 'folder') return { kind: 'folder', size: 0n };
    return { kind: 'file', size: BigInt(content.length) };
  };
  const effects = {
    clock: () => ({ tag: 'clock', val: { wallMs: 1_769_688_000_000, monotonicMs: 0 } }),
    random: (length) => ({ tag: 'bytes', val: new Uint8Array(length).fill(7) }),
    wait: () => done,
    ascend: () => failed('not-found'),
    inspect: (paths) => ({ tag: 'entries', val: paths.map(inspect) }),
    read: ({ path }) => {
      const content = take(path);
      return content ? { tag: 'bytes', val: content } : failed('not-found');
    },
    'make-folder': ({ path }) => add(path, 'folder'),
    create: ({ path, bytes }) => add(path, bytes),
    rename: ({ from, to }) => {
      const content = take(from);
      if (!content) return failed('not-found');
      entries.delete(from);
      entries.set(to, content);
      return done;
    },
    link: ({ from, to }) => {
      const content = take(from);
      return content ? add(to, content) : failed('not-found');
    },
    remove: (path) => (entries.delete(path) ? done : failed('not-found')),
    list: ({ path }) => {
      if (entries.get(path) !== 'folder') return failed('not-found');
      const below = [...entries.keys()].filter((name) => name.startsWith(`${path}/`));
      const names = below.map((name) => name.slice(path.length + 1));
      return { tag: 'names', val: { names: names.filter((n) => !n.includes('/')), complete: true } };
    },
    'sync-folder': () => done,
  };
  /** Performs an effect; what this host does not have is `unsupported`. */
  const perform = ({ tag, val }) => effects[tag]?.(val) ?? failed('unsupported');
  return { entries, perform };
}

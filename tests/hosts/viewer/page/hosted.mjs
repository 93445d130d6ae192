// The hosted page: its files as any server of static files gives them out, and what the browser hands over to it.

import * as fs from 'node:fs';
import * as http from 'node:http';
import * as path from 'node:path';
import { openStore } from 'milepost';
import { require } from '../../node/fixture.mjs';
import { folder } from '../fixture.mjs';
import { person, visit } from './fixture.mjs';

export const FOLDER = path.join(path.dirname(require.resolve('milepost/package.json')), 'dist/viewer');
const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.wasm': 'application/wasm' };

/** The headers that `_headers` has for every file. */
export function headers() {
  const lines = fs.readFileSync(path.join(FOLDER, '_headers'), 'utf8').split('\n');
  return lines.filter((line) => /^\s+\S+:/.test(line)).map((line) => /^\s+([^:]+):\s*(.*)$/.exec(line).slice(1));
}

/**
 * A server of static files, as any is.
 *
 * @param {string} worker what runs in the page's worker before anything of its own, as a browser that is another one
 * @param {(name: string) => void} onGiven gets each file that was given out
 */
export async function hosted(t, worker = '', onGiven = () => {}) {
  const server = http.createServer((request, response) => {
    const name = request.url === '/' ? 'index.html' : request.url.slice(1);
    if (!fs.readdirSync(FOLDER).includes(name)) return void response.writeHead(404).end();
    for (const [header, value] of headers()) response.setHeader(header, value);
    response.setHeader('content-type', TYPES[path.extname(name)] ?? 'text/plain');
    if (name === 'worker.js') response.write(worker);
    response.on('finish', () => onGiven(name));
    response.end(fs.readFileSync(path.join(FOLDER, name)));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${server.address().port}`;
}

/**
 * A visitor of the hosted page that asks for a folder.
 *
 * @param {{worker?: string, page?: () => void}} as what runs before the worker, and before the page
 */
export async function welcomed(t, { worker, page = () => {} } = {}) {
  const user = await person(t);
  await user.context.addInitScript(page);
  const visitor = await visit(user, await hosted(t, worker));
  await visitor.until('it says what to do', () => document.querySelector('input[type=file]') !== null);
  return visitor;
}

/** Chooses a folder with the field for folders. */
export async function choose(visitor, folder) {
  await visitor.tab.page.locator('input[type=file]').first().setInputFiles(folder);
  await visitor.until('the list', () => document.querySelector('li.row') !== null);
}

/** Drops a folder of this machine on the page, as a file manager does. */
export async function drop(visitor, ...folders) {
  const { page } = visitor.tab;
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: folders, dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop']) {
    await session.send('Input.dispatchDragEvent', { type, x: 300, y: 300, data });
  }
  await session.detach();
}

/** Presses a button, which is called so. */
export function press(visitor, name) {
  return visitor.tab.page.getByRole('button', { name }).first().click();
}

export const STATE = '.claude/state';
/** The checkpoint of `project`. */
export const NAME = 'implement-changed';

/** A project with one checkpoint of two revisions, which the test changes. */
export function project(t) {
  const root = folder((remove) => t.after(remove));
  const store = openStore({ root, durability: 'lazy', onWarning() {} });
  const change = (status, feature = 'changed') => {
    store.updatePhase('implement', 'watch', { status, error: 'so' }, feature);
  };
  change('pending');
  change('in_progress');
  return { root, change, side: path.join(root, STATE, '.milepost', NAME) };
}

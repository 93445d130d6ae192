// Serves the page, and the viewer beside it, on this machine alone: `node serve.mjs [PORT]`.

import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import * as path from 'node:path';
import { fileURLToPath } from 'node:url';

const PORT = 8080;
const here = import.meta.dirname ?? path.dirname(fileURLToPath(import.meta.url));
const dist = path.dirname(fileURLToPath(import.meta.resolve('milepost')));

const viewer = path.join(dist, 'viewer');

const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.wasm': 'application/wasm',
};

/** The headers that the viewer is served with, from its own file: the second half of each indented line. */
const VIEWER_HEADERS = Object.fromEntries(
  readFileSync(path.join(viewer, '_headers'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('  '))
    .map((line) => [line.slice(0, line.indexOf(':')).trim(), line.slice(line.indexOf(':') + 1).trim()]),
);

/** All that there is: nothing else can be asked for. */
const FILES = new Map([
  ['/', path.join(here, 'index.html')],
  ...['page.css', 'page.js', 'report.js'].map((name) => [`/${name}`, path.join(here, name)]),
  ...['portable.mjs', 'inlined/library.mjs', 'inlined/inflate.mjs'].map((name) => [`/milepost/${name}`, path.join(dist, name)]),
  ['/viewer/', path.join(viewer, 'index.html')],
  ...readdirSync(viewer)
    .filter((name) => path.extname(name) in TYPES)
    .map((name) => [`/viewer/${name}`, path.join(viewer, name)]),
]);

const server = createServer(async (request, response) => {
  const file = FILES.get(request.url);
  if (file === undefined) {
    response.writeHead(404).end();
    return;
  }
  const headers = request.url.startsWith('/viewer/') ? VIEWER_HEADERS : {};
  response.writeHead(200, { ...headers, 'content-type': TYPES[path.extname(file)] }).end(await readFile(file));
});
server.listen(Number(process.argv[2] ?? PORT), '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${server.address().port}/`);
});

// Serves the page on this machine alone: `node serve.mjs [PORT]`.

import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import * as path from 'node:path';
import { fileURLToPath } from 'node:url';

const PORT = 8080;
const here = import.meta.dirname ?? path.dirname(fileURLToPath(import.meta.url));
const dist = path.dirname(fileURLToPath(import.meta.resolve('milepost')));

const TYPES = { '.html': 'text/html', '.css': 'text/css', '.js': 'text/javascript', '.mjs': 'text/javascript' };

/** All that there is: nothing else can be asked for. */
const FILES = new Map([
  ['/', path.join(here, 'index.html')],
  ...['page.css', 'page.js', 'report.js'].map((name) => [`/${name}`, path.join(here, name)]),
  ...['index.portable.mjs', 'memory.portable.mjs', 'whole.mjs'].map((name) => [
    `/milepost/${name}`,
    path.join(dist, name),
  ]),
]);

const server = createServer(async (request, response) => {
  const file = FILES.get(request.url);
  if (file === undefined) {
    response.writeHead(404).end();
    return;
  }
  const type = `${TYPES[path.extname(file)]}; charset=utf-8`;
  response.writeHead(200, { 'content-type': type }).end(await readFile(file));
});
server.listen(Number(process.argv[2] ?? PORT), '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${server.address().port}/`);
});

// Serves the installed package and the texts to a page, as any server of files does.

import * as fs from 'node:fs';
import * as http from 'node:http';
import { createRequire } from 'node:module';
import * as path from 'node:path';

const dist = path.dirname(createRequire(import.meta.url).resolve('milepost'));

/**
 * The address of a server with the files of the package, and with `texts` as `/texts`.
 *
 * @param {import('node:test').TestContext} t which ends it
 * @param {string} texts
 * @returns {Promise<{address: string, served: Map<string, number>}>} with the bytes of each file that was asked for
 */
export async function serve(t, texts) {
  const served = new Map();
  const server = http.createServer((request, response) => {
    const name = path.posix.normalize(request.url ?? '').slice(1);
    if (request.url === '/') {
      response.setHeader('content-type', 'text/html');
      response.end('<!doctype html><title>page</title>');
      return;
    }
    const file = name === 'texts' ? texts : path.join(dist, name);
    if (!fs.existsSync(file)) {
      response.statusCode = 404;
      response.end();
      return;
    }
    response.setHeader('content-type', name.endsWith('.mjs') ? 'text/javascript' : 'text/plain');
    const content = fs.readFileSync(file);
    served.set(name, content.length);
    response.end(content);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  return { address: `http://127.0.0.1:${server.address().port}/`, served };
}

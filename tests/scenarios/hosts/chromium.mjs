// Runs the scenarios of a file on the package, in a page of headless Chromium.
//
//   node chromium.mjs SCENARIOS OUTCOMES

import * as fs from 'node:fs';
import * as http from 'node:http';
import { createRequire } from 'node:module';
import * as path from 'node:path';

const { MILEPOST_HOST_MODULES: modules, MILEPOST_CHROMIUM: executablePath } = process.env;
const { chromium } = createRequire(path.join(modules, 'resolve-from-here'))('playwright-core');
const [scenarios, outcomes] = process.argv.slice(2);

const TYPES = { '.mjs': 'text/javascript', '.html': 'text/html', '.jsonl': 'text/plain' };

/** Serves the project that has the package; a page needs an origin to import modules from. */
const server = http.createServer(({ url }, response) => {
  const { pathname } = new URL(url, 'http://localhost');
  if (pathname === '/') {
    response.setHeader('content-type', 'text/html');
    response.end('<!doctype html><meta charset="utf-8"><title>Corpus</title>');
    return;
  }
  const file = pathname === '/scenarios.jsonl' ? scenarios : path.join(process.cwd(), pathname);
  fs.readFile(file, (error, bytes) => {
    response.statusCode = error ? 404 : 200;
    response.setHeader('content-type', TYPES[path.extname(file)] ?? 'application/octet-stream');
    response.end(bytes);
  });
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));

/** For a machine that does much else, in ms. */
const timeout = 180_000;
const browser = await chromium.launch({
  executablePath,
  timeout,
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
});
try {
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${server.address().port}/`, { timeout });
  const lines = await page.evaluate(async () => {
    const dist = '/node_modules/milepost/dist';
    const parts = [
      `${dist}/portable.mjs`,
      `${dist}/operation.portable.mjs`,
      '/tests/scenarios/js/memory.mjs',
    ];
    const [library, operation, { outcome }] = await Promise.all(
      parts.map((part) => import(part)),
    );
    const text = await (await fetch('/scenarios.jsonl')).text();
    const core = { ...library, ...operation };
    const run = (line) => `${outcome(core, line)}\n`;
    return text.trimEnd().split('\n').map(run).join('');
  });
  fs.writeFileSync(outcomes, lines);
} finally {
  await browser.close();
  server.close();
}

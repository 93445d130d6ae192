// The page in headless Chromium: files are dropped on it, as a user does.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import * as path from 'node:path';
import test, { after, before } from 'node:test';
import { openMemoryStore } from 'milepost/memory';

const HOST = createRequire(path.join(process.env.MILEPOST_HOST_MODULES ?? '', 'index.js'));
const FLAGS = ['--disable-gpu', '--disable-quic', '--disable-background-networking', '--disable-sync'];

/** For a machine that does much else. */
const LIMIT_MS = 180_000;

let server;
let browser;
/** The one tab, which loads the page again for each test: a tab of its own for each is a process that has to begin. */
let page;
let address;

before(async () => {
  server = spawn(process.execPath, [path.join(import.meta.dirname, 'serve.mjs'), '0']);
  const gone = once(server, 'exit').then(([code, signal]) => {
    throw new Error(`the server ended with ${code ?? signal}`);
  });
  const [line] = await Promise.race([once(server.stdout.setEncoding('utf8'), 'data'), gone]);
  address = line.trim();
  browser = await HOST('playwright-core').chromium.launch({
    executablePath: process.env.MILEPOST_CHROMIUM,
    chromiumSandbox: false,
    args: FLAGS,
    timeout: LIMIT_MS,
  });
  page = await browser.newPage();
  page.setDefaultTimeout(LIMIT_MS);
});

after(async () => {
  await browser?.close();
  server?.kill();
});

/** Records errors, logs and requests that the page must not make, from now to its next use. */
function watch() {
  const surprises = [];
  page.removeAllListeners();
  page.on('pageerror', ({ message }) => surprises.push(message));
  page.on('console', (message) => surprises.push(message.text()));
  page.on('dialog', (dialog) => {
    surprises.push(dialog.message());
    dialog.dismiss();
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(address)) surprises.push(request.url());
  });
  return surprises;
}

/** The page on which this file was dropped, once its report is there. */
async function dropped(content, name = 'design-checkpoint.json') {
  const surprises = watch();
  await page.goto(address);
  const bytes = [...(typeof content === 'string' ? new TextEncoder().encode(content) : content)];
  await page.evaluate(
    ([values, fileName]) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([new Uint8Array(values)], fileName));
      const drop = new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true });
      document.getElementById('drop').dispatchEvent(drop);
    },
    [bytes, name],
  );
  await page.waitForSelector('#report p');
  const text = async (selector) => (await page.locator(selector).allInnerTexts()).join('\n');
  return { text, surprises };
}

/** A checkpoint as the store writes it. */
function checkpoint(summary = 'Read it all.', phase = 'draft') {
  const store = openMemoryStore();
  store.updatePhase('design', 'research', { status: 'complete', context_summary: summary });
  store.updatePhase('design', phase, { status: 'in_progress' });
  return store.loadText('design');
}

test('a good file shows its resume point and token counts', async () => {
  const { text, surprises } = await dropped(checkpoint());
  assert.equal(await text('#report p'), 'The checkpoint is valid.');
  assert.match(await text('#resume'), /draft\s+Read it all\./);
  assert.match(await text('#tokens'), /\/phases\/research\/context_summary\s+3 of 500/);
  assert.equal(await page.locator('#problems, #warnings').count(), 0);
  assert.deepEqual(surprises, []);
});

test('a file that breaks the schema shows each problem, and what can be resumed', async () => {
  const broken = JSON.parse(checkpoint());
  broken.version = 'one';
  broken.phases.draft.status = 'half done';
  const { text } = await dropped(JSON.stringify(broken));
  assert.equal(await text('#report p'), 'The checkpoint is not valid.');
  const problems = await text('#problems');
  assert.match(problems, /\/version/);
  assert.match(problems, /\/phases\/draft\/status/);
  assert.match(await text('#resume'), /draft/);
});

test('what is no JSON, no UTF-8 or empty is not valid, with the reason', async () => {
  for (const content of ['{"version": 1,', [0xff, 0xfe, 0x7b], '', '[1]']) {
    const { text, surprises } = await dropped(content);
    assert.equal(await text('#report p'), 'The checkpoint is not valid.');
    assert.equal(await page.locator('#problems tr').count(), 2);
    assert.equal(await page.locator('#resume').count(), 0);
    assert.deepEqual(surprises, []);
  }
});

test('markup and hidden characters of a malicious file are text', async () => {
  const attack = '<img src=x onerror="alert(1)"><script>alert(2)</script>';
  const good = JSON.parse(checkpoint(`${attack}\u202egnp.exe`, attack));
  good.phases['"><svg onload=alert(3)>'] = { status: attack };
  const name = '<b onclick=alert(4)>\u202e.json';
  const { text, surprises } = await dropped(JSON.stringify(good), name);
  assert.deepEqual(surprises, []);
  assert.equal(await page.locator('#report :is(img, script, svg, b)').count(), 0);
  const shown = await text('#report');
  assert.ok(shown.includes(`${attack}\\u{202e}gnp.exe`), shown);
  assert.ok(shown.includes('<b onclick=alert(4)>\\u{202e}.json'), shown);
  assert.doesNotMatch(shown, /\p{Cf}/u);
});

test('a deep document and one above 16 MiB are refused', async () => {
  const deep = await dropped('['.repeat(100_000));
  assert.match(await deep.text('#report'), /not valid/);
  await page.locator('#file').setInputFiles({
    name: 'large.json',
    mimeType: 'application/json',
    buffer: Buffer.alloc(16 * 1024 * 1024 + 1),
  });
  await page.getByText('More than 16777216 bytes').waitFor();
});

test('the viewer, served with its own headers, shows a file and makes no other request', async () => {
  const surprises = watch();
  const response = await page.goto(new URL('/viewer/', address).href);
  assert.match(response.headers()['content-security-policy'], /frame-ancestors 'none'/);
  await page.getByLabel('Files', { exact: true }).setInputFiles({
    name: 'design-checkpoint.json',
    mimeType: 'application/json',
    buffer: Buffer.from(checkpoint('Read <b>it</b> all.')),
  });
  const row = page.getByRole('list', { name: 'Runs' }).getByRole('listitem');
  assert.match(await row.innerText(), /design[\s\S]*in progress[\s\S]*Read <b>it<\/b> all\./);
  assert.deepEqual(surprises, []);
});

test('the server gives nothing but the pages', async () => {
  for (const url of ['/../package.json', '/serve.mjs', '/%2e%2e/package.json', '/milepost/', '/viewer/_headers']) {
    assert.equal((await fetch(new URL(url, address))).status, 404);
  }
});

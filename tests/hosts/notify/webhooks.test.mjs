// Standard Webhooks: what is sent, and what becomes of what is answered.

import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import * as fs from 'node:fs';
import * as path from 'node:path';
import test from 'node:test';

import {
  SECRET,
  WEBHOOK,
  begin,
  later,
  notify,
  project,
  queue,
  receiver,
  reconfigured,
  started,
  until,
} from './fixture.mjs';

const done = { status: 'complete' };

function signature(id, timestamp, text) {
  const key = Buffer.from(SECRET.slice('whsec_'.length), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${text}`).digest('base64')}`;
}

test('what signs here agrees with the example of the standard', () => {
  const id = 'msg_p5jXN8AQM9LWM0D4loKWxJek';
  assert.equal(
    signature(id, 1614265330, '{"test": 2432232314}'),
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  );
});

test('a webhook is the one of the standard', async (t) => {
  const hook = await receiver(t);
  const { root, store } = project(t, WEBHOOK);
  const variables = { HOOK_URL: hook.url };
  store.updatePhase('implement', 'scan', done, 'dark-mode');
  reconfigured(root);
  await begin(root, variables);
  assert.deepEqual(hook.received, [], 'what was there before');
  store.updatePhase('implement', 'parse', { ...done, context_summary: 'Parses “all”.' }, 'dark-mode');
  const { code, stdout, stderr } = await notify(root, variables);
  assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
  assert.equal(stdout, 'sent  webhook:HOOK_URL: implement/dark-mode: phase parse is complete (2 of 2)\n');

  const [{ headers, body, text }] = hook.received;
  assert.equal(headers['content-type'], 'application/json');
  const { 'webhook-id': id, 'webhook-timestamp': timestamp } = headers;
  assert.match(id, /^msg_[0-9a-f]{32}$/);
  assert.ok(Math.abs(Number(timestamp) - Date.now() / 1000) < 300, timestamp);
  assert.equal(headers['webhook-signature'], signature(id, timestamp, text));
  assert.deepEqual(Object.keys(body), ['type', 'timestamp', 'data']);
  assert.equal(body.type, 'checkpoint.phase_completed');
  assert.equal(body.timestamp, store.load('implement', 'dark-mode').phases.parse.updated_at);
  const { command, feature, phase, summary, revision } = body.data;
  assert.deepEqual(
    { command, feature, phase, summary, revision },
    { command: 'implement', feature: 'dark-mode', phase: 'parse', summary: 'Parses “all”.', revision: 2 },
  );
  assert.equal((await notify(root, variables)).code, 0);
  assert.equal(hook.received.length, 1);
});

test('a dry run shows what the next run sends, ends as that, and leaves everything as it is', async (t) => {
  let isAway = true;
  const hook = await receiver(t, () => (isAway ? [503, { 'retry-after': '3600' }] : [200]));
  const { root, store } = project(t, WEBHOOK);
  const variables = { HOOK_URL: hook.url };
  store.updatePhase('design', 'draw', done);
  const state = path.join(root, '.claude/state');
  const folder = () => fs.readdirSync(state, { recursive: true }).sort();
  const before = folder();
  const first = await notify(root, variables, '--dry-run');
  assert.equal(first.code, 0, first.stderr);
  assert.match(first.stdout, /^Begun with what was reached since \d{4}-/);
  assert.match(first.stdout, /^ {2}design: phase draw is complete \(1 of 1\)$/m);
  assert.deepEqual([folder(), hook.received], [before, []]);
  // Changes after the settings were written are sent by the first run.
  assert.equal((await notify(root, variables)).code, 75);
  assert.equal(hook.received.length, 1);
  isAway = false;
  store.updatePhase('implement', 'scan', done);
  const cursor = fs.readFileSync(path.join(state, 'notifications/cursor.json'));
  const second = await notify(root, variables, '--dry-run');
  assert.equal(second.code, 75);
  assert.doesNotMatch(second.stdout, /draw/);
  assert.match(second.stdout, /phase scan is complete/);
  assert.match(second.stdout, /^1 notice waits, the next one until \d{4}-/m);
  assert.deepEqual(fs.readFileSync(path.join(state, 'notifications/cursor.json')), cursor);
  assert.equal((await notify(root, variables)).code, 75);
  assert.deepEqual(hook.received.map(({ body }) => body.data.phase), ['draw', 'scan']);
});

test('notices of one run come in their order, and none overtakes one that failed', async (t) => {
  let isAway = true;
  // For so long that a busy machine does not reach it.
  const away = [503, { 'retry-after': '3600' }];
  const hook = await receiver(t, ({ body }) => (isAway && body.data.feature === 'a' ? away : [200]));
  const { root, store } = project(t, WEBHOOK);
  const variables = { HOOK_URL: hook.url };
  await begin(root, variables);
  for (const name of ['one', 'two', 'three']) {
    store.updatePhase('implement', name, done, 'a');
    store.updatePhase('implement', name, done, 'b');
  }
  store.complete('implement', 'b');
  const first = await notify(root, variables);
  assert.equal(first.code, 75);
  assert.match(first.stderr, /webhook:HOOK_URL: implement\/a: phase one .*answered 503; attempt 1 failed, and the next/);
  const of = (feature) =>
    hook.received.filter(({ body }) => body.data.feature === feature).map(({ body }) => body.data.phase);
  assert.deepEqual(of('a'), ['one']);
  assert.deepEqual(of('b'), ['one', 'two', 'three', null]);
  // Not due yet.
  assert.equal((await notify(root, variables)).code, 75);
  assert.deepEqual(of('a'), ['one']);
  isAway = false;
  later(root);
  const last = await notify(root, variables, '--json');
  assert.equal(last.code, 0);
  assert.deepEqual(of('a'), ['one', 'one', 'two', 'three']);
  const [failed, again] = hook.received.filter(({ body }) => body.data.phase === 'one' && body.data.feature === 'a');
  assert.equal(failed.headers['webhook-id'], again.headers['webhook-id']);
  assert.equal(failed.text, again.text);
  const lines = last.stdout.trim().split('\n').map((line) => JSON.parse(line));
  assert.deepEqual(lines.map(({ fate }) => fate), ['delivered', 'delivered', 'delivered']);
});

test('a command is called complete only where nothing of it is left', async (t) => {
  const { root, store } = project(t, WEBHOOK);
  const variables = { HOOK_URL: 'https://hooks.example.org/hook' };
  await begin(root, variables);
  store.updatePhase('design', 'draw', done);
  store.updatePhase('design', 'paint', { status: 'skipped' });
  store.complete('design');
  store.updatePhase('ship', 'push', done);
  store.updatePhase('ship', 'tell', { status: 'failed' });
  store.updatePhase('ship', 'rest', { status: 'pending' });
  store.complete('ship', null, { keepOpen: true });
  const { stdout } = await notify(root, variables, '--dry-run');
  assert.match(stdout, /^ {2}design is complete \(2 of 2; skipped: paint\)$/m);
  assert.match(stdout, /^ {2}ship was completed with phases left \(1 of 3; failed: tell; not done: rest\)$/m);
});

for (const [what, said, expected] of [
  ['a redirect is not followed', [301, { location: '/elsewhere' }], /answered 301, and no redirect is followed/],
  ['an error is no acknowledgement', [500], /answered 500/],
  ['a refusal is no acknowledgement', [403], /answered 403/],
]) {
  test(what, async (t) => {
    const hook = await receiver(t, () => said);
    const { root, store } = project(t, WEBHOOK);
    await begin(root, { HOOK_URL: hook.url });
    store.updatePhase('design', 'draw', done);
    const { code, stderr } = await notify(root, { HOOK_URL: hook.url });
    assert.equal(code, 75);
    assert.match(stderr, expected);
    // On a busy machine it is due again before the call ends.
    assert.deepEqual([...new Set(hook.received.map(({ path }) => path))], ['/hook']);
  });
}

test('a receiver that is gone is not asked again before anything changes', async (t) => {
  const gone = await receiver(t, () => [410]);
  const other = await receiver(t);
  const { root, store } = project(t, WEBHOOK);
  const variables = { HOOK_URL: gone.url };
  await begin(root, variables);
  store.updatePhase('design', 'draw', done);
  store.updatePhase('design', 'paint', done);
  const first = await notify(root, variables);
  assert.equal(first.code, 1);
  assert.match(first.stderr, /410 Gone; nothing is sent there until its settings or its URL change/);
  store.updatePhase('design', 'show', done);
  const second = await notify(root, variables);
  assert.equal(second.code, 1);
  assert.match(second.stderr, /answered 410 Gone at /);
  assert.equal(gone.received.length, 1);

  store.updatePhase('design', 'sell', done);
  assert.equal((await notify(root, { HOOK_URL: other.url })).code, 0);
  assert.deepEqual(other.received.map(({ body }) => body.data.phase), ['sell']);
});

for (const [what, header, seconds] of [
  ['in seconds', () => '120', 120],
  ['as a date', () => new Date(Date.now() + 300_000).toUTCString(), 300],
]) {
  test(`a receiver that asks to come back later, ${what}, is asked then`, async (t) => {
    const hook = await receiver(t, () => [429, { 'retry-after': header() }]);
    const { root, store } = project(t, WEBHOOK);
    await begin(root, { HOOK_URL: hook.url });
    store.updatePhase('design', 'draw', done);
    const before = Date.now();
    const { code, stdout, stderr } = await notify(root, { HOOK_URL: hook.url }, '--json');
    assert.deepEqual([code, stderr], [75, '']);
    const { fate, next_at } = JSON.parse(stdout);
    const wait = (Date.parse(next_at) - before) / 1000;
    assert.ok(fate === 'again' && wait > seconds - 2 && wait < seconds + 120, `${fate} ${wait}`);
  });
}

test('a receiver that never answers does not hold up a call for ever', async (t) => {
  const hook = await receiver(t, () => null);
  const { root, store } = project(t, { ...WEBHOOK, timeout_ms: 200 });
  await begin(root, { HOOK_URL: hook.url });
  store.updatePhase('design', 'draw', done);
  const { code, stderr } = await notify(root, { HOOK_URL: hook.url });
  assert.equal(code, 75);
  assert.match(stderr, /there was no answer within 200 ms/);
});

test('a receiver that goes away in the middle, or is not there, ends a call', async (t) => {
  const hook = await receiver(t, () => null);
  const { root, store } = project(t, WEBHOOK);
  const variables = { HOOK_URL: hook.url };
  await begin(root, variables);
  store.updatePhase('design', 'draw', done);
  const call = started(root, variables);
  await until(() => hook.received.length === 1, call);
  await hook.close();
  assert.equal((await call.done).code, 75);
  later(root);
  const { code, stderr } = await notify(root, variables);
  assert.equal(code, 75);
  assert.match(stderr, /ECONNREFUSED/);
  assert.ok(!stderr.includes('/hook'), stderr);
});

test('a process that is killed between sending and recording leaves a notice that is sent again under its id', async (t) => {
  let isHeld = true;
  const hook = await receiver(t, () => (isHeld ? null : [200]));
  const { root, store } = project(t, WEBHOOK);
  const variables = { HOOK_URL: hook.url };
  await begin(root, variables);
  store.updatePhase('design', 'draw', done);
  const call = started(root, variables);
  await until(() => hook.received.length === 1, call);
  call.child.kill('SIGKILL');
  assert.equal((await call.done).signal, 'SIGKILL');
  isHeld = false;
  // Its claim holds.
  assert.equal((await notify(root, variables)).code, 75);
  assert.equal(hook.received.length, 1);
  later(root);
  assert.equal((await notify(root, variables)).code, 0);
  const [first, second] = hook.received;
  assert.equal(first.headers['webhook-id'], second.headers['webhook-id']);
  assert.deepEqual(queue(root), []);
});

test('two processes send each notice once', async (t) => {
  const hook = await receiver(t);
  const { root, store } = project(t, WEBHOOK);
  const variables = { HOOK_URL: hook.url };
  await begin(root, variables);
  const names = Array.from({ length: 6 }, (_, index) => `phase ${index}`);
  for (const name of names) {
    store.updatePhase('implement', name, done, 'a');
    store.updatePhase('implement', name, done, 'b');
  }
  const calls = await Promise.all([1, 2, 3].map(() => notify(root, variables)));
  // One that ends while another one sends says that something waits.
  for (const { code, stderr } of calls) assert.ok(code === 0 || code === 75, stderr);
  assert.ok(calls.some(({ code }) => code === 0));
  for (const feature of ['a', 'b']) {
    const mine = hook.received.filter(({ body }) => body.data.feature === feature);
    assert.deepEqual(mine.map(({ body }) => body.data.phase), names);
  }
});

test('a watcher sends the notice, and ends when asked to', { skip: process.platform === 'win32' }, async (t) => {
  const hook = await receiver(t);
  const { root, store } = project(t, WEBHOOK);
  const watching = started(root, { HOOK_URL: hook.url }, '--watch');
  await until(() => watching.printed().includes('Begun'), watching);
  store.updatePhase('design', 'draw', done);
  await until(() => hook.received.length === 1, watching);
  store.updatePhase('design', 'paint', { status: 'failed', error: 'no colours' });
  await until(() => hook.received.length === 2, watching);
  watching.child.kill('SIGTERM');
  const { code, stderr } = await watching.done;
  assert.deepEqual([code, stderr], [0, '']);
  assert.deepEqual(hook.received.map(({ body }) => body.data.error), [null, 'no colours']);
});

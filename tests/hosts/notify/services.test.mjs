// Slack and Linear, what is shown before it is sent, and what is refused.

import assert from 'node:assert/strict';
import test from 'node:test';

import { needsGit } from '../node/fixture.mjs';
import { WEBHOOK, begin, branch, later, notify, project, receiver } from './fixture.mjs';

const done = { status: 'complete' };
const SLACK = { slack: [{ url_env: 'SLACK_URL' }] };

test('a message calls no channel, has no secret, and is short enough for Slack', async (t) => {
  const hook = await receiver(t, () => [200, {}, 'ok']);
  const { root, store } = project(t, SLACK);
  const variables = { SLACK_URL: hook.url };
  await begin(root, variables);
  const secret = 'ghp_0123456789abcdefghijABCDEFGHIJ012345';
  const summary = `<!channel> & ${secret} \u202e ${'<'.repeat(4000)}`;
  store.updatePhase('implement', 'a<b', { ...done, context_summary: summary }, 'dark-mode');
  assert.equal((await notify(root, variables)).code, 0);
  const [{ body, text }] = hook.received;
  assert.equal(body.text, 'implement/dark-mode: phase a&lt;b is complete (1 of 1)');
  const [{ type, text: section }] = body.blocks;
  assert.deepEqual([type, section.type, section.verbatim], ['section', 'mrkdwn', true]);
  assert.match(section.text, /&lt;!channel&gt; &amp; \[REDACTED:/);
  assert.ok(section.text.length <= 3000 && section.text.endsWith('&lt;…'), String(section.text.length));
  assert.ok(!text.includes(secret) && !text.includes('\u202e') && !section.text.includes('<'));
});

test('Slack is asked again when it said', async (t) => {
  const hook = await receiver(t, () => [429, { 'retry-after': '600' }, 'rate_limited']);
  const { root, store } = project(t, SLACK);
  await begin(root, { SLACK_URL: hook.url });
  store.updatePhase('design', 'draw', done);
  const { code, stdout } = await notify(root, { SLACK_URL: hook.url }, '--json');
  assert.equal(code, 75);
  assert.ok(Date.parse(JSON.parse(stdout).next_at) - Date.now() > 500_000);
  assert.equal(hook.received.length, 1, 'the package itself tries no more');
});

/** Linear: what is asked is kept, and answered by `answers` in turn. */
const LINEAR = { notifications: { linear: { api_key_env: 'LINEAR_KEY', url_env: 'LINEAR_URL' } } };
const OWN = { linear: { enabled: true, use_native_automation: false, branch_prefix: 'feature' } };
const created = [200, {}, JSON.stringify({ data: { commentCreate: { success: true } } })];

test('an issue of Linear gets a comment, and its state is not changed', needsGit, async (t) => {
  const api = await receiver(t, () => created);
  const { root, store } = project(t, LINEAR.notifications, OWN);
  branch(root, 'feature/eng-123-some-words');
  const variables = { LINEAR_URL: api.url, LINEAR_KEY: 'lin_api_x' };
  await begin(root, variables);
  const error = '```\n@all ![x](http://evil.example/x.png)';
  store.updatePhase('implement', '*parse*', { status: 'failed', error }, 'dark-mode');
  assert.equal((await notify(root, variables)).code, 0);
  const [{ headers, body }] = api.received;
  assert.equal(headers.authorization, 'lin_api_x');
  assert.match(body.query, /^mutation\(\$input: CommentCreateInput!\) \{ commentCreate/);
  const { id, issueId, body: comment } = body.variables.input;
  assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.equal(issueId, 'ENG-123');
  assert.match(comment, /^implement\/dark\\-mode: phase \\\*parse\\\* has failed\n\n````\n```\n@all/);
  assert.equal(api.received.length, 1);
});

test('a comment is made once where only the answer was lost', needsGit, async (t) => {
  let isMade = false;
  const api = await receiver(t, ({ body }) => {
    if (body.query.startsWith('mutation')) {
      isMade = true;
      // For so long that a busy machine does not reach it.
      return [502, { 'retry-after': '3600' }];
    }
    return [200, {}, JSON.stringify({ data: { comment: isMade ? { id: body.variables.id } : null } })];
  });
  const { root, store } = project(t, LINEAR.notifications, OWN);
  branch(root, 'feature/ENG-1');
  const variables = { LINEAR_URL: api.url, LINEAR_KEY: 'k' };
  await begin(root, variables);
  store.updatePhase('design', 'draw', done);
  assert.equal((await notify(root, variables)).code, 75);
  later(root);
  assert.equal((await notify(root, variables)).code, 0);
  const mutations = api.received.filter(({ body }) => body.query.startsWith('mutation'));
  assert.equal(mutations.length, 1);
});

for (const [what, answer, expected] of [
  ['an answer with errors', [200, {}, '{"errors":[{"message":"Entity not found"}]}'], /an error: Entity not found/],
  ['an answer without success', [200, {}, '{"data":{}}'], /did not say that the comment was made/],
  ['an answer that is no JSON', [200, {}, '<html>'], /did not say that the comment was made/],
]) {
  test(`${what} of Linear is not taken for a comment`, needsGit, async (t) => {
    const api = await receiver(t, () => answer);
    const { root, store } = project(t, LINEAR.notifications, OWN);
    branch(root, 'feature/ENG-1');
    const variables = { LINEAR_URL: api.url, LINEAR_KEY: 'k' };
    await begin(root, variables);
    store.updatePhase('design', 'draw', done);
    const { code, stderr } = await notify(root, variables);
    assert.equal(code, 75);
    assert.match(stderr, expected);
  });
}

test('a limit of Linear, which comes as 400, is waited for', needsGit, async (t) => {
  const reset = Date.now() + 900_000;
  const limited = '{"errors":[{"message":"x","extensions":{"code":"RATELIMITED"}}]}';
  const api = await receiver(t, () => [400, { 'x-ratelimit-requests-reset': String(reset) }, limited]);
  const { root, store } = project(t, LINEAR.notifications, OWN);
  branch(root, 'feature/ENG-1');
  const variables = { LINEAR_URL: api.url, LINEAR_KEY: 'k' };
  await begin(root, variables);
  store.updatePhase('design', 'draw', done);
  const { stdout } = await notify(root, variables, '--json');
  assert.ok(Math.abs(Date.parse(JSON.parse(stdout).next_at) - reset) < 60_000);
});

test('a preview shows no secret part of a URL, and sends nothing', async (t) => {
  const hook = await receiver(t);
  const { root, store } = project(t, { ...WEBHOOK, slack: [{ url_env: 'SLACK_URL' }] });
  const variables = { HOOK_URL: hook.url, SLACK_URL: 'https://hooks.example.org/T0/B0/hunter2' };
  const never = await notify(root, variables, '--dry-run');
  assert.match(never.stdout, /Nothing is to be sent/);
  await begin(root, variables);
  store.updatePhase('design', 'draw', done);
  const people = await notify(root, variables, '--dry-run');
  assert.equal(people.code, 0);
  assert.match(people.stdout, /^slack:SLACK_URL https:\/\/hooks\.example\.org\/…$/m);
  assert.match(people.stdout, /^ {2}design: phase draw is complete \(1 of 1\)$/m);
  assert.ok(!people.stdout.includes('hunter2') && !people.stdout.includes(hook.url));
  const programs = JSON.parse((await notify(root, variables, '--dry-run', '--json')).stdout);
  assert.deepEqual(programs.map(({ endpoint }) => endpoint), ['webhook:HOOK_URL', 'slack:SLACK_URL']);
  assert.equal(programs[0].payload.data.phase, 'draw');
  assert.equal(hook.received.length, 0);
});

test('what is wrong with the settings or the environment is said, and nothing is sent', async (t) => {
  const hook = await receiver(t);
  const { root, set, store } = project(t, WEBHOOK);
  await begin(root, { HOOK_URL: hook.url });
  store.updatePhase('design', 'draw', done);
  for (const [variables, expected] of [
    [{ HOOK_URL: '' }, /HOOK_URL is not set: expected a URL in it/],
    [{ HOOK_URL: 'hunter2' }, /Expected the environment variable HOOK_URL to hold a URL/],
    [{ HOOK_URL: 'ftp://hunter2' }, /and not with ftp:\/\//],
    [{ HOOK_URL: hook.url, HOOK_SECRET: '' }, /HOOK_SECRET is not set: expected the secret/],
    [{ HOOK_URL: hook.url, HOOK_SECRET: 'whsec_hunter2!' }, /HOOK_SECRET to hold `whsec_` and the base64/],
    [{ HOOK_URL: hook.url, HOOK_SECRET: 'whsec_aHVudGVyMg==' }, /of 24 to 64 bytes, and not of 7/],
  ]) {
    for (const words of [[], ['--dry-run']]) {
      const { code, stdout, stderr } = await notify(root, variables, ...words);
      assert.deepEqual([code, stdout], [64, ''], words.join(' '));
      assert.match(stderr, expected);
      assert.ok(!stderr.includes('hunter2'), stderr);
    }
  }
  set({ slack: [{ url_env: 'https://hooks.example.org/hunter2' }] });
  const named = await notify(root, {});
  assert.equal(named.code, 65);
  assert.ok(named.stderr.includes('/notifications/slack/0/url_env') && !named.stderr.includes('hunter2'));
  set({});
  assert.match((await notify(root, {}, '--json')).stderr, /^\{"error":\{"code":"usage"/);
  assert.equal(hook.received.length, 0);
});

/** Hosts that lead to this machine, to a private network, or nowhere that the Internet has. */
const PRIVATE = [
  ...['127.0.0.1', '0x7f.1', '2130706433', 'localhost', '0.0.0.0', '10.1.2.3', '100.64.0.1', '169.254.169.254'],
  ...['172.31.0.1', '192.168.1.1', '[::1]', '[::]', '[::ffff:127.0.0.1]', '[fe80::1]', '[fd00::1]', '[2002:7f00:1::]'],
  ...['[64:ff9b::7f00:1]', '255.255.255.255'],
];

test('an address of this machine or of a private network is reached only where it is allowed', async (t) => {
  const hook = await receiver(t);
  const port = new URL(hook.url).port;
  const names = PRIVATE.map((_, index) => `URL_${index}`);
  const slack = names.map((name) => ({ url_env: name }));
  const { root, store } = project(t, { slack, allow_private_addresses: false });
  const of = (protocol) =>
    Object.fromEntries(names.map((name, index) => [name, `${protocol}://${PRIVATE[index]}:${port}/hunter2`]));
  await begin(root, of('https'));
  store.updatePhase('design', 'draw', done);
  const plain = await notify(root, of('http'));
  assert.equal(plain.code, 64);
  const { code, stderr } = await notify(root, of('https'));
  assert.equal(code, 75);
  for (const [index, host] of PRIVATE.entries()) {
    const line = stderr.split('\n').find((it) => it.includes(`slack:URL_${index}:`));
    assert.match(line ?? '', /leads to the private address \S+, which is refused; `allow_private_addresses` allows/, host);
  }
  assert.ok(!stderr.includes('hunter2'), stderr);
  assert.equal(hook.received.length, 0);
});

test('a secret does not go over the Internet in plain text though private addresses are allowed', async (t) => {
  const { root, store } = project(t, SLACK);
  // Of the range for documentation nothing is public; this one is a resolver that everybody knows.
  const variables = { SLACK_URL: 'http://9.9.9.9/hunter2' };
  await begin(root, variables);
  store.updatePhase('design', 'draw', done);
  const { code, stderr } = await notify(root, variables);
  assert.equal(code, 75);
  assert.match(stderr, /9\.9\.9\.9 over plain HTTP, which is for private addresses alone/);
});

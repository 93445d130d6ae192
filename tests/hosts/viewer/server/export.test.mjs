// `milepost export`: what is in the page, what it may do, what is not in it, and what it never replaces.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import * as crypto from 'node:crypto';
import * as fs from 'node:fs';
import * as path from 'node:path';
import test from 'node:test';
import * as zlib from 'node:zlib';

import { openStore } from 'milepost';
import { openSnapshots } from 'milepost/snapshots';
import { createCheckpointManager } from 'milepost/tasks';

import { bin, emptyFolder, needsGit } from '../../node/fixture.mjs';
import { state as taskState } from '../../node/task-fixture.mjs';
import { Core, framesOf as dataOf } from '../core.mjs';
import { FILES, frameOf, framesOf, installed, milepost, project, put } from './fixture.mjs';

/** Secrets of several kinds, none of which is one. */
const SECRETS = [
  'ghp_0123456789abcdefghijABCDEFGHIJ456789',
  'AKIAIOSFODNN7EXAMPLE',
  'correct horse battery staple',
  '-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcw\n-----END PRIVATE KEY-----',
];
const [TOKEN, KEY, PASSWORD, PEM] = SECRETS;

/** The parts of a page. */
function parsed(html) {
  const text = html.toString();
  const held = (id) => {
    const found = new RegExp(`<script type="text/plain" id="${id}">([^<]*)</script>`).exec(text);
    return zlib.gunzipSync(Buffer.from(found[1], 'base64'));
  };
  const [, policy] = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(text);
  const [, script] = /<script type="module" async>([\s\S]*?)<\/script>/.exec(text);
  const [, style] = /<style>([\s\S]*?)<\/style>/.exec(text);
  const [, shape] = /<meta name="milepost-shape" content="([a-z]+)"/.exec(text);
  const frames = framesOf(dataOf(text));
  return { text, held, policy, script, style, shape, frames };
}

async function exported(root, ...words) {
  const file = path.join(root, 'report.html');
  const run = await milepost(root, 'export', '--html', file, '--json', ...words);
  assert.equal(run.code, 0, run.stderr);
  return { run, report: JSON.parse(run.stdout), ...parsed(fs.readFileSync(file)) };
}

/** A folder that has the files of an export, as if they had been there. */
function laidOut(t, frames) {
  const root = emptyFolder(t);
  for (const { header, content } of frames) if (content !== undefined) put(path.join(root, header.file), content);
  return root;
}

test('the policy of the page fits what is in it', async (t) => {
  const { root } = await project(t);
  const { policy, script, style, shape, text, held } = await exported(root);
  const hash = (content) => `'sha256-${crypto.createHash('sha256').update(content).digest('base64')}'`;
  const rules = policy.split('; ');
  assert.equal(rules[0], "default-src 'none'");
  assert.ok(rules.includes(`script-src ${hash(script)} blob: 'wasm-unsafe-eval'`), policy);
  assert.ok(rules.includes(`style-src ${hash(style)}`), policy);
  assert.ok(rules.includes('worker-src blob:'), policy);
  assert.ok(rules.includes("require-trusted-types-for 'script'"), policy);
  assert.ok(!/unsafe-inline|https?:|connect-src|\*/.test(policy), policy);
  assert.equal(shape, 'export');
  assert.ok(!/\s(src|href)="(?!data:)/.test(text.replace(script, '')), 'something is loaded');
  assert.deepEqual(held('milepost-app'), fs.readFileSync(path.join(FILES.pages, 'whole.js')));
  assert.deepEqual(held('milepost-worker'), fs.readFileSync(path.join(FILES.pages, 'worker.js')));
  assert.deepEqual(held('milepost-wasm'), fs.readFileSync(path.join(FILES.pages, 'viewer.wasm')));
});

test('a page shows commands in the words that started the program that wrote it', async (t) => {
  const { root } = await project(t);
  const file = path.join(root, 'report.html');
  const options = { cwd: path.resolve(installed, '../..'), encoding: 'utf8' };
  const call = (...words) => execFileSync(process.execPath, [bin, '--root', root, ...words], options);
  const [, program] = /^(.*?milepost) /.exec(JSON.parse(call('--json')).next[0]);
  // In its own project a package manager starts it.
  assert.notEqual(program, 'milepost');
  call('export', '--html', file);
  const { text, frames } = parsed(fs.readFileSync(file));
  assert.ok(text.includes(`<meta name="milepost-program" content="${program}"`), program);
  assert.equal(frames[0].header.meta.program, program);
  assert.ok(!text.includes('<code>milepost '));
});

test('every run, revision, snapshot and task is in the page', async (t) => {
  const { root, store, state } = await project(t);
  store.updatePhase('implement', 'a', { status: 'failed', error: 'no' }, 'Dark-Mode');
  put(path.join(state, 'review-checkpoint.json'), '{');
  put(path.join(root, '.claude/config/integrations.json'), '{"commands": ["audit"]}');
  openSnapshots({ root }).create({ reason: 'handoff', command: 'design' });
  await createCheckpointManager({ storage: { storagePath: state } }).save(taskState('c1'));
  const { frames, report } = await exported(root);
  assert.equal(report.checkpoints, 3);
  assert.deepEqual(frames[0].header.meta.commands, ['audit']);
  assert.equal(frames[0].header.meta.shape, 'export');
  assert.deepEqual(frames.at(-1).header, { done: true });
  const documents = fs
    .readdirSync(path.join(root, '.claude'), { recursive: true })
    .filter((name) => /\.(json|yaml)$/.test(name) && !name.startsWith('checkpoints/.milepost') && !name.includes('.milepost/keys'))
    .filter((name) => !name.startsWith('state/tasks/') || !name.includes('.milepost'));
  assert.ok(documents.length > 8, `${documents}`);
  for (const name of documents) {
    const file = `.claude/${name}`;
    assert.equal(frameOf(frames, file)?.content, fs.readFileSync(path.join(root, file), 'utf8'), file);
  }
});

test('what is exported is what the command line reads', async (t) => {
  const { root } = await project(t);
  const { frames } = await exported(root, '--redact');
  const copy = laidOut(t, frames);
  for (const words of [['log', 'design'], ['show', 'design'], ['status', '--all'], ['show', 'design', '--revision', '1']]) {
    const [a, b] = await Promise.all([milepost(root, ...words, '--json'), milepost(copy, ...words, '--json')]);
    assert.equal(b.stdout, a.stdout, words.join(' '));
    assert.equal(b.code, 0);
  }
});

test('with commands named, the page has all of them and nothing else', async (t) => {
  const { root, store } = await project(t);
  store.updatePhase('implement', 'a', { status: 'failed', error: 'other' });
  store.updatePhase('implement', 'a', { status: 'complete', context_summary: 'That of it' }, 'Dark-Mode');
  openSnapshots({ root }).create({ reason: 'handoff', command: 'implement', message: 'an own one' });
  put(path.join(root, '.claude/config/integrations.json'), '{"linear": {"team": "other"}}');
  const { frames, report } = await exported(root, 'implement', '--feature', 'Dark-Mode');
  assert.equal(report.checkpoints, 1);
  const text = JSON.stringify(frames);
  for (const word of ['It is known', 'other', 'an own one', '"design']) assert.ok(!text.includes(word), word);
  const contents = frames.filter(({ content }) => content !== undefined);
  assert.deepEqual(contents.map(({ content }) => JSON.parse(content).feature), ['Dark-Mode', 'Dark-Mode']);
  assert.ok(contents.some(({ header }) => header.file.includes('/history/1-')));

  const { frames: both } = await exported(root, 'implement', 'design');
  assert.equal(both.filter(({ header }) => /state\/[a-z]+-checkpoint\.json$/.test(header.file ?? '')).length, 2);
});

test('a name that differs in capitals alone does not go along with the one that is asked for', async (t) => {
  const { root, store } = await project(t);
  store.updatePhase('implement', 'a', { status: 'failed', error: 'of the other' }, 'Dark-Mode');
  store.updatePhase('implement', 'a', { status: 'complete', context_summary: 'That of it' }, 'dark-mode');
  const { frames } = await exported(root, 'implement', '--feature', 'dark-mode');
  const text = JSON.stringify(frames);
  for (const word of ['Dark', 'of the other']) assert.ok(!text.includes(word), word);
  assert.ok(frames.some(({ header, content }) => header.file?.includes('/history/1-') && content.includes('That of it')));
});

/** A repository in which git has all of the state folder. */
function tracking(root) {
  const git = (...words) => execFileSync('git', ['-C', root, ...words]);
  git('init', '-q');
  git('add', '-f', '.claude');
}

const trackedIn = (frames) => frames.flatMap(({ header }) => header.meta?.tracked ?? []);

/** The codes of the badges that the page shows, by the command. */
function badgesOf(text) {
  const core = new Core().take(dataOf(text)).index();
  const { value } = core.query({ query: 'overview', filter: {}, sort: 'name', from: 0, count: 100, now: Date.now() });
  return Object.fromEntries(value.rows.map(({ command, badges }) => [command, badges.map(({ code }) => code)]));
}

test('what git tracks names no run and no command that was not asked for', needsGit, async (t) => {
  const { root, store } = await project(t);
  put(path.join(root, '.claude/config/integrations.json'), '{"commands": ["audit", "survey"]}');
  for (const command of ['implement', 'audit', 'survey']) store.updatePhase(command, 'a', { status: 'in_progress' });
  store.updatePhase('implement', 'a', { status: 'in_progress' }, 'secret-plan');
  tracking(root);
  const { frames, text } = await exported(root, 'implement', 'audit');
  const report = JSON.stringify(frames);
  for (const word of ['design', 'survey', 'secret-plan']) assert.ok(!report.includes(word), word);
  assert.deepEqual(frames[0].header.meta.commands, ['audit']);
  assert.ok(trackedIn(frames).includes('.claude/state/implement-checkpoint.json'));
  assert.deepEqual(badgesOf(text), { audit: ['untrusted_origin'], implement: ['untrusted_origin'] });
});

test('an exported page says how far HEAD has gone since a run that is in it was recorded', needsGit, async (t) => {
  const { root, store } = await project(t);
  tracking(root);
  const commit = (text) =>
    execFileSync('git', ['-C', root, '-c', 'user.name=a', '-c', 'user.email=a@b.c', 'commit', '-q', '--allow-empty', '-m', text]);
  commit('one');
  for (const command of ['implement', 'design']) store.updatePhase(command, 'b', { status: 'in_progress' });
  commit('two');
  const { frames } = await exported(root, 'implement');
  assert.deepEqual(
    frames.flatMap(({ header: { meta } }) => meta?.since_recorded ?? []).map(({ document, text }) => [document, text]),
    [['.claude/state/implement-checkpoint.json', '1 commit since this was recorded']],
  );
});

test('a folder of runs that is a link is exported as one that is not followed', async (t) => {
  const { root, state } = await project(t);
  fs.renameSync(state, path.join(root, 'elsewhere'));
  fs.symlinkSync('../elsewhere', state);
  const { report, text } = await exported(root);
  assert.equal(report.checkpoints, 0);
  assert.ok(!text.includes('It is known'));
});

test('what git tracks names no file that is nowhere in the page', needsGit, async (t) => {
  const { root, state } = await project(t);
  put(path.join(state, 'notes/private.md'), 'x');
  put(path.join(state, 'review-checkpoint.json'), '{}');
  tracking(root);
  fs.rmSync(path.join(state, 'review-checkpoint.json'));
  const { frames, text } = await exported(root);
  const report = JSON.stringify(frames);
  for (const word of ['private', 'review']) assert.ok(!report.includes(word), word);
  const files = new Set(frames.map(({ header }) => header.file));
  assert.ok(trackedIn(frames).length > 0);
  for (const file of trackedIn(frames)) assert.ok(files.has(file), file);
  assert.deepEqual(badgesOf(text), { design: ['untrusted_origin'] });
});

test('a run that does not exist is not exported', async (t) => {
  const { root } = await project(t);
  const file = path.join(root, 'report.html');
  for (const [words, code] of [
    [['review'], 1],
    [['design', '--feature', 'x'], 1],
    [['no-command'], 64],
    [['--feature', 'x'], 64],
  ]) {
    const run = await milepost(root, 'export', '--html', file, ...words);
    assert.equal(run.code, code, words.join(' '));
    assert.equal(run.stdout, '');
    assert.notEqual(run.stderr, '');
  }
  assert.equal((await milepost(root, 'export')).code, 64);
  assert.deepEqual(fs.readdirSync(root).filter((name) => name.includes('html')), []);
});

test('no secret is left in a page that is redacted', async (t) => {
  const { root, store, state } = await project(t);
  // Nothing is stored with a secret that the project does not allow.
  const settings = path.join(root, '.claude/config/integrations.json');
  put(settings, JSON.stringify({ redaction: { allow: ['token', 'cloud_key', 'private_key', 'named_secret'] } }));
  store.updatePhase('implement', `with ${TOKEN}`, { status: 'failed', error: `export AWS=${KEY}\n${PEM}`, context_summary: TOKEN });
  const { revision: _, seal: __, ...known } = store.load('design');
  store.save('review', { ...known, command: 'review', id: TOKEN, [TOKEN]: 1, deep: [{ password: PASSWORD }] });
  store.updatePhase('implement', 'b', { status: 'complete' });
  fs.rmSync(settings);
  put(path.join(state, 'plan-checkpoint.json'), `{"broken": "${TOKEN}`);
  put(path.join(state, '.milepost/plan-checkpoint/quarantine/00112233445566778899aabbccddeeff.json'), `{"x": "${KEY}`);
  put(path.join(state, `${TOKEN}.json`), '{}');
  put(path.join(root, '.claude/checkpoints/chk-20260101-000000.yaml'), `id: "chk-20260101-000000"\nmessage: "${TOKEN}"\npassword: "${PASSWORD}"\n`);
  await createCheckpointManager({ storage: { storagePath: state } }).save(taskState('c1', { context: { api_key: PASSWORD, log: PEM } }));
  const before = fs.readFileSync(path.join(state, 'implement-checkpoint.json'), 'utf8');

  const { frames: open } = await exported(root);
  const all = JSON.stringify(open);
  for (const secret of SECRETS) assert.ok(all.includes(JSON.stringify(JSON.stringify(secret)).slice(3, -3)) || all.includes(secret), `nothing was planted: ${secret}`);

  const { frames, report, text } = await exported(root, '--redact');
  assert.equal(frames[0].header.meta.redacted, true);
  assert.ok(report.secrets >= 10, `${report.secrets}`);
  const page = frames.map(({ header, content }) => JSON.stringify(header) + content).join('\n');
  for (const secret of [...SECRETS, 'MIIEvQ', TOKEN.slice(4)]) {
    assert.ok(!page.includes(secret), secret);
    assert.ok(!text.includes(secret), secret);
  }
  assert.ok(page.includes('[REDACTED:'));
  assert.equal(fs.readFileSync(path.join(state, 'implement-checkpoint.json'), 'utf8'), before);
  // Seals and the names of entries hold, so that nothing of it looks edited by hand.
  const copy = laidOut(t, frames);
  const log = await milepost(copy, 'log', 'implement', '--json');
  assert.deepEqual(JSON.parse(log.stdout).map(({ revision }) => revision), [2, 1]);
  const { stdout, stderr } = await milepost(copy, 'show', 'implement', '--json');
  assert.ok(stdout.includes('[REDACTED:'));
  assert.ok(!stderr.includes('edited'), stderr);
});

test('no secret is left in what a redacted page says of the place', needsGit, async (t) => {
  const root = path.join(emptyFolder(t), TOKEN);
  const state = path.join(root, '.claude/state');
  fs.mkdirSync(root);
  openStore({ root }).updatePhase('design', 'research', { status: 'in_progress' });
  put(path.join(state, `${TOKEN}.json`), '{}');
  tracking(root);
  execFileSync('git', ['-C', root, '-c', 'user.name=a', '-c', 'user.email=a@b.c', 'commit', '-q', '-m', 'x']);
  const open = JSON.stringify((await exported(root)).frames.filter(({ header }) => header.meta));
  assert.ok(open.split(TOKEN).length > 2, 'nothing was planted');

  const { frames, text } = await exported(root, '--redact');
  assert.ok(!JSON.stringify(frames).includes(TOKEN) && !text.includes(TOKEN));
  const [{ header }] = frames;
  assert.match(header.meta.root, /^\[REDACTED:/);
  assert.match(header.meta.head, /^[0-9a-f]{40}$/);
  // Files have one name, wherever it is shown.
  const files = new Set(frames.map(({ header }) => header.file));
  for (const file of trackedIn(frames)) assert.ok(files.has(file), file);
  assert.ok(badgesOf(text).design.includes('untrusted_origin'));
});

test('hostile texts stay unchanged, and do not end the page’s script', async (t) => {
  const { root, state } = await project(t);
  const texts = ['</script><script>alert(1)</script>', '<!--<script>', ']]>', '\u2028\u2029', '\u001b[31m', '\u202e', '$&$1$`', "'sha256-x'"];
  for (const [at, text] of texts.entries()) {
    put(path.join(state, `implement-f${at}-checkpoint.json`), JSON.stringify({ command: 'implement', feature: `f${at}`, note: text }));
  }
  const { text: page, frames } = await exported(root);
  for (const [at, text] of texts.entries()) {
    assert.equal(JSON.parse(frameOf(frames, `.claude/state/implement-f${at}-checkpoint.json`).content).note, text);
  }
  assert.ok(!page.includes('alert(1)'));
  // One that unpacks; packed are the page's code, its worker's, the wasm and the data.
  assert.equal(page.match(/<script/g).length, 5);
  assert.equal(page.match(/<\/script/g).length, 5);
  assert.ok(!page.includes('<!--'));
});

test('the path of the project on this machine is not in the page', async (t) => {
  const { root, state } = await project(t);
  put(path.join(root, '.claude/settings.json'), '"private"');
  fs.symlinkSync('/etc/passwd', path.join(state, 'link.json'));
  fs.writeFileSync(path.join(root, '.git'), 'gitdir: /nowhere/private\n');
  const { frames, text } = await exported(root);
  const elsewhere = path.join(emptyFolder(t), 'page.html');
  assert.equal((await milepost(emptyFolder(t), '--dir', state, 'export', '--html', elsewhere)).code, 0);
  const other = parsed(fs.readFileSync(elsewhere));
  // Packed data look like anything by chance; of them, the data are unpacked here.
  const bare = (page) => page.replaceAll(/<script type="text\/plain"[^>]*>[^<]*<\/script>/g, '');
  for (const page of [JSON.stringify(frames), bare(text), JSON.stringify(other.frames), bare(other.text)]) {
    for (const word of [root, path.dirname(root) + path.sep, 'private', '/etc', process.env.HOME ?? '/home']) {
      assert.ok(!page.includes(`${word}`), word);
    }
  }
  assert.ok(frameOf(other.frames, 'state/design-checkpoint.json').content.includes('It is known'));
});

test('an export into a folder that is not there says so', async (t) => {
  const { root } = await project(t);
  fs.writeFileSync(path.join(root, 'file'), '');
  for (const folder of ['no', 'file']) {
    const { code, stderr } = await milepost(root, 'export', '--html', `${folder}/where.html`);
    assert.equal(code, 74);
    assert.match(stderr, new RegExp(`Cannot write ${folder}/where\\.html: there is no folder ${folder}; make it`));
  }
  assert.ok(!fs.existsSync(path.join(root, 'no')));
});

test('a file that is no exported page is not replaced', async (t) => {
  const { root } = await project(t);
  const file = path.join(root, 'notes.html');
  const link = path.join(root, 'link.html');
  for (const content of ['', 'mine', '<!doctype html>\n<html></html>', ' <meta name="milepost-shape" content="export"']) {
    fs.writeFileSync(file, content);
    const { code, stderr } = await milepost(root, 'export', '--html', file);
    assert.equal(code, 64);
    assert.match(stderr, /notes\.html is there, and is no exported page: name another file, or remove it/);
    assert.equal(fs.readFileSync(file, 'utf8'), content);
  }
  fs.symlinkSync(file, link);
  for (const other of [link, root]) assert.equal((await milepost(root, 'export', '--html', other)).code, 64, other);

  await exported(root);
  const again = await exported(root);
  assert.equal(again.report.checkpoints, 1);
  assert.deepEqual(fs.readdirSync(root).sort(), ['.claude', 'link.html', 'notes.html', 'report.html']);
});

test('standard output has the page and nothing else', async (t) => {
  const { root } = await project(t);
  const { code, bytes, stderr } = await milepost(root, 'export', '--html', '-');
  assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
  const { frames } = parsed(bytes);
  assert.ok(frameOf(frames, '.claude/state/design-checkpoint.json'));
  assert.ok(bytes.toString().trimEnd().endsWith('</html>'));
});

test('a relative file is taken from the working folder', async (t) => {
  const { root } = await project(t);
  const { code, stdout } = await milepost(root, 'export', '--html', '../../no/such/folder/x.html');
  assert.deepEqual({ code, stdout }, { code: 74, stdout: '' });
});

test('an export without a project has no run, and is no error', async (t) => {
  const root = emptyFolder(t);
  const { frames, report } = await exported(root);
  assert.equal(report.checkpoints, 0);
  assert.deepEqual(frameOf(frames, '.claude/state').header, { gone: '.claude/state' });
  assert.equal(openStore({ root }).load('design'), null);
});

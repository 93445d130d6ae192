// OpenCode's plugin as it is registered, with the server's recorded events and a hook of the tests.

import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import test from 'node:test';
import { pathToFileURL } from 'node:url';
import { emptyFolder } from './fixture.mjs';

const tests = path.join(import.meta.dirname, '../..');
const PLUGIN = path.join(tests, 'golden/hooks/opencode.js');
const SENT = path.join(tests, 'agents/opencode.jsonl');

/** The folder that the recordings name for the project. */
const PROJECT = '/project';

/** Of a test that starts what agents start, in a shell as agents have it. */
const needsShell = { skip: process.platform === 'win32' && 'recorded on Linux' };

/** A hook that does `first`, and writes down what it is sent. */
const heard = (first) => `
  const fs = require('node:fs');
  const payload = JSON.parse(fs.readFileSync(0, 'utf8'));
  ${first}
  fs.appendFileSync('heard', JSON.stringify(payload) + '\\n');`;

/** A project whose hook is this program. */
function project(t, hook) {
  const root = emptyFolder(t);
  const dependency = path.join(root, 'node_modules/milepost');
  fs.mkdirSync(path.join(dependency, 'bin'), { recursive: true });
  fs.writeFileSync(path.join(dependency, 'package.json'), '{"name":"milepost","exports":{"./hook":"./bin/hook.js"}}');
  fs.writeFileSync(path.join(dependency, 'bin/hook.js'), hook);
  fs.copyFileSync(PLUGIN, path.join(root, 'plugin.mjs'));
  return root;
}

/** The plugin of a process of OpenCode, with the client that the server gives it. */
async function started(root, client = {}) {
  const { Milepost } = await import(pathToFileURL(path.join(root, 'plugin.mjs')).href);
  return Milepost({ client, directory: root });
}

function sent(root) {
  const file = path.join(root, 'heard');
  if (!fs.existsSync(file)) return [];
  const lines = fs.readFileSync(file, 'utf8').trim().split('\n');
  return lines.map((line) => {
    const { directory, ...payload } = JSON.parse(line);
    assert.equal(directory, root);
    return payload;
  });
}

const created = (id, parentID) => ({ event: { type: 'session.created', properties: { sessionID: id, info: { id, parentID } } } });
const wrote = (sessionID, filePath) => ({ tool: 'write', sessionID, args: { filePath } });
const idle = (sessionID) => ({ event: { type: 'session.idle', properties: { sessionID } } });
const message = (text) => ({ message: { id: 'm' }, parts: [{ type: 'text', text }] });

test('recorded events of the server are sent to the hook as its recorded payloads', needsShell, async (t) => {
  const root = project(t, heard(''));
  const lines = fs.readFileSync(path.join(tests, 'agents/opencode-plugin.jsonl'), 'utf8').trim().split('\n');
  /** @type {any} */
  let hooks = null;
  let said = {};
  const messages = async ({ path: { id } }) => ({
    data: said[id] === undefined ? [] : [{ info: { role: 'assistant' }, parts: [{ type: 'text', text: said[id] }] }],
  });
  for (const line of lines) {
    const { run, hook, payload, ...more } = JSON.parse(line.replaceAll(PROJECT, root));
    if (run !== undefined) ({ said } = more);
    else if (hook === 'plugin.init') hooks = await started(root, { session: { messages, get: async () => ({}) } });
    else if (hook === 'event') await hooks.event({ event: payload });
    else if (hook === 'dispose') await hooks.dispose();
    else await hooks[hook](payload.input, payload.output);
  }
  const text = fs.readFileSync(path.join(root, 'heard'), 'utf8').replaceAll(root, PROJECT);
  if (process.env.MILEPOST_BLESS) fs.writeFileSync(SENT, text);
  assert.equal(text, fs.readFileSync(SENT, 'utf8'));
});

test('a subagent at any depth is sent as one of the root session', needsShell, async (t) => {
  const root = project(t, heard(''));
  const messages = async () => ({ data: [{ info: { role: 'assistant' }, parts: [{ type: 'text', text: 'done' }] }] });
  const hooks = await started(root, { session: { messages } });
  await hooks.event(created('root'));
  await hooks.event(created('outer', 'root'));
  await hooks.event(created('inner', 'outer'));
  await hooks['chat.message']({ sessionID: 'inner', agent: 'general' }, message('/design it'));
  await hooks['command.execute.before']({ command: 'design', sessionID: 'inner', arguments: '' });
  await hooks['tool.execute.after'](wrote('inner', 'a'), {});
  await hooks['experimental.session.compacting']({ sessionID: 'inner' }, { context: [] });
  await hooks.event({ event: { type: 'session.error', properties: { sessionID: 'inner' } } });
  await hooks.event(idle('inner'));
  await hooks.event({ event: { type: 'session.deleted', properties: { info: { id: 'inner' } } } });
  assert.deepEqual(sent(root), [
    { event: 'session.created', sessionID: 'root', source: 'startup' },
    { event: 'tool.execute.after', sessionID: 'root', agentID: 'inner', tool: 'write', args: { filePath: 'a' } },
    { event: 'subagent.idle', sessionID: 'root', agentID: 'inner', agentName: 'general', text: 'done' },
  ]);
});

test('a subagent that another process started is found by asking the server', needsShell, async (t) => {
  const root = project(t, heard(''));
  const parents = { inner: 'outer', outer: 'root' };
  let asked = 0;
  const get = async ({ path: { id } }) => (asked++, { data: { id, parentID: parents[id] } });
  const hooks = await started(root, { session: { get } });
  await hooks['tool.execute.after'](wrote('inner', 'a'), {});
  await hooks['tool.execute.after'](wrote('inner', 'b'), {});
  assert.deepEqual(sent(root).map(({ sessionID, agentID }) => [sessionID, agentID]), [['root', 'inner'], ['root', 'inner']]);
  assert.equal(asked, 3, 'each session once');
  // A server that says nonsense is no reason to go on for ever.
  Object.assign(parents, { a: 'b', b: 'a', self: 'self' });
  await hooks['tool.execute.after'](wrote('a', 'a'), {});
  await hooks['tool.execute.after'](wrote('self', 'a'), {});
  assert.equal(sent(root).length, 4);
});

/** A tool's event takes as long as two others. */
const SLOWLY = `
  const { spawnSync } = require('node:child_process');
  if (payload.event === 'tool.execute.after') spawnSync(process.execPath, ['-e', '']);`;

test('every open session is ended when OpenCode ends, after what it is still busy with', needsShell, async (t) => {
  const root = project(t, heard(SLOWLY));
  const hooks = await started(root);
  await hooks.event(created('one'));
  await hooks.event(created('two'));
  await hooks.event(created('inner', 'two'));
  await hooks.event({ event: { type: 'session.deleted', properties: { info: { id: 'one' } } } });
  await hooks['chat.message']({ sessionID: 'three' }, message('go on'));
  void hooks['tool.execute.after'](wrote('two', 'a'), {});
  await new Promise((settle) => setImmediate(settle));
  await hooks.dispose();
  const events = sent(root).map(({ event, sessionID }) => `${event} ${sessionID}`);
  const of = (session) => events.filter((line) => line.endsWith(` ${session}`)).map((line) => line.split(' ')[0]);
  assert.deepEqual(of('one'), ['session.created', 'session.deleted']);
  assert.deepEqual(of('two'), ['session.created', 'tool.execute.after', 'dispose']);
  assert.deepEqual(of('three'), ['session.created', 'chat.message', 'dispose']);
  assert.deepEqual(of('inner'), []);
  await hooks.dispose();
  assert.equal(sent(root).length, events.length, 'each is ended once');
});

test('a command is sent as typed, and its answer goes with the prompt that is made of it', needsShell, async (t) => {
  const root = project(t, heard(`if (payload.prompt) process.stdout.write(JSON.stringify({ additionalContext: payload.prompt }));`));
  const hooks = await started(root);
  await hooks['command.execute.before']({ command: 'design', sessionID: 's', arguments: 'search' }, { parts: [] });
  const output = message('Design it: search');
  await hooks['chat.message']({ sessionID: 's' }, output);
  assert.deepEqual(sent(root), [
    { event: 'session.created', sessionID: 's', source: 'resume' },
    { event: 'chat.message', sessionID: 's', prompt: '/design search' },
  ]);
  assert.deepEqual(output.parts.slice(1).map(({ text }) => text), ['/design search']);
  await hooks['chat.message']({ sessionID: 's' }, message('and now?'));
  assert.equal(sent(root).at(-1).prompt, 'and now?');
  await hooks['command.execute.before']({ command: 'design', sessionID: 's', arguments: '' }, { parts: [] });
  assert.equal(sent(root).at(-1).prompt, 'and now?', 'the hook is not waited for before the prompt');
  await hooks['chat.message']({ sessionID: 's' }, message('Design it'));
  assert.equal(sent(root).at(-1).prompt, '/design');
});

test('a prompt behind a command whose own prompt never came is sent, with both answers', needsShell, async (t) => {
  const root = project(t, heard(`if (payload.prompt) process.stdout.write(JSON.stringify({ additionalContext: payload.prompt }));`));
  const hooks = await started(root);
  const made = { parts: [{ type: 'text', text: 'Design it: search' }] };
  await hooks['command.execute.before']({ command: 'design', sessionID: 's', arguments: 'search' }, made);
  const output = message('and now?');
  await hooks['chat.message']({ sessionID: 's' }, output);
  assert.deepEqual(
    sent(root).map(({ prompt }) => prompt),
    [undefined, '/design search', 'and now?'],
  );
  assert.deepEqual(output.parts.slice(1).map(({ text }) => text), ['/design search', 'and now?']);
});

test('what the hook says before a compaction joins the context of the summary', needsShell, async (t) => {
  const root = project(t, heard(`process.stdout.write('{"additionalContext":"carry on"}');`));
  const hooks = await started(root);
  const output = { context: ['theirs'] };
  await hooks['experimental.session.compacting']({ sessionID: 's' }, output);
  assert.deepEqual(output.context, ['theirs', 'carry on']);
});

test('what the hook says on standard error is in the log of OpenCode, once', needsShell, async (t) => {
  const root = project(t, heard(`process.stderr.write('[milepost hook] busy\\n');`));
  /** @type {any[]} */
  const log = [];
  const hooks = await started(root, { app: { log: async ({ body }) => void log.push(body) } });
  await hooks['tool.execute.after'](wrote('s', 'a'), {});
  await hooks['tool.execute.after'](wrote('s', 'b'), {});
  assert.deepEqual(log, [{ service: 'milepost', level: 'warn', message: '[milepost hook] busy' }]);
});

// Hooks that run the native program, in the settings of agents: put in, looked for and taken out by either command line.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import test from 'node:test';
import { emptyFolder, native, onNative, onNode } from './fixture.mjs';

const SETTINGS = '.claude/settings.json';

const BY_NAME = 'milepost hook claude-code ; exit 0';

/** A project, and the environment of a user whose home is in it, with the program on the PATH. */
function project(t) {
  const root = fs.realpathSync(emptyFolder(t));
  fs.mkdirSync(path.join(root, '.git'));
  fs.writeFileSync(path.join(root, '.git/HEAD'), 'ref: refs/heads/main\n');
  fs.mkdirSync(path.join(root, 'home'));
  const env = { ...process.env, HOME: path.join(root, 'home') };
  for (const name of ['CLAUDE_CONFIG_DIR', 'CODEX_HOME', 'COPILOT_HOME', 'XDG_CONFIG_HOME']) delete env[name];
  env.PATH = [path.dirname(native), process.env.PATH].join(path.delimiter);
  return { root, env };
}

/** The commands of a file of settings, each once. */
function commands(root, file = SETTINGS) {
  const { hooks } = JSON.parse(fs.readFileSync(path.join(root, file), 'utf8'));
  const handlers = Object.values(hooks).flatMap((list) => list.flatMap((entry) => entry.hooks ?? [entry]));
  return [...new Set(handlers.map(({ command, bash }) => command ?? bash))];
}

/** A call that has to end well, or with the answer "no". */
function done(run, root, words, env) {
  const { code, out, error } = run(root, words, { env });
  assert.ok(code === 0 || code === 1, `${words.join(' ')}: ${out}${error}`);
  return out;
}

test('each command line puts the hooks of the other one aside, and takes them out', (t) => {
  const { root, env } = project(t);
  fs.mkdirSync(path.join(root, '.claude'));
  const before = '{\n  "model": "opus"\n}\n';
  for (const [first, second] of [[onNode, onNative], [onNative, onNode]]) {
    fs.writeFileSync(path.join(root, SETTINGS), before);
    done(first, root, ['hooks', 'install', 'claude-code', '--runtime', 'native'], env);
    assert.deepEqual(commands(root), [BY_NAME]);
    done(second, root, ['hooks', 'install', 'claude-code', '--runtime', 'node'], env);
    assert.match(commands(root).join('\n'), /^node -e "[^\n]*\/milepost\/bin\/hook\.js claude-code ; exit 0$/);
    done(first, root, ['hooks', 'install', 'claude-code', '--runtime', 'native'], env);
    assert.deepEqual(commands(root), [BY_NAME]);
    done(second, root, ['hooks', 'remove', 'claude-code'], env);
    assert.equal(fs.readFileSync(path.join(root, SETTINGS), 'utf8'), before);
  }
});

test('settings of a project run Node unless it is said otherwise, and those of this machine this program', (t) => {
  const { root, env } = project(t);
  const install = (run, ...words) => done(run, root, ['hooks', 'install', 'claude-code', ...words], env);
  install(onNative);
  assert.match(commands(root)[0], /^node -e /);
  install(onNative, '--scope', 'user');
  assert.deepEqual(commands(root, `home/${SETTINGS}`), [`"${native}" hook claude-code user ; exit 0`]);
  install(onNative, '--scope', 'local');
  assert.deepEqual(commands(root, '.claude/settings.local.json'), [`"${native}" hook claude-code local ; exit 0`]);
  install(onNode, '--scope', 'user', '--runtime', 'native');
  assert.deepEqual(commands(root, `home/${SETTINGS}`), ['milepost hook claude-code user ; exit 0']);
});

test('both command lines say that the hooks run the native program, whether it works, and what it costs', (t) => {
  const { root, env } = project(t);
  done(onNative, root, ['hooks', 'install', 'claude-code', 'opencode', 'copilot', '--runtime', 'native'], env);
  done(onNative, root, ['hooks', 'install', 'gemini', '--scope', 'user'], env);
  for (const run of [onNode, onNative]) {
    const listed = JSON.parse(done(run, root, ['hooks', 'status', '--json'], env));
    assert.equal(listed.length, 4);
    for (const { runtime, works } of listed) assert.deepEqual([runtime, works], ['native', true]);
    const found = done(run, root, ['doctor', '--look-only'], env);
    const works = / events, by the native program, and what they run works: an event that means nothing takes \d+\.\d ms here/g;
    assert.equal(found.match(works)?.length, 4, found);
    const without = { ...env, PATH: process.env.PATH };
    const gone = done(run, root, ['hooks', 'status'], without);
    assert.match(gone, /claude-code .* what is registered does not work: milepost is not on the PATH/);
  }
});

test('a program that a clone brings is not run', (t) => {
  const { root, env } = project(t);
  const mark = path.join(root, 'mark');
  const bin = path.join(root, 'node_modules/.bin');
  const links = path.join(root, 'x');
  for (const folder of [bin, links]) fs.mkdirSync(folder, { recursive: true });
  const script = `#!/bin/sh\n: > '${mark}'\necho works\n`;
  // A program of the clone that is a shell runs the file that its first word names.
  for (const file of [path.join(bin, 'milepost'), path.join(root, 'milepost'), path.join(root, 'hook')]) {
    fs.writeFileSync(file, script, { mode: 0o755 });
  }
  fs.symlinkSync('/bin/sh', path.join(links, 'milepost'));
  const own = path.join(root, 'y');
  fs.mkdirSync(own);
  fs.symlinkSync('/proc/self/exe', path.join(own, 'milepost'));
  for (const [first, program, works] of [
    [bin, undefined, false],
    [links, undefined, false],
    [links, path.join(links, 'milepost'), false],
    [bin, path.join(bin, 'milepost'), false],
    ['./node_modules/.bin', undefined, true],
    ['', undefined, true],
    ['.', undefined, true],
    ['./node_modules/.bin', './node_modules/.bin/milepost', false],
    ['', './y/milepost', false],
    ['', './milepost', false],
  ]) {
    const poisoned = { ...env, PATH: [first, env.PATH].join(path.delimiter) };
    for (const quote of ['\\"', '']) {
      done(onNode, root, ['hooks', 'install', 'claude-code', '--runtime', 'native'], env);
      const text = fs.readFileSync(path.join(root, SETTINGS), 'utf8');
      const line = program === undefined ? 'milepost hook' : `${quote}${program}${quote} hook`;
      fs.writeFileSync(path.join(root, SETTINGS), text.replaceAll('milepost hook', line));
      for (const run of [onNode, onNative]) {
        const said = done(run, root, ['hooks', 'status'], poisoned);
        assert.equal(/works/.test(said), works, `${first} ${line}: ${said}`);
        assert.doesNotMatch(said, /does not work/);
        assert.equal(fs.existsSync(mark), false, `${first} ${line}`);
      }
      done(onNode, root, ['hooks', 'remove', 'claude-code'], env);
    }
  }
});

test('an entry on Node leaves an event to one of the native program, where the program is there', (t) => {
  const { root, env } = project(t);
  done(onNative, root, ['phase', 'implement', 'parser', 'in_progress'], env);
  done(onNative, root, ['hooks', 'install', 'claude-code', '--runtime', 'native'], env);
  const input = JSON.stringify({ session_id: 's', cwd: root, hook_event_name: 'SessionStart', source: 'startup' });
  for (const run of [onNode, onNative]) {
    const answer = (env) => run(root, ['hook', 'claude-code', 'user'], { input, env }).out;
    assert.equal(answer(env), '');
    assert.match(answer({ ...env, PATH: path.dirname(process.execPath) }), /parser/, 'it is not there');
  }
});

test('what is registered does nothing where the program is missing, and the other status line is there all the same', (t) => {
  const { root, env } = project(t);
  const file = path.join(root, 'home', SETTINGS);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  const before = JSON.stringify({ statusLine: { type: 'command', command: "printf 'it'\\''s mine'" } });
  fs.writeFileSync(file, before);
  done(onNode, root, ['hooks', 'install', 'claude-code', '--scope', 'user', '--runtime', 'native'], env);
  const { statusLine } = JSON.parse(fs.readFileSync(file, 'utf8'));
  const input = JSON.stringify({ session_id: 's', cwd: root, context_window: { used_percentage: 12 } });
  const shown = (PATH) => spawnSync('/bin/sh', ['-c', statusLine.command], { cwd: root, input, encoding: 'utf8', env: { ...env, PATH } });
  assert.match(shown(env.PATH).stdout, /^it's mine\n.*12 %\n$/);
  assert.equal(shown('/usr/bin:/bin').stdout, "it's mine");
  const [line] = commands(root, `home/${SETTINGS}`);
  const run = spawnSync('/bin/sh', ['-c', line], { cwd: root, input, encoding: 'utf8', env: { ...env, PATH: '/usr/bin:/bin' } });
  assert.deepEqual([run.status, run.stdout], [0, '']);
  done(onNative, root, ['hooks', 'remove', 'claude-code', '--scope', 'user'], env);
  assert.equal(fs.readFileSync(file, 'utf8'), before);
});

// Programs that a repository's own configuration names. None of them runs for anything that is done with runs
// and snapshots. Plain git runs them, where a command of its own is known that does.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import test from 'node:test';
import { emptyFolder, git, milepost, repository, require } from './fixture.mjs';

/** Programs are lines of a shell here. */
const ofPosix = { skip: process.platform === 'win32' && 'programs are scripts of sh' };

/** Every hook that git knows. */
const HOOKS = [
  ...['applypatch-msg', 'commit-msg', 'fsmonitor-watchman', 'post-applypatch', 'post-checkout', 'post-commit'],
  ...['post-index-change', 'post-merge', 'post-receive', 'post-rewrite', 'post-update', 'pre-applypatch', 'pre-auto-gc'],
  ...['pre-commit', 'pre-merge-commit', 'pre-push', 'pre-rebase', 'pre-receive', 'prepare-commit-msg', 'proc-receive'],
  ...['push-to-checkout', 'reference-transaction', 'sendemail-validate', 'update'],
];

/**
 * A program in a repository.
 *
 * @typedef {object} Plant
 * @property {string} name also that of its files, `NAME.same`, `NAME.changed` and `NAME.late`, and of its driver
 * @property {string} [attribute] that its files have
 * @property {(program: string) => [string, string][]} [settings] that name it in `.git/config`
 * @property {(program: string, root: string) => void} [put] what else names it
 * @property {string[]} [control] a command of git that runs it
 * @property {string} [input] of that
 */

/** The command that cleans a file. */
const hashing = (name) => ['hash-object', `--path=${name}.same`, `${name}.same`];
/** The command that smudges one. */
const checkingOut = (name) => ['cat-file', '--filters', `HEAD:${name}.same`];

/** @type {Plant[]} in one repository */
const PLANTS = [
  ...['clean', 'smudge', 'process'].map((key) => ({
    name: `filter-${key}`,
    attribute: 'filter',
    settings: (program) => [[`filter.filter-${key}.${key}`, `${program}; cat`]],
    control: key === 'smudge' ? checkingOut(`filter-${key}`) : hashing(`filter-${key}`),
  })),
  {
    name: 'filter-required',
    attribute: 'filter',
    settings: (program) => [
      ['filter.filter-required.clean', `${program}; cat`],
      ['filter.filter-required.smudge', `${program}; cat`],
      ['filter.filter-required.required', 'true'],
    ],
    control: hashing('filter-required'),
  },
  {
    name: 'filter-included',
    attribute: 'filter',
    settings: () => [['include.path', '../.included']],
    put: (program, root) => {
      const text = `[filter "filter-included"]\n\tclean = "${program}; cat"\n\tsmudge = "${program}; cat"\n`;
      fs.writeFileSync(path.join(root, '.included'), text);
    },
    control: hashing('filter-included'),
  },
  {
    name: 'filter-included-if',
    attribute: 'filter',
    settings: () => [['includeIf.gitdir:**.path', '../.included-if']],
    put: (program, root) => {
      const text = `[filter "filter-included-if"]\n\tprocess = "${program}; cat"\n`;
      fs.writeFileSync(path.join(root, '.included-if'), text);
    },
    control: hashing('filter-included-if'),
  },
  {
    name: 'filter-of-the-worktree',
    attribute: 'filter',
    settings: () => [['extensions.worktreeConfig', 'true']],
    put: (program, root) => {
      git(root, 'config', '--worktree', 'filter.filter-of-the-worktree.clean', `${program}; cat`);
    },
    control: hashing('filter-of-the-worktree'),
  },
  {
    name: 'filter-of-the-attributes-file',
    settings: (program) => [['filter.filter-of-the-attributes-file.clean', `${program}; cat`]],
    put: (_, root) => {
      const file = path.join(root, '.git/attributes-file');
      fs.writeFileSync(file, 'filter-of-the-attributes-file.* filter=filter-of-the-attributes-file\n');
      git(root, 'config', 'core.attributesFile', file);
    },
    control: hashing('filter-of-the-attributes-file'),
  },
  { name: 'fsmonitor', settings: (program) => [['core.fsmonitor', program]], control: ['status'] },
  {
    name: 'hooks-path',
    settings: () => [['core.hooksPath', '.hooks']],
    put: (program, root) => hooksIn(path.join(root, '.hooks'), program),
    control: ['commit', '--quiet', '--allow-empty', '--message', 'x'],
  },
  {
    name: 'config-hook',
    settings: (program) => [
      ...[['hook.planted.command', program], ['hook.planted.event', 'post-index-change']],
      ...[['hook.planted.event', 'pre-commit'], ['hook.planted.event', 'reference-transaction']],
    ],
  },
  { name: 'pager', settings: (program) => [['core.pager', program], ['pager.status', program], ['pager.diff', program]] },
  {
    name: 'editor',
    settings: (program) => [['core.editor', program]],
    control: ['commit', '--allow-empty'],
  },
  { name: 'sequence-editor', settings: (program) => [['sequence.editor', program]] },
  {
    name: 'credential-helper',
    settings: (program) => [['credential.helper', `!${program}`], ['credential.https://a.example.helper', `!${program}`]],
    control: ['credential', 'fill'],
    input: 'protocol=https\nhost=a.example\n\n',
  },
  {
    name: 'askpass',
    settings: (program) => [['core.askPass', program]],
    control: ['credential', 'fill'],
    input: 'protocol=https\nhost=b.example\n\n',
  },
  {
    name: 'diff-external',
    settings: (program) => [['diff.external', program]],
    control: ['diff', '--', 'diff-external.changed'],
  },
  {
    name: 'diff-command',
    attribute: 'diff',
    settings: (program) => [['diff.diff-command.command', program]],
    control: ['diff', '--', 'diff-command.changed'],
  },
  {
    name: 'diff-textconv',
    attribute: 'diff',
    settings: (program) => [['diff.diff-textconv.textconv', program]],
    control: ['diff', '--no-ext-diff', '--', 'diff-textconv.changed'],
  },
  {
    name: 'merge-driver',
    attribute: 'merge',
    settings: (program) => [['merge.merge-driver.driver', program]],
  },
  {
    name: 'gpg',
    settings: (program) => [['gpg.program', program], ['log.showSignature', 'true'], ['gpg.ssh.program', program]],
  },
  {
    name: 'alias',
    settings: (program) => ['status', 'diff', 'config', 'var', 'cat-file', 'planted'].map((word) => [`alias.${word}`, `!${program}`]),
    control: ['planted'],
  },
  { name: 'alternate-refs', settings: (program) => [['core.alternateRefsCommand', program]] },
  {
    name: 'submodule',
    settings: (program) => [['submodule.sub.update', `!${program}`], ['submodule.sub.url', './sub'], ['submodule.sub.active', 'true']],
  },
  { name: 'diff-filter', settings: (program) => [['interactive.diffFilter', program]] },
  {
    name: 'trailer',
    settings: (program) => [['trailer.x.command', program], ['trailer.x.cmd', program]],
    control: ['interpret-trailers', '--trailer', 'x=1'],
    input: 'subject\n',
  },
  { name: 'pack-objects', settings: (program) => [['uploadpack.packObjectsHook', program]] },
  {
    name: 'tools',
    settings: (program) => [
      ...[['diff.tool', 'planted'], ['difftool.planted.cmd', program], ['difftool.prompt', 'false']],
      ...[['merge.tool', 'planted'], ['mergetool.planted.cmd', program], ['browser.planted.cmd', program]],
    ],
    control: ['difftool', '--', 'tools.changed'],
  },
  {
    name: 'large-files',
    settings: (program) => [
      ...[['lfs.extension.planted.clean', program], ['lfs.customtransfer.planted.path', program]],
      ['lfs.standalonetransferagent', 'planted'],
    ],
  },
];

/** @type {Plant[]} each in a repository of its own */
const ALONE = [
  {
    // No option takes it away: git would take `filter.a` for its name.
    name: 'a=b',
    attribute: 'filter',
    settings: (program) => [['filter.a=b.clean', `${program}; cat`], ['filter.a=b.smudge', `${program}; cat`]],
    control: hashing('a=b'),
  },
  {
    name: 'hooks',
    put: (program, root) => hooksIn(path.join(root, '.git/hooks'), program),
    control: ['commit', '--quiet', '--allow-empty', '--message', 'x'],
  },
  {
    name: 'filter-beside-a-split-index',
    attribute: 'filter',
    settings: (program) => [['filter.filter-beside-a-split-index.clean', `${program}; cat`]],
    put: (_, root) => git(root, 'update-index', '--split-index'),
    control: hashing('filter-beside-a-split-index'),
  },
  {
    name: 'the-repository-allows-it',
    attribute: 'filter',
    settings: (program) => [
      ['filter.the-repository-allows-it.clean', `${program}; cat`],
      ['milepost.sessions.filters', 'true'],
    ],
    control: hashing('the-repository-allows-it'),
  },
];

/** @type {Plant[]} in a repository that another one leads to */
const LED_TO = [
  {
    name: 'filter-there',
    attribute: 'filter',
    settings: (program) => [
      ['filter.filter-there.clean', `${program}; cat`],
      ['filter.filter-there.smudge', `${program}; cat`],
    ],
    control: hashing('filter-there'),
  },
  { name: 'fsmonitor-there', settings: (program) => [['core.fsmonitor', program]], control: ['status'] },
];

/** @type {Plant[]} that a fetch runs, in a clone that lacks what HEAD has */
const FETCHING = [
  {
    name: 'ext',
    settings: (program) => [['protocol.ext.allow', 'always'], ...promisor('ext', `ext::${program}`)],
  },
  {
    name: 'ssh-command',
    settings: (program) => [['core.sshCommand', program], ...promisor('ssh', 'ssh://a.invalid/x')],
  },
  {
    name: 'git-proxy',
    settings: (program) => [['core.gitProxy', program], ...promisor('git', 'git://a.invalid/x')],
  },
  {
    // The one that has it all, asked after the others.
    name: 'upload-pack',
    put: (program, root) => {
      const url = git(root, 'config', 'remote.origin.url');
      git(root, 'config', '--remove-section', 'remote.origin');
      const more = /** @type {const} */ (['remote.last.uploadpack', `${program}; git-upload-pack`]);
      for (const [key, value] of [...promisor('last', url), more]) git(root, 'config', key, value);
    },
  },
];

function promisor(name, url) {
  return [
    [`remote.${name}.url`, url],
    [`remote.${name}.promisor`, 'true'],
    [`remote.${name}.partialclonefilter`, 'blob:none'],
  ];
}

function hooksIn(folder, program) {
  fs.mkdirSync(folder, { recursive: true });
  for (const name of HOOKS) fs.copyFileSync(program, path.join(folder, name));
}

/** Folders for programs and for what they leave, outside of any repository. */
function programFixture(t) {
  const scripts = emptyFolder(t);
  const marks = emptyFolder(t);
  const program = (name) => {
    const file = path.join(scripts, name.replace('=', '-'));
    fs.writeFileSync(file, `#!/bin/sh\n: > ${path.join(marks, name)}\n`, { mode: 0o755 });
    return file;
  };
  const ran = () => fs.readdirSync(marks);
  const forget = () => ran().forEach((name) => fs.rmSync(path.join(marks, name)));
  return { program, ran, forget };
}

/** Puts plants into a repository. */
function plant(root, plants, program) {
  for (const { name, settings = () => [], put } of plants) {
    const file = program(name);
    put?.(file, root);
    for (const [key, value] of settings(file)) git(root, 'config', '--add', key, value);
  }
}

const KINDS = ['same', 'changed', 'late'];

/** Writes a file, with another time than the index has: git looks at whole seconds. */
function write(root, name, text) {
  fs.writeFileSync(path.join(root, name), text);
  fs.utimesSync(path.join(root, name), 1e9, 1e9);
}

/** A repository with the files of some plants. */
function filesOf(t, plants) {
  const attributes = plants.flatMap(({ name, attribute }) => (attribute ? [`${name}.* ${attribute}=${name}\n`] : []));
  const names = plants.flatMap(({ name }) => KINDS.map((kind) => `${name}.${kind}`));
  const files = Object.fromEntries(names.map((name) => [name, 'text\n']));
  return repository(t, { '.gitattributes': attributes.join(''), plain: 'text\n', ...files });
}

/** Writes the files of some plants in a worktree: git has to read them to compare them. */
function touch(root, plants) {
  const later = Date.now() / 1000 + 10;
  fs.utimesSync(path.resolve(root, git(root, 'rev-parse', '--git-path', 'index')), later, later);
  for (const { name } of plants) {
    write(root, `${name}.same`, 'text\n');
    write(root, `${name}.changed`, 'then\n');
  }
}

/** A repository with some plants, whose index says that its files are as they were. */
function planted(t, plants, program) {
  const root = filesOf(t, plants);
  plant(root, plants, program);
  touch(root, plants);
  return root;
}

function line(root, ...words) {
  const { code, out, error } = milepost(root, words);
  assert.ok(code === 0 || code === 1, `${words.join(' ')}: ${code} ${error}`);
  return out;
}

const hook = require.resolve('milepost/hook');

function event(root, name, more) {
  const payload = { session_id: 's', cwd: root, hook_event_name: name, ...more };
  const input = JSON.stringify(payload);
  const { status, stderr } = spawnSync(process.execPath, [hook, 'claude-code'], { cwd: root, input, encoding: 'utf8' });
  assert.equal(status, 0, stderr);
}

/** All that looks at the work tree or at git, as a user and as an agent starts it. */
function everything(root, late) {
  line(root, 'phase', 'implement', 'a', 'in_progress');
  const { id } = JSON.parse(line(root, 'create', '--reason', 'handoff', '--json'));
  line(root, 'verify', '--latest');
  // The content of HEAD is needed for these.
  for (const name of late) fs.writeFileSync(path.join(root, name), 'longer than before\n');
  line(root, 'verify', '--id', id);
  line(root, 'restore', '--id', id, '--files', '--dry-run');
  line(root, 'restore', '--id', id, '--files', '--no-state');
  line(root, 'status');
  line(root, 'resume');
  line(root, 'diff');
  line(root, 'doctor', '--look-only');
  event(root, 'SessionStart', { source: 'startup' });
  const file_path = path.join(root, 'new');
  event(root, 'PostToolUse', { tool_name: 'Write', tool_input: { file_path }, tool_response: { type: 'create' } });
  event(root, 'PreCompact', { trigger: 'auto' });
  event(root, 'Stop', { last_assistant_message: 'Done.' });
}

/** Plain git runs what was planted, each by its own command. */
function controlled(root, plants, { ran, forget }) {
  for (const { name, control, input = '' } of plants) {
    if (control === undefined) continue;
    forget();
    const env = { ...process.env, GIT_TERMINAL_PROMPT: '0' };
    const { stderr } = spawnSync('git', control, { cwd: root, env, input, encoding: 'utf8', timeout: 60_000 });
    assert.ok(ran().includes(name), `${name}: git itself does not run it: ${stderr}`);
  }
}

test('no program of a repository runs', ofPosix, (t) => {
  const { program, ...marks } = programFixture(t);
  const root = planted(t, PLANTS, program);
  everything(root, PLANTS.map(({ name }) => `${name}.late`));
  assert.deepEqual(marks.ran(), []);
  controlled(root, PLANTS, marks);
});

for (const alone of ALONE) {
  test(`no program of a repository runs: ${alone.name}`, ofPosix, (t) => {
    const { program, ...marks } = programFixture(t);
    const root = planted(t, [alone], program);
    everything(root, [`${alone.name}.late`]);
    assert.deepEqual(marks.ran(), []);
    controlled(root, [alone], marks);
  });
}

for (const [kind, words] of Object.entries({
  'a submodule': ['-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add'],
  'a nested repository': ['clone', '--quiet'],
})) {
  test(`no program of ${kind} runs`, ofPosix, (t) => {
    const { program, ...marks } = programFixture(t);
    const root = repository(t, { plain: 'text\n', late: 'text\n' });
    git(root, ...words, filesOf(t, LED_TO), 'below');
    git(root, 'commit', '--quiet', '--allow-empty', '--message', 'second');
    const below = path.join(root, 'below');
    plant(below, LED_TO, program);
    touch(below, LED_TO);
    fs.writeFileSync(path.join(root, 'plain'), 'then\n');
    everything(root, ['late']);
    const file_path = path.join(below, 'new');
    event(root, 'PostToolUse', { tool_name: 'Write', tool_input: { file_path }, tool_response: { type: 'create' } });
    event(root, 'Stop', { last_assistant_message: 'Done.' });
    assert.deepEqual(marks.ran(), []);
    // Git itself runs those of a submodule from above as well.
    git(root, 'status');
    assert.equal(marks.ran().length, kind === 'a submodule' ? LED_TO.length : 0);
    controlled(below, LED_TO, marks);
  });
}

test('no program runs of a repository that a .git file leads to', ofPosix, (t) => {
  const { program, ...marks } = programFixture(t);
  const root = planted(t, LED_TO, program);
  const elsewhere = path.join(emptyFolder(t), 'hostile');
  fs.renameSync(path.join(root, '.git'), elsewhere);
  fs.writeFileSync(path.join(root, '.git'), `gitdir: ${elsewhere}\n`);
  everything(root, LED_TO.map(({ name }) => `${name}.late`));
  assert.deepEqual(marks.ran(), []);
  controlled(root, LED_TO, marks);
});

test('no program runs that config.worktree of a linked worktree names', ofPosix, (t) => {
  const { program, ...marks } = programFixture(t);
  const main = filesOf(t, LED_TO);
  const root = path.join(emptyFolder(t), 'linked');
  git(main, 'config', 'extensions.worktreeConfig', 'true');
  git(main, 'worktree', 'add', '--quiet', root);
  for (const { name, settings = () => [] } of LED_TO) {
    for (const [key, value] of settings(program(name))) git(root, 'config', '--worktree', key, value);
  }
  touch(root, LED_TO);
  everything(root, LED_TO.map(({ name }) => `${name}.late`));
  assert.deepEqual(marks.ran(), []);
  controlled(root, LED_TO, marks);
});

test('no program of a repository runs to fetch what it lacks', ofPosix, (t) => {
  const { program, ...marks } = programFixture(t);
  const source = repository(t, { kept: 'text\n', lacking: 'text\n' });
  git(source, 'config', 'uploadpack.allowFilter', 'true');
  const root = path.join(emptyFolder(t), 'clone');
  git(source, 'clone', '--quiet', '--no-checkout', '--filter=blob:none', `file://${source}`, root);
  git(root, 'read-tree', 'HEAD');
  // They come by other ways than from git.
  for (const name of ['kept', 'lacking']) fs.writeFileSync(path.join(root, name), 'text\n');
  plant(root, FETCHING, program);
  fs.writeFileSync(path.join(root, 'kept'), 'then\n');
  everything(root, ['lacking']);
  assert.deepEqual(marks.ran(), []);
  // It cannot be brought back, and that was said.
  assert.equal(fs.readFileSync(path.join(root, 'lacking'), 'utf8'), 'longer than before\n');
  spawnSync('git', ['cat-file', '-p', 'HEAD:lacking'], { cwd: root, timeout: 60_000 });
  assert.deepEqual(marks.ran().sort(), FETCHING.map(({ name }) => name).sort());
});

test('filters of the user run, and those of a repository where the user says so', ofPosix, (t) => {
  const own = { name: 'own', attribute: 'filter', settings: (program) => [['filter.own.clean', `${program}; cat`]] };
  const { program, ...marks } = programFixture(t);
  const root = planted(t, [own], program);
  const { GIT_CONFIG_GLOBAL: usual } = process.env;
  const user = path.join(emptyFolder(t), 'gitconfig');
  fs.writeFileSync(user, `[include]\n\tpath = ${usual}\n[milepost "sessions"]\n\tfilters = true\n`);
  process.env.GIT_CONFIG_GLOBAL = user;
  t.after(() => (process.env.GIT_CONFIG_GLOBAL = usual));
  line(root, 'create', '--reason', 'handoff');
  assert.deepEqual(marks.ran(), ['own']);

  marks.forget();
  fs.writeFileSync(user, `[include]\n\tpath = ${usual}\n[filter "own"]\n\tclean = "${program('of-the-user')}; cat"\n`);
  write(root, 'own.same', 'text\n');
  line(root, 'create', '--reason', 'handoff');
  assert.deepEqual(marks.ran(), ['of-the-user']);
});

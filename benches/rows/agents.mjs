// The hook of coding agents as they start it, a whole process: an Edit that the checkpoint has not seen, in a
// small and in a large repository, one that it has, an event that means nothing, and the start of a session and the
// end of a turn, which look at the worktree.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { alternate, runNode, runProgram } from '../measure.mjs';
import { skipped, timesItsTime } from '../report.mjs';

export const name = 'agents';
const PLAN = { rounds: 60, warmups: 5 };
const LARGE = 50_000;
/** So many files are in the worktree that a start and a stop look at. */
const FILES = 2_000;
const AGENT = 'claude-code';

/** The registered command: the file of the package, by a word of JavaScript that says nothing where it is gone. */
const QUIETLY = 'try{require(process.argv[1])}catch{}';

/** @param {import('../fixture.mjs').Fixture} fixture */
export function measure(fixture) {
  const hook = fixture.require.resolve('milepost/hook');
  const repository = (name) => {
    const root = fixture.repository(name);
    const begin = edit(root, 'first');
    runProgram(process.execPath, [hook, AGENT], root, begin);
    return root;
  };
  const [small, large, listed, nothing, hot] = ['new', 'large', 'listed', 'nothing', 'hot'].map((name) =>
    name === 'hot' ? fixture.repository('agents-hot') : repository(`agents-${name}`),
  );
  fill(large);
  const sent = (root, payload) => (round) =>
    void runProgram(process.execPath, ['-e', QUIETLY, hook, AGENT], root, payload(root, round));
  const tree = repository('agents-tree');
  plant(tree);
  /** The end of a turn in which a tool wrote a file, and a shell command changed one: timed without the tool. */
  const stop = (round) => {
    sent(tree, () => edit(tree, `written-${round}`))(round);
    fs.writeFileSync(path.join(tree, `src/file-${round + PLAN.warmups}.ts`), `${round}\n`);
    const begun = process.hrtime.bigint();
    sent(tree, () => event(tree, 'Stop', { last_assistant_message: `Round ${round} is done.` }))(round);
    return Number(process.hrtime.bigint() - begun) / 1e6;
  };
  const samples = alternate(PLAN, {
    bare: () => void runNode(['-e', '0'], nothing),
    hot: () => void runNode([fixture.script('hook.cjs'), fixture.require.resolve('milepost')], hot),
    small: sent(small, (root, round) => edit(root, `file-${round}`)),
    large: sent(large, (root, round) => edit(root, `file-${round}`)),
    listed: sent(listed, (root) => edit(root, 'first')),
    nothing: sent(nothing, (root) => edit(root, 'first').replace('"Edit"', '"Read"')),
    status: () => void runProgram('git', ['status', '--porcelain'], tree),
    started: sent(tree, (root, round) => event(root, 'SessionStart', { session_id: `s${round}`, source: 'startup' })),
    stopped: stop,
    ...onWasmtime(fixture, repository),
  });
  for (const root of [small, large]) expectListed(root, PLAN.rounds + PLAN.warmups + 1);

  const against = (what, ours, peerName, peer, atMost) =>
    timesItsTime({ what: `hook of Claude Code: ${what}`, peerName, ours, peer, atMost });
  const HOT = 'the hook of the table above: updatePhase, getResumePoint';
  const { bare, wasm, empty } = samples;
  return [
    against('an Edit of a new file', samples.small, HOT, samples.hot, 1.1),
    against('the same with 50,000 files in the index', samples.large, HOT, samples.hot, 1.1),
    against('an Edit of a file that is listed', samples.listed, HOT, samples.hot, 1.1),
    against('an event that means nothing', samples.nothing, 'node -e 0', bare, 1.1),
    against(`the start of a session, ${FILES} files`, samples.started, 'git status', samples.status),
    against('the end of a turn there, with a file that a shell command changed', samples.stopped, 'git status', samples.status),
    ...(wasm
      ? [
          against('an Edit of a new file, precompiled wasmtime', wasm, 'wasmtime, nothing', empty, 2),
          against('the same against Node', wasm, 'an Edit of a new file', samples.small, 0.2),
        ]
      : [skipped('hook of Claude Code on wasmtime', 'MILEPOST_WASMTIME names no program')]),
  ];
}

/** The payload of an Edit of a file. */
export function edit(root, file) {
  const file_path = path.join(root, file);
  const tool_response = { filePath: file_path, originalFile: 'x\n'.repeat(2_000), structuredPatch: [] };
  const tool_input = { file_path, old_string: 'x', new_string: 'y', replace_all: false };
  return event(root, 'PostToolUse', { tool_name: 'Edit', tool_input, tool_response, tool_use_id: 'toolu_1' });
}

function event(root, hook_event_name, more) {
  const session = { session_id: 'bench', transcript_path: '/nowhere/session.jsonl', cwd: root };
  return JSON.stringify({ ...session, hook_event_name, ...more });
}

/** Files in a commit. */
function plant(root) {
  fs.mkdirSync(path.join(root, 'src'));
  for (let at = 0; at < FILES; at++) fs.writeFileSync(path.join(root, `src/file-${at}.ts`), `${at}\n`.repeat(50));
  const git = (...words) => execFileSync('git', ['-C', root, ...words], { stdio: 'ignore' });
  git('add', '.');
  git('-c', 'user.name=bench', '-c', 'user.email=bench@localhost', 'commit', '--message', 'files');
}

/** An index of many files, which are not there. */
function fill(root) {
  const id = 'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391';
  const line = (_, at) => `100644 ${id} 0\tsrc/folder-${at % 500}/file-${at}.ts\n`;
  const input = Array.from({ length: LARGE }, line).join('');
  execFileSync('git', ['-C', root, 'update-index', '--index-info'], { input, stdio: ['pipe', 'ignore', 'ignore'] });
}

function onWasmtime(fixture, repository) {
  const { MILEPOST_WASMTIME: wasmtime, MILEPOST_COMPONENT: component, MILEPOST_NOTHING: nothing } = process.env;
  if (!wasmtime || !component || !nothing) return {};
  const root = repository('agents-wasmtime');
  const compiled = (file, to) => {
    const out = path.join(fixture.work, to);
    runProgram(wasmtime, ['compile', '-o', out, file], root);
    return out;
  };
  const run = (file, words, payload) => (round) =>
    void runProgram(wasmtime, ['run', '--allow-precompiled', '--dir', '.', file, ...words], root, payload(round));
  return {
    wasm: run(compiled(component, 'milepost.cwasm'), ['hook', AGENT], (round) => edit(root, `file-${round}`)),
    empty: run(compiled(nothing, 'nothing.cwasm'), [], () => ''),
  };
}

function expectListed(root, count) {
  const file = path.join(root, '.claude/state/implement-checkpoint.json');
  const { phases } = JSON.parse(fs.readFileSync(file, 'utf8'));
  const { files_created: created = [], files_modified: modified = [] } = phases.work;
  const listed = created.length + modified.length;
  if (listed !== count) throw new Error(`${count} files were written, and ${listed} are listed`);
}

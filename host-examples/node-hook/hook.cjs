'use strict';

// A hook for a coding agent: what the agent does is kept in the phase that is in progress, and a
// new session is given the resume point. An error here must not disturb the agent:
// one line to standard error and exit code 0, never 2.

const fs = require('fs');
const path = require('path');
const { readPayload } = require('./payload.cjs');

const EVENTS = new Map([
  ['SessionStart', giveResumePoint],
  ['PostToolUse', recordFile],
  ['Stop', recordSummary],
  ['SubagentStop', recordSummary],
  ['PreCompact', recordMoment],
]);

// Warnings and failures of a checkpoint that could not be read, or is gone.
const HIDES_WORK = new Set(['corrupt', 'too_large', 'unsafe_path', 'io', 'vanished']);

// Every conflict is another hook's success, so this many in a row mean that something is wrong.
const ATTEMPTS = 50;
const GIT_TIMEOUT_MS = 10_000;
// A summary is at most 64 KiB, and a UTF-16 unit at most 3 bytes.
const MAX_SUMMARY_UNITS = Math.floor((64 * 1024) / 3);

main().catch((error) => report(error.message));

async function main() {
  const payload = await readPayload();
  const handle = EVENTS.get(payload?.hook_event_name);
  if (handle === undefined) return;
  const project = process.env.CLAUDE_PROJECT_DIR || payload.cwd;
  // The store looks for the repository from here, as it does for `npx milepost`.
  process.chdir(project);
  handle(payload, project);
}

/** SessionStart, regardless of its source: a new, resumed, cleared or compacted context. */
function giveResumePoint(payload) {
  const additionalContext = context();
  if (additionalContext === null) return;
  const hookSpecificOutput = { hookEventName: payload.hook_event_name, additionalContext };
  fs.writeSync(1, `${JSON.stringify({ hookSpecificOutput })}\n`);
}

/** The context of a session, also where a checkpoint cannot be read: work may be hidden in it. */
function context() {
  const warnings = new Set();
  let isWorkHidden = false;
  const store = openStore({
    onWarning({ code, message }) {
      warnings.add(message);
      isWorkHidden ||= HIDES_WORK.has(code);
    },
  });
  const { failureText, resumeText } = require('./resume.cjs');
  try {
    const target = tracked(store);
    const nothing = { phase: null, summary: null, alongside: [] };
    const point = target === null ? nothing : store.resumePoint(target.command, target.feature);
    if (point.phase === null && point.summary === null && !isWorkHidden) return null;
    const checkpoint = target === null ? null : store.load(target.command, target.feature);
    return resumeText(target ?? {}, point, checkpoint, [...warnings]);
  } catch (error) {
    if (!HIDES_WORK.has(error.code) && error.advice?.kind !== 'recover') throw error;
    report(error.message);
    return failureText(error.message, [...warnings]);
  }
}

/** PostToolUse: the file that a tool wrote joins the lists of the phase. */
function recordFile({ tool_name, tool_input }, project) {
  if (tool_name !== 'Write' && tool_name !== 'Edit') return;
  const file = path.relative(project, tool_input.file_path);
  if (file === '' || file.split(path.sep)[0] === '..' || path.isAbsolute(file)) return;
  const name = file.split(path.sep).join('/');
  amendPhase((phase, checkpoint) => {
    // A file that this phase created stays created, however often it is edited.
    if (lists(phase, name)) return false;
    const known =
      tool_name === 'Edit' ||
      Object.values(checkpoint.phases).some((other) => lists(other, name)) ||
      isCommitted(name);
    const list = known ? 'files_modified' : 'files_created';
    phase[list] = [...(phase[list] ?? []), name];
    return true;
  });
}

/** Returns whether a phase lists the file as written. */
function lists(phase, name) {
  return [phase?.files_created, phase?.files_modified].some(
    (list) => Array.isArray(list) && list.includes(name),
  );
}

/** Returns whether the last commit has the file; false where there is no git, repository or commit. */
function isCommitted(name) {
  const { spawnSync } = require('child_process');
  const options = { stdio: 'ignore', timeout: GIT_TIMEOUT_MS, windowsHide: true };
  return spawnSync('git', ['cat-file', '-e', `HEAD:./${name}`], options).status === 0;
}

/** Stop, SubagentStop: the last message is the best summary there is. */
function recordSummary({ last_assistant_message: message }) {
  if (typeof message !== 'string' || message.trim() === '') return;
  const { truncateContextSummary } = require('milepost');
  const summary = truncateContextSummary(message.trim().slice(0, MAX_SUMMARY_UNITS));
  amendPhase((phase) => {
    if (phase.context_summary === summary) return false;
    phase.context_summary = summary;
    return true;
  });
}

/** PreCompact: the commit and the time at which the context was still whole. */
function recordMoment() {
  amendPhase(() => true);
}

/**
 * Changes the phase in progress. Hooks run in parallel: a save carries the revision that was
 * loaded, lists that grew on both sides are merged, and where that is not possible the change is
 * made again on what the other hook left.
 *
 * @param {(phase: object, checkpoint: object) => boolean} change false when there is nothing to
 *   save
 */
function amendPhase(change) {
  const store = openStore();
  const target = tracked(store);
  if (target === null) return;
  const { command, feature } = target;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const checkpoint = store.load(command, feature);
    const name = checkpoint?.state.current_phase;
    if (typeof name !== 'string' || !Object.hasOwn(checkpoint.phases, name)) return;
    const phase = checkpoint.phases[name];
    if (!change(phase, checkpoint)) return;
    phase.updated_at = new Date().toISOString();
    try {
      store.save(command, checkpoint, feature);
      return;
    } catch (error) {
      if (error.code !== 'conflict') throw error;
    }
  }
  throw new Error(`gave up after ${ATTEMPTS} conflicts`);
}

/** The checkpoint that hooks write to: the one that the environment names, else the latest. */
function tracked(store) {
  const { MILEPOST_COMMAND: command, MILEPOST_FEATURE: feature } = process.env;
  return command ? { command, feature: feature || null } : store.latest();
}

/** Loaded here, so that events and tools that do not concern this hook cost no wasm. */
function openStore(options) {
  return require('milepost').openStore(options);
}

/** One line: some messages go on with a stack. */
function report(message) {
  console.error(`[milepost hook] ${message.split('\n', 1)[0]}`);
}

// The work that every agent is asked to do, and its expected result.

import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import test from 'node:test';
import { payloadsOf } from '../../agents/recorded.mjs';
import { differences } from '../../agents/shapes.mjs';
import { newProject, PATIENCE, resumePoints } from './fixture.mjs';
import { says, startModel } from './model.mjs';

export const PHASES = ['Write the parser', 'Add tests'];
export const LAST_MESSAGE = 'The parser is written; its tests are not.';

/**
 * A real agent.
 *
 * @typedef {object} Agent
 * @property {string} name
 * @property {string} id what `hooks install` calls it
 * @property {string} settings the file that install edits
 * @property {string} [earlier] what is in it before: a hook of another tool that writes to `theirs.log` at the start of
 *   a session, in a layout that no printer of JSON makes; without it `files` have that hook
 * @property {{[file: string]: string}} [files] more that is in the project before
 * @property {import('./model.mjs').Wire} wire
 * @property {import('./model.mjs').Answer[]} [plans] a plan of two phases, and the first is begun; without it hooks do
 *   not see what the agent plans
 * @property {import('./model.mjs').Answer[]} [goesOn] the first is over, and the second is begun
 * @property {boolean} [endsUnseen] whether no event says that a session ends
 * @property {string[]} sends the events of the story, each with its tool behind it
 * @property {(project: Project, file: string, text: string) => import('./model.mjs').Answer[]} writes
 * @property {(project: Project, file: string, old: string, text: string) => import('./model.mjs').Answer[]} edits
 * @property {(project: Project, model: Model, prompt: string, words: string[]) => Promise<Printed>} run
 */

/** @typedef {ReturnType<typeof newProject>} Project */
/** @typedef {import('./model.mjs').Model} Model */
/** @typedef {{code: number, out: string, errors: string}} Printed */

/** The wait of agents for a hook in tests, where it is not in seconds. */
const TIMEOUTS = { gemini: 100_000, opencode: 100_000, 'qwen-code': 100_000 };

/** The time that a hook has, in settings and in a plugin. */
const TIMEOUT = /("timeout(?:Sec)?" ?: ?|LIMIT_MS = )[\d_]+/g;

/**
 * A project with the hooks of an agent, and its model.
 *
 * @param {import('node:test').TestContext} t
 * @param {Agent} agent
 */
export async function begin(t, agent) {
  const { id, settings, earlier, files, wire, run } = agent;
  const model = await startModel(t, wire);
  const project = newProject(t, id, { ...(earlier !== undefined && { [settings]: earlier }), ...files });
  // An agent ends a hook that takes longer: at the end of a session after 3 s, which a busy machine may need.
  const registered = project.read(settings);
  project.put(settings, registered.replaceAll(TIMEOUT, (_, name) => `${name}${TIMEOUTS[id] ?? 100}`));
  return {
    project,
    model,
    /**
     * Prompts the agent in a process of its own. Returns the steps that it asked of the model.
     *
     * @param {string} prompt
     * @param {import('./model.mjs').Answer[]} answers
     * @param {{words?: string[], code?: number, ofSubagent?: import('./model.mjs').Answer[]}} [how]
     */
    async turn(prompt, answers, { words = [], code = 0, ofSubagent = [] } = {}) {
      const before = model.steps.length;
      model.script.push(...answers);
      model.scriptOfSubagent.push(...ofSubagent);
      const printed = await run(project, model, prompt, words);
      const all = `${printed.out}${printed.errors}`;
      assert.equal(printed.code, code, all);
      const unplayed = [...model.script, ...model.scriptOfSubagent];
      assert.deepEqual(unplayed, [], `the agent did not come to the end of the script\n${all}`);
      assert.deepEqual(model.refused, [], 'the agent asked the network');
      return model.steps.slice(before);
    },
  };
}

/**
 * The answers by which a model works on two phases.
 *
 * @type {(agent: Agent, project: Project) => import('./model.mjs').Answer[]}
 */
export const work = ({ plans = [], goesOn = [], writes, edits }, project) => [
  ...plans,
  ...writes(project, 'parser.txt', 'parser\n'),
  ...goesOn,
  ...edits(project, 'notes.txt', 'old', 'new'),
  [says(LAST_MESSAGE)],
];

/** The context that the next session gets of that, where the agent has a plan. */
export const RESUME_POINT = {
  command: 'implement',
  feature: 'dark-mode',
  phase: 'Add tests',
  phase_status: 'in_progress',
  phase_summary: LAST_MESSAGE,
  files_modified: ['notes.txt'],
  completed_phases: ['Write the parser'],
};

/** The result of the work in a run with the plan: the state, and the status and the files of each phase. */
const PLANNED = {
  state: { current_phase: PHASES[1], completed_phases: [PHASES[0]], pending_phases: [] },
  phases: {
    [PHASES[0]]: ['complete', ['parser.txt'], undefined],
    [PHASES[1]]: ['in_progress', undefined, ['notes.txt']],
  },
  resumePoint: RESUME_POINT,
};

/** The phase of work without a plan. */
const UNPLANNED_PHASE = 'work';

/** The result without a plan. */
const UNPLANNED = {
  state: { current_phase: UNPLANNED_PHASE, completed_phases: [], pending_phases: [] },
  phases: { [UNPLANNED_PHASE]: ['in_progress', ['parser.txt'], ['notes.txt']] },
  resumePoint: {
    command: 'implement',
    feature: 'dark-mode',
    phase: UNPLANNED_PHASE,
    phase_status: 'in_progress',
    phase_summary: LAST_MESSAGE,
    files_created: ['parser.txt'],
    files_modified: ['notes.txt'],
  },
};

/** @param {Agent} agent */
export function tellStory(agent) {
  const { name, id, settings, earlier } = agent;
  const expected = agent.plans ? PLANNED : UNPLANNED;

  test(`a plan, a file and the last message of ${name} are in the run`, PATIENCE, async (t) => {
    const { project, turn } = await begin(t, agent);
    const steps = await turn('write a parser', work(agent, project));
    assert.equal(project.read('parser.txt'), 'parser\n');
    assert.equal(project.read('notes.txt'), 'new\n');
    assert.deepEqual(steps.flatMap(resumePoints), []);

    assert.deepEqual(
      project.checkpoints().map(({ command, feature }) => [command, feature]),
      [['implement', 'dark-mode']],
    );
    const { state, phases, agent_sessions } = project.load('implement', 'dark-mode');
    assert.deepEqual({ completed_phases: [], pending_phases: [], ...state }, expected.state);
    const filesOf = ({ status, files_created, files_modified }) => [status, files_created, files_modified];
    const found = Object.entries(phases).map(([phase, stored]) => [phase, filesOf(stored)]);
    assert.deepEqual(found, Object.entries(expected.phases));
    const current = phases[expected.state.current_phase];
    assert.deepEqual([current.context_summary, current.summary_source], [LAST_MESSAGE, 'auto']);
    const [session, ...others] = Object.values(agent_sessions);
    const end = agent.endsUnseen ? 'undefined' : 'string';
    assert.deepEqual([session.agent, typeof session.ended_at, others], [id, end, []]);
  });

  test(`the next session of ${name} gets the resume point`, PATIENCE, async (t) => {
    const { project, turn } = await begin(t, agent);
    await turn('write a parser', work(agent, project));
    const [step] = await turn('go on', [[says('I go on.')]]);
    assert.deepEqual(resumePoints(step), [expected.resumePoint]);
  });

  test(`${name} runs hooks of another tool beside ours, and remove leaves no trace`, PATIENCE, async (t) => {
    const { project, turn } = await begin(t, agent);
    assert.notEqual(project.read(settings), earlier);
    await turn('say something', [[says('Something.')]]);
    assert.equal(project.read('theirs.log'), 'theirs\n');
    assert.deepEqual(project.checkpoints(), []);

    project.milepost('hooks', 'remove', id);
    assert.equal(project.has(settings) ? project.read(settings) : undefined, earlier);
    assert.equal(project.has(`${settings}.milepost-backup`), false);
    await turn('write a parser', work(agent, project));
    assert.deepEqual(project.checkpoints(), []);
  });

  test(`payloads of ${name} have the shapes of the recorded ones`, PATIENCE, async (t) => {
    const { project, turn } = await begin(t, agent);
    const recorded = payloadsOf(id);
    project.record(recorded.map(({ event }) => event));
    await turn('write a parser', work(agent, project));
    const found = differences(recorded, project.recorded(), agent.sends);
    const { MILEPOST_PAYLOADS: folder } = process.env;
    if (folder) fs.writeFileSync(path.join(folder, `${id}.json`), JSON.stringify(found));
    else assert.deepEqual(found, []);
  });
}

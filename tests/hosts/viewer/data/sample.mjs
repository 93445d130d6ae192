// The sample project: a static site generator that several runs of agents work on. Everything that the page has a
// badge, a view or a chart for is in it once; the package itself made it, at times that do not change.

import * as fs from 'node:fs';
import * as path from 'node:path';
import { openStore } from 'milepost';
import { openSnapshots } from 'milepost/snapshots';
import { createCheckpointManager } from 'milepost/tasks';
import { Clock } from './clock.mjs';
import { commit, git, repository } from './git.mjs';
import { checkpoint, putThread, write } from './threads.mjs';

/** The time at which it is looked at. */
export const NOW = '2026-03-05T16:30:00.000Z';

/** The run with the most revisions: what the views of one run show. */
export const RICH = 'c/implement-dark-mode';

/** The thread: of two steps, with a pending write. */
export const THREAD = 'chat <1>';

/** Makes the project in an empty folder. */
export async function makeSample(root) {
  const clock = new Clock('2026-03-02T08:50:00.000Z');
  try {
    const project = new Project(root, clock);
    project.begin();
    project.finished();
    project.darkMode();
    project.stale();
    project.failed();
    project.notBegun();
    project.conflict();
    project.editedByHand();
    project.corrupt();
    project.untrusted();
    await project.tasks();
    await project.thread();
  } finally {
    clock.putBack();
  }
}

class Project {
  constructor(root, clock) {
    this.root = root;
    this.clock = clock;
    this.store = openStore({ root, durability: 'lazy', onWarning() {} });
  }

  write(file, text) {
    const at = path.join(this.root, file);
    fs.mkdirSync(path.dirname(at), { recursive: true });
    fs.writeFileSync(at, text);
  }

  state(name) {
    return `.claude/state/${name}`;
  }

  /** One phase's update, so many minutes after what was before. */
  phase(minutes, [command, feature], phase, patch) {
    this.clock.minutes(minutes);
    this.store.updatePhase(command, phase, patch, feature);
  }

  begin() {
    this.write('package.json', '{ "name": "lumen", "type": "module" }\n');
    this.write('src/page.js', PAGE);
    this.write('src/theme.css', ':root {\n  --ink: #111;\n  --paper: #fff;\n}\n');
    this.write('README.md', '# lumen\n\nPages from Markdown.\n');
    repository(this.root);
    // Files of milepost are not in the commits, whose names would change with its documentation.
    this.write('.git/info/exclude', '/.claude/\n');
    this.store.init();
    this.write(
      '.claude/config/integrations.json',
      `${JSON.stringify({ commands: ['migrate'] }, null, 2)}\n`,
    );
  }

  finished() {
    const run = ['research', null];
    this.phase(5, run, 'sources', { status: 'in_progress' });
    this.phase(20, run, 'sources', {
      status: 'complete',
      context_summary: 'Read eleven issues on dark mode: users ask for a switch that stays, and for no flash at load.',
    });
    this.phase(1, run, 'proposal', { status: 'in_progress' });
    this.phase(25, run, 'proposal', {
      status: 'complete',
      context_summary: 'Proposal: light-dark() in the theme, the switch writes one attribute, no script before paint.',
      files_created: ['docs/dark-mode.md'],
    });
    this.clock.minutes(2);
    this.store.complete('research');
    const design = ['design', 'search'];
    this.phase(3, design, 'index', { status: 'complete', context_summary: 'A prefix index of 40 KB for 1,000 pages.' });
    this.phase(12, design, 'ranking', { status: 'skipped', context_summary: 'Left to a later version.' });
    this.store.complete(...design);
  }

  /** Three days of work with two nights between, a failure, and a summary that changes in the middle. */
  darkMode() {
    const run = ['implement', 'dark-mode'];
    const { clock, store } = this;
    clock.at('2026-03-03T09:00:00.000Z');
    for (const phase of ['tokens', 'switch', 'no-flash', 'tests', 'docs']) {
      this.phase(0, run, phase, { status: 'pending' });
    }
    this.phase(4, run, 'tokens', { status: 'in_progress' });
    this.phase(35, run, 'tokens', { status: 'in_progress', files_modified: ['src/theme.css'] });
    this.phase(20, run, 'tokens', { status: 'complete', context_summary: TOKENS, files_created: ['src/tokens.css'] });
    this.write('src/tokens.css', ':root {\n  color-scheme: light dark;\n  --ink: light-dark(#111, #eee);\n}\n');
    this.session('phase_complete', 'Colours are tokens now.');
    this.phase(3, run, 'switch', { status: 'in_progress' });
    this.phase(50, run, 'switch', { status: 'in_progress', files_created: ['src/switch.js'] });
    clock.at('2026-03-04T08:30:00.000Z');
    this.phase(0, run, 'switch', { status: 'failed', error: 'localStorage is not available in a sandboxed frame' });
    this.phase(6, run, 'switch', { status: 'in_progress' });
    this.phase(40, run, 'switch', {
      status: 'complete',
      context_summary: SWITCH,
      files_created: ['src/switch.js', 'src/switch.css'],
      files_modified: ['src/page.js'],
    });
    this.write('src/page.js', PAGE.replace("'light'", "theme ?? 'light dark'"));
    this.write('src/switch.js', 'export const theme = document.documentElement.dataset.theme;\n');
    this.session('handoff', 'The switch works; the flash at load is next.');
    this.phase(2, run, 'no-flash', { status: 'in_progress' });
    this.phase(15, run, 'tests', { status: 'in_progress', context_summary: 'Screenshots in both schemes.' });
    this.phase(30, run, 'tests', { status: 'in_progress', files_created: ['tests/theme.test.js'] });
    clock.at('2026-03-05T09:10:00.000Z');
    const document = store.load(...run);
    document.state.current_task = 'T017';
    document.agent_sessions = { 'b7e1': { agent: 'claude-code', seen_at: '2026-03-05T09:10:00.000Z' } };
    document.notes = { reviewer: 'Grace', asked: ['reduced motion', 'print'] };
    store.save('implement', document, 'dark-mode');
    this.phase(45, run, 'no-flash', { status: 'in_progress', context_summary: NO_FLASH, files_modified: ['src/page.js'] });
    this.phase(70, run, 'tests', { status: 'in_progress', files_created: ['tests/theme.test.js', 'tests/print.test.js'] });
    this.clock.minutes(3);
    store.undo(...run);
    this.phase(8, run, 'tests', { status: 'in_progress', files_created: ['tests/theme.test.js', 'tests/motion.test.js'] });
    this.session('user_requested', 'Before the review.');
  }

  session(reason, message) {
    this.clock.minutes(1);
    const sessions = openSnapshots({ root: this.root, durability: 'lazy', onWarning() {} });
    const { id } = sessions.create({ reason, message, command: 'implement', feature: 'dark-mode' });
    if (reason === 'handoff') sessions.pin({ id });
  }

  stale() {
    const run = ['implement', 'search'];
    this.clock.at('2026-03-04T11:00:00.000Z');
    this.phase(0, run, 'index', { status: 'complete', context_summary: 'The index is written at build time.' });
    this.phase(30, run, 'query', { status: 'in_progress' });
    this.clock.at('2026-03-04T15:00:00.000Z');
    commit(this.root, 'theme: colours are tokens');
    // Runs that were saved before stay at the former commit; the run that goes on is brought up to date.
    this.clock.at('2026-03-05T12:00:00.000Z');
    this.phase(0, ['implement', 'dark-mode'], 'no-flash', { status: 'in_progress', files_modified: ['src/page.js', 'src/theme.css'] });
  }

  failed() {
    const run = ['review', 'feeds'];
    this.clock.at('2026-03-05T13:00:00.000Z');
    this.phase(0, run, 'read', { status: 'complete', context_summary: 'Read the diff of 14 files.' });
    this.phase(22, run, 'verify', { status: 'failed', error: 'npm test ended with 1: feed.test.js, "dates are RFC 822"' });
  }

  notBegun() {
    this.clock.at('2026-03-05T13:40:00.000Z');
    for (const phase of ['plan', 'copy', 'check']) {
      this.phase(0, ['migrate', 'content'], phase, { status: 'pending' });
    }
    const ship = ['ship', 'release-2'];
    this.phase(5, ship, 'changelog', { status: 'in_progress' });
    this.store.gate(...ship, { close: ['dark mode has no tests of print', 'the changelog is not read yet'] });
  }

  conflict() {
    const run = ['design', 'themes'];
    this.phase(10, run, 'survey', { status: 'complete', context_summary: 'Three themes are asked for.' });
    const file = this.state('design-themes.json');
    const text = fs.readFileSync(path.join(this.root, file), 'utf8');
    const marks = (line) => `<<<<<<< HEAD\n${line}=======\n${line.replace('Three', 'Four')}>>>>>>> themes\n`;
    this.write(file, text.replace(/^.*Three themes.*\n/m, marks));
  }

  editedByHand() {
    const run = ['reconcile', 'feeds'];
    this.phase(10, run, 'compare', { status: 'in_progress', context_summary: 'Two feeds differ in their dates.' });
    const file = this.state('reconcile-feeds.json');
    const text = fs.readFileSync(path.join(this.root, file), 'utf8');
    this.write(file, text.replace('Two feeds', 'Three feeds'));
  }

  corrupt() {
    const run = ['implement', 'import'];
    this.phase(5, run, 'reader', { status: 'complete', context_summary: 'Reads the old format.' });
    this.phase(15, run, 'writer', { status: 'in_progress' });
    const file = this.state('implement-import.json');
    const text = fs.readFileSync(path.join(this.root, file), 'utf8');
    this.write(file, text.slice(0, text.length / 2));
    try {
      // It is refused, and a copy of the file goes to quarantine.
      this.phase(1, run, 'writer', { status: 'complete' });
    } catch (error) {
      if (error.code !== 'corrupt') throw error;
    }
  }

  /** Came with a clone: git tracks it. */
  untrusted() {
    const run = ['start', 'lumen'];
    this.phase(5, run, 'setup', { status: 'complete', context_summary: 'Node 24, no dependencies.' });
    git(this.root, 'add', '--force', this.state('start-lumen.json'));
  }

  async tasks() {
    const storage = { storagePath: path.join(this.root, '.claude/state'), durability: 'lazy' };
    const tasks = createCheckpointManager({ storage });
    for (const [task, steps, done] of TASKS) {
      for (let at = 1; at <= done; at++) {
        this.clock.minutes(4);
        await tasks.save(taskState(task, steps, at, new Date(Date.now()).toISOString()));
      }
    }
  }

  async thread() {
    const first = { id: 'first', step: 0, at: '2026-03-05T09:10:00.000Z' };
    const second = { id: 'second', parent: 'first', step: 1, at: '2026-03-05T09:10:01.000Z' };
    await putThread(this.root, THREAD, [
      checkpoint(first, { messages: ['hello'] }),
      checkpoint(second, { messages: ['hello', 'x'.repeat(100)], turns: 4 }),
      write({ id: 'second', task: 'review' }, 'messages', 'waiting'),
    ]);
  }
}

function taskState(taskId, steps, done, createdAt) {
  return {
    id: `${taskId} at ${done}`,
    taskId,
    agentId: 'writer',
    stepIndex: done,
    totalSteps: steps.length,
    context: { branch: 'main', open: steps.slice(done) },
    completedSteps: steps.slice(0, done).map((name, at) => ({
      stepId: `s${at}`,
      name,
      result: { ok: true },
      durationMs: 1200 * (at + 1),
      completedAt: createdAt,
    })),
    pendingSteps: steps.slice(done).map((_, at) => `s${done + at}`),
    createdAt,
  };
}

const TASKS = [
  ['T017 print styles', ['read', 'write', 'check'], 2],
  ['T018 reduced motion', ['read', 'write'], 1],
];

const PAGE = `import { render } from './render.js';

export function page(markdown) {
  const scheme = 'light';
  return render(markdown, { scheme });
}
`;

const TOKENS = `All colours are custom properties in src/tokens.css.
Each has both values by light-dark(); browsers without it get the light one.
Next: the switch.`;

const SWITCH = `The switch is three buttons in a group, and writes data-theme on the root.
Where storage is refused, the choice lasts as long as the page.
Next: no flash at load.`;

const NO_FLASH = `The attribute is written by the server from a cookie, so that the first paint is right.
Static hosts have no server: there a script of 90 bytes in the head does it.
Open: the policy for scripts of such hosts.`;

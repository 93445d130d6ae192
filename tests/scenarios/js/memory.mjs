// Runs one scenario in memory on the package, as src/run.rs runs it on the crate; pages run it too.

import { bytes, contentOf } from './text.mjs';

/**
 * Gives the outcome of a scenario.
 *
 * @param {object} core the package's functions, and its files in memory
 * @param {string} line the scenario
 * @returns {string} the line that every host prints
 */
export function outcome(core, line) {
  const { name, world: setting, steps } = JSON.parse(line);
  const world = new World(setting, core.MemoryFiles);
  const replies = [];
  for (const step of steps) {
    const reply = take(step, core, world);
    if (reply !== undefined) replies.push(reply);
  }
  return JSON.stringify({ name, replies, files: world.contents() });
}

function take(step, core, world) {
  if ('request' in step) return core.runOperation(step.request, (effect) => world.perform(effect));
  if ('count' in step) return String(core.countTokens(step.count));
  if ('truncate' in step) return core.truncateContextSummary(step.truncate, step.limit);
  if ('validate_summary' in step) {
    const { valid, tokenCount, limit, error = null } = core.validateContextSummary(
      step.validate_summary,
      step.limit,
    );
    return JSON.stringify({ valid, tokenCount, limit, error });
  }
  if ('pass' in step) world.pass(step.pass);
  else for (const thing of step.put) world.put(thing);
  return undefined;
}

const NOT_ON_FILES = ['clock', 'random', 'wait', 'print', 'input'];

/** The package's files in memory, with the clocks, the chance and the faults of a scenario. */
class World {
  #setting;
  #now;
  #state;
  #performed = 0;

  constructor(setting, MemoryFiles) {
    this.#setting = setting;
    this.#now = setting.now_ms;
    this.#state = setting.seed;
    this.files = new MemoryFiles({
      now: () => this.#now,
      random: (empty) => empty.map(() => this.#randomByte()),
    });
    for (const [path, content] of Object.entries(setting.files)) {
      this.files.write(path, bytes(content));
    }
    for (const path of setting.folders) this.files.makeFolder(path);
    for (const path of setting.symlinks) this.files.makeSymlink(path);
  }

  /** Another program writes a file, or removes it. */
  put({ file, holds, gone }) {
    if (gone === undefined) this.files.write(file, bytes(holds));
    else this.files.remove(gone);
  }

  pass(ms) {
    this.#now += ms;
  }

  contents() {
    return Object.fromEntries(this.files.paths().map((path) => [path, contentOf(this.files.read(path))]));
  }

  perform(effect) {
    this.#now += this.#setting.step_ms;
    if (NOT_ON_FILES.includes(effect.effect)) return this.#answer(effect);
    const number = this.#performed++;
    const fault = this.#setting.faults.find(
      ({ at, for_good }) => at === number || (for_good && at < number),
    );
    if (fault === undefined) return this.#answer(effect);
    if (fault.done) this.#answer(effect);
    return failed(fault.fault);
  }

  #answer(effect) {
    if (effect.effect === 'wait') this.#now += effect.ms;
    if (effect.effect === 'print') return { outcome: 'done' };
    if (effect.effect === 'git' && this.#setting.git !== null) {
      return { outcome: 'bytes', bytes: new TextEncoder().encode(this.#setting.git) };
    }
    const outcome = this.files.perform(effect);
    return outcome.outcome === 'failed' ? failed(outcome.fault) : outcome;
  }

  /** The lowest byte of the next state of xorshift32. */
  #randomByte() {
    let state = this.#state;
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    this.#state = state;
    return state & 0xff;
  }
}

function failed(fault) {
  return { outcome: 'failed', fault, detail: 'as the scenario has it' };
}

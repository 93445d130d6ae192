// Task checkpoints in memory. What a save makes of a task, and which ones are old, the core says; here it is only kept.

import { membersOf } from '../../wasm/wire.js';
import { decide } from '../operation.js';

/** @typedef {import('./manager.js').Storage} Storage */
/** @typedef {{changes: number, ids: string[], bytes: number[]}} Task */

/** @type {Task} */
const NEW = { changes: 0, ids: [], bytes: [] };

/** The number of tasks in a page. */
const PAGE = 100;

/** @implements {Storage} */
export class TasksInMemory {
  /** @type {Map<string, Task>} */
  #tasks = new Map();
  /** @type {Map<string, {task: string, text: string, savedAt: number}>} each as JSON text */
  #checkpoints = new Map();
  /** No change has a greater number: a task that begins again has none of those before it. */
  #changes = 0;
  #bytes = 0;
  #options;
  #onWarning;

  /**
   * @param {string} options of a save, as members of JSON text
   * @param {(warning: import('../../../types/index.js').Warning) => void} onWarning
   */
  constructor(options, onWarning) {
    this.#options = options;
    this.#onWarning = onWarning;
  }

  /** @type {Storage['save']} */
  save(text, state, expected) {
    const { id, taskId } = state;
    const { changes, ids, bytes } = this.#tasks.get(taskId) ?? { ...NEW, changes: this.#changes };
    const owner = this.#checkpoints.get(id)?.task;
    const kept = membersOf({ ids, bytes, changes, other_bytes: this.#bytes - sum(bytes), owner });
    const saved = decide('plan_task_save', `${kept}${expected}${this.#options}`, text, this.#onWarning);
    this.#apply(saved, text);
    return saved;
  }

  /**
   * @param {any} saved as the core answers
   * @param {string} text
   */
  #apply({ id, task_id: taskId, revision, bytes, evicted }, text) {
    const task = this.#tasks.get(taskId) ?? { changes: 0, ids: [], bytes: [] };
    for (const gone of evicted) this.#remove(task, gone);
    const at = task.ids.indexOf(id);
    if (at < 0) {
      task.ids.push(id);
      task.bytes.push(bytes);
    } else {
      this.#bytes -= task.bytes[at] ?? 0;
      task.bytes[at] = bytes;
    }
    this.#bytes += bytes;
    this.#changed(task, revision);
    this.#tasks.set(taskId, task);
    this.#checkpoints.set(id, { task: taskId, text, savedAt: Date.now() });
  }

  /**
   * @param {Task} task
   * @param {number} revision
   */
  #changed(task, revision) {
    task.changes = revision;
    this.#changes = Math.max(this.#changes, revision);
  }

  /**
   * @param {Task} task
   * @param {string} id
   */
  #remove(task, id) {
    const at = task.ids.indexOf(id);
    task.ids.splice(at, 1);
    const [bytes = 0] = task.bytes.splice(at, 1);
    this.#bytes -= bytes;
    this.#checkpoints.delete(id);
  }

  /** @type {Storage['latest']} */
  latest(taskId) {
    const id = this.#tasks.get(taskId)?.ids.at(-1);
    return id === undefined ? null : this.byId(id);
  }

  /** @type {Storage['byId']} */
  byId(id) {
    const found = this.#checkpoints.get(id);
    if (found === undefined) return null;
    const state = JSON.parse(found.text);
    const revision = this.#tasks.get(found.task)?.changes ?? 0;
    return { state, remainingSteps: [...state.pendingSteps], revision };
  }

  /** @type {Storage['list']} */
  list(taskId) {
    const ids = this.#tasks.get(taskId)?.ids ?? [];
    return ids.map((id) => JSON.parse(this.#checkpoints.get(id)?.text ?? 'null'));
  }

  /** @type {Storage['page']} */
  page(after) {
    const all = [...this.#tasks.keys()].sort();
    const first = after === null ? 0 : all.findIndex((task) => task > after);
    const rest = first < 0 ? [] : all.slice(first);
    const tasks = rest.slice(0, PAGE).map((task) => this.#overview(task));
    return { tasks, next: rest.length > PAGE ? (tasks.at(-1)?.taskId ?? null) : null };
  }

  /** @param {string} taskId */
  #overview(taskId) {
    const { changes, ids, bytes } = this.#tasks.get(taskId) ?? NEW;
    const latest = ids.at(-1) ?? '';
    const savedAt = this.#checkpoints.get(latest)?.savedAt ?? 0;
    return {
      taskId,
      revision: changes,
      checkpoints: ids.length,
      bytes: sum(bytes),
      latest,
      savedAt: new Date(savedAt).toISOString(),
    };
  }

  /** @type {Storage['delete']} */
  delete(id) {
    const taskId = this.#checkpoints.get(id)?.task;
    const task = taskId === undefined ? undefined : this.#tasks.get(taskId);
    if (taskId === undefined || task === undefined) return false;
    this.#remove(task, id);
    this.#changed(task, task.changes + 1);
    if (task.ids.length === 0) this.#tasks.delete(taskId);
    return true;
  }

  /** @type {Storage['cleanUp']} */
  cleanUp() {
    return { parts: [], marks: [], folders: [] };
  }

  /** @type {Storage['prune']} */
  prune(days, dryRun) {
    const all = [...this.#tasks];
    const saved = all.map(([, { ids }]) => this.#latestSave(ids));
    const plan = decide('plan_task_prune', membersOf({ days, now_ms: Date.now(), saved_ms: saved }));
    const places = new Set(plan.old);
    const old = all.filter((_, place) => places.has(place));
    const checkpoints = sum(old.map(([, { ids }]) => ids.length));
    const tasks = old.map(([task]) => task);
    if (!dryRun) for (const task of tasks) this.deleteAll(task);
    return { tasks, checkpoints };
  }

  /** @param {string[]} ids */
  #latestSave(ids) {
    return ids.reduce((latest, id) => Math.max(latest, this.#checkpoints.get(id)?.savedAt ?? 0), 0);
  }

  /** @type {Storage['deleteAll']} */
  deleteAll(taskId) {
    const task = this.#tasks.get(taskId);
    const ids = [...(task?.ids ?? [])];
    for (const id of ids) this.delete(id);
    return ids.length;
  }
}

/** @param {number[]} numbers */
function sum(numbers) {
  let all = 0;
  for (const number of numbers) all += number;
  return all;
}

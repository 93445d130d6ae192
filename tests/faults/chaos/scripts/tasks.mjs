// Saves, restores and removes task checkpoints with the installed package, on Node and on Deno: `tasks.mjs ROOT`.
// A request is a JSON array: an operation and its arguments. What is in a checkpoint follows from its names and
// its version, so that an answer only says whether all of it is there: one line of any length is written wholly.

import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { createCheckpointManager } from 'milepost/tasks';
import { answerEach } from './conversation.mjs';

/** As the driver has it. */
const KEPT = 4;

/** Of so many versions, one is large. */
const VERSIONS_PER_LARGE_ONE = 9;
const LARGE = 20_000;

const [root] = process.argv.slice(2);
const manager = createCheckpointManager({ maxPerTask: KEPT, storage: { storagePath: join(root, 'state') } });

await answerEach(async (line) => {
  const [verb, request] = JSON.parse(line);
  return { value: await perform(verb, request) };
});

/** Performs a verb. Its answer does not change, other than its warnings. */
async function perform(verb, request) {
  const value = await performed(verb, request);
  const [warning] = manager.warnings;
  if (warning !== undefined) throw warning;
  return value;
}

async function performed(verb, { task, id, version, expected, ahead }) {
  switch (verb) {
    case 'clock':
      return setAhead(ahead);
    case 'save':
      return manager.save(state(task, id, version), { expectedRevision: expected });
    case 'follow':
      return follow(task, id);
    case 'restore':
      return restored(await manager.restore(task));
    case 'restoreById':
      return restored(await manager.restoreById(id));
    case 'list':
      return (await manager.list(task)).map(shown);
    case 'delete':
      return manager.delete(id);
    case 'deleteAll':
      return manager.deleteAll(task);
    case 'cleanUp':
      return manager.cleanUp();
    case 'tasks':
      return overviews();
    default:
      throw new Error(`unknown operation ${verb}`);
  }
}

/** Saves the version that comes after the latest one, if no other has done so by then. */
async function follow(task, id) {
  const { checkpoint, revision = 0 } = await manager.restore(task);
  const version = (checkpoint?.stepIndex ?? 0) + 1;
  const saved = await manager.save(state(task, id, version), { expectedRevision: revision });
  return { ...saved, version };
}

/** A clock that is so many milliseconds ahead takes everybody at work for dead: dates of files cannot be set so. */
function setAhead(ahead) {
  const { now } = Date;
  Date.now = () => now() + ahead;
  return ahead;
}

async function overviews() {
  const found = [];
  for await (const { taskId } of manager.tasks()) found.push(taskId);
  return found;
}

function restored({ success, checkpoint, revision, remainingSteps }) {
  if (!success) return { success };
  if (!isDeepStrictEqual(remainingSteps, checkpoint.pendingSteps)) throw new Error('other steps remain');
  return { success, revision, ...shown(checkpoint) };
}

function shown(found) {
  const { id, taskId: task, stepIndex: version } = found;
  return { id, task, version, whole: isDeepStrictEqual(found, state(task, id, version)) };
}

function state(taskId, id, version) {
  const words = version % VERSIONS_PER_LARGE_ONE === 0 ? LARGE : 1 + (version % 50);
  return {
    id,
    taskId,
    agentId: 'chaos',
    stepIndex: version,
    totalSteps: Number.MAX_SAFE_INTEGER,
    context: { text: `${id} ${version} `.repeat(words) },
    completedSteps: [],
    pendingSteps: [`after ${version}`],
    createdAt: '2026-01-01T00:00:00.000Z',
  };
}

// Calls of the task checkpoints in the folder `state` of the working folder, or in memory, as JSON.
//
//   tasks.mjs files|memory '[["save", STATE], ["restore", "task-1"], …]'

import process from 'node:process';
import { createCheckpointManager } from 'milepost/tasks';

const [, , place, calls] = process.argv;
const storage = place === 'files' ? { storagePath: 'state' } : {};
const manager = createCheckpointManager({ storage });
const answers = [];
for (const [method, ...given] of JSON.parse(calls)) {
  const answer = await manager[method](...given).catch(({ code }) => code);
  answers.push(answer ?? null);
}
console.log(JSON.stringify(answers));

// One call of the snapshots of the working folder, as JSON.
//
//   sessions.mjs create|verify|restore [ID]

import process from 'node:process';
import { openSnapshots } from 'milepost/snapshots';

const [, , call, id] = process.argv;
const sessions = openSnapshots({ root: process.cwd() });
const calls = {
  create: () => sessions.create({ reason: 'handoff' }),
  verify: () => sessions.verify({ id }),
  restore: () => sessions.restore({ id, files: true }),
};
const answer = calls[call]();
console.log(JSON.stringify({ answer, warnings: sessions.warnings.map(({ message }) => message) }));

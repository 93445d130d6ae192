// A thread in files whose journal was damaged: what a saver says of it, and what it brings back.

import * as fs from 'node:fs';
import * as path from 'node:path';

import { emptyCheckpoint, uuid6 } from '@langchain/langgraph-checkpoint';
import { MilepostSaver } from 'milepost/langgraph';
import { expect, it } from 'vitest';

import { folder } from './savers.mjs';

const THREAD = 'a thread';

/** A saver with so many checkpoints, each following from the one before. */
async function written(options, count) {
  const saver = new MilepostSaver(options);
  let config = { configurable: { thread_id: THREAD, checkpoint_ns: '' } };
  for (let step = 0; step < count; step += 1) {
    const checkpoint = { ...emptyCheckpoint(), id: uuid6(step), channel_values: { step }, channel_versions: { step: 1 } };
    config = await saver.put(config, checkpoint, { source: 'loop', step, parents: {} }, { step: 1 });
  }
  return saver;
}

/** The steps of the checkpoints, the newest first. */
async function steps(saver) {
  const found = [];
  for await (const { metadata } of saver.list({ configurable: { thread_id: THREAD } })) found.push(metadata.step);
  return found;
}

/** Leaves the first line of the journal. */
function cutOff(storagePath) {
  const threads = path.join(storagePath, 'threads');
  const [thread] = fs.readdirSync(threads).filter((name) => /^[0-9a-f]{32}$/.test(name));
  const [journal] = fs.readdirSync(path.join(threads, thread)).filter((name) => name.startsWith('00-'));
  const file = path.join(threads, thread, journal);
  fs.truncateSync(file, fs.readFileSync(file).indexOf('\n', 1));
}

it('refuses a thread that lost durable changes, and brings back what is left', async () => {
  const storagePath = folder();
  const saver = await written({ storagePath }, 10);
  await expect(saver.recoverThread(THREAD)).rejects.toMatchObject({ code: 'not_found' });
  cutOff(storagePath);
  const says = /`recoverThread\("a thread"\)` brings back what can be read/;
  await expect(steps(saver)).rejects.toMatchObject({ code: 'corrupt', message: expect.stringMatching(says) });
  const recovered = await saver.recoverThread(THREAD);
  expect(recovered).toMatchObject({ checkpoints: 2, kept: 1, lost: 8, dropped: 0, lostParts: 0 });
  expect(recovered.quarantined).toHaveLength(1);
  expect(await steps(saver)).toEqual([1, 0]);
  fs.rmSync(storagePath, { recursive: true });
});

it('goes on with a thread that lost changes which did not wait for the disk, and says so', async () => {
  const storagePath = folder();
  const warnings = [];
  const onWarning = ({ code }) => warnings.push(code);
  const saver = await written({ storagePath, durability: 'lazy', onWarning }, 10);
  expect(warnings).toEqual([]);
  cutOff(storagePath);
  expect(await steps(saver)).toEqual([1, 0]);
  expect(warnings).toContain('lost_changes');
  fs.rmSync(storagePath, { recursive: true });
});

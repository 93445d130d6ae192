import { createRequire } from 'node:module';
import test from 'node:test';
import { STORIES } from './stories.cjs';

const required = createRequire(import.meta.url);
const imported = (name) => import(name);

for (const [entry, story] of Object.entries(STORIES)) {
  test(entry, () => story(required(entry), required));
  test(`${entry} as a module`, async () => story(await imported(entry), imported));
}

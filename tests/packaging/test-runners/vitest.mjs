import { test } from 'vitest';
import { STORIES } from './stories.cjs';

const load = (name) => import(name);

for (const [entry, story] of Object.entries(STORIES)) test(entry, async () => story(await load(entry), load));

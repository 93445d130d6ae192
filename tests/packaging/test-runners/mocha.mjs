import { STORIES } from './stories.cjs';

const load = (name) => import(name);

for (const [entry, story] of Object.entries(STORIES)) it(`${entry} as a module`, async () => story(await load(entry), load));

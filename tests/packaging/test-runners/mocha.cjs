const { STORIES } = require('./stories.cjs');

const load = (name) => require(name);

for (const [entry, story] of Object.entries(STORIES)) it(entry, () => story(load(entry), load));

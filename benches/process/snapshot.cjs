'use strict';

// One snapshot of the folder that it runs in, and the most memory that the process ever had.

const { openSnapshots } = require('milepost/snapshots');

const { files } = openSnapshots({ root: process.cwd(), durability: 'lazy' }).create({ reason: 'handoff' });
// In KB, as getrusage(2) has it.
console.log(JSON.stringify({ files, rss: process.resourceUsage().maxRSS * 1024 }));

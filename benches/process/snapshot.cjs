'use strict';

// One snapshot of the folder that it runs in, and the most memory that the process ever had.

const { openSessions } = require('milepost/sessions');

const { files } = openSessions({ root: process.cwd(), durability: 'lazy' }).create({ reason: 'handoff' });
// In KB, as getrusage(2) has it.
console.log(JSON.stringify({ files, rss: process.resourceUsage().maxRSS * 1024 }));

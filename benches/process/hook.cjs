'use strict';

// One whole hook process: record a phase, read the resume point back, end.

const { updatePhase, getResumePoint } = require(process.argv[2]);

const patch = {
  status: 'in_progress',
  context_summary: `recorded at ${Date.now()} by process ${process.pid}`,
  files_modified: ['src/lib.rs'],
};
const updated = updatePhase('implement', 'implementation', patch);
const { phase } = getResumePoint('implement');
if (!updated || phase !== 'implementation') process.exitCode = 1;

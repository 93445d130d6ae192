// The second hook process: it knows nothing but what `.claude/state/` says.

const fs = require('node:fs');
const path = require('node:path');
const {
  completeCheckpoint,
  getResumePoint,
  loadCheckpoint,
  updatePhase,
} = require('milepost/checkpoint-manager');

const { phase, summary } = getResumePoint('implement');
console.log(`resumes at: ${phase}`);
console.log(`knows:      ${summary}`);

// The last save may have been committed without its caller hearing of it; never the reverse.
const acknowledged = Number(fs.readFileSync(path.join(__dirname, 'acknowledged'), 'utf8'));
const { round } = loadCheckpoint('implement').phases.checker;
console.log(`saves acknowledged to the dead process: ${acknowledged}; found: ${round}`);
if (phase !== 'checker' || round < acknowledged) process.exit(1);

updatePhase('implement', 'checker', {
  status: 'complete',
  context_summary: 'The checker is done. Everything that was planned is built and tested.',
});
if (!completeCheckpoint('implement')) process.exit(1);
console.log('implement: complete');

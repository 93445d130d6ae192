// One whole hook process as a module: record a phase, read the resume point back, end.

import { getResumePoint, updatePhase } from 'milepost';

const updated = updatePhase('implement', 'implementation', {
  status: 'in_progress',
  context_summary: `recorded at ${Date.now()}`,
  files_modified: ['src/lib.rs'],
});
const { phase } = getResumePoint('implement');
if (!updated || phase !== 'implementation') throw new Error(`the phase is ${phase}`);

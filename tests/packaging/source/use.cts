// The way in which TypeScript writes CommonJS.

import fs = require('node:fs');
import milepost = require('milepost');

const store: milepost.Store = milepost.openStore({ root: fs.mkdtempSync('repository-') });
store.updatePhase('design', 'plan', { status: 'in_progress' });
const point: milepost.ResumePoint = store.resumePoint('design');
if (point.phase !== 'plan') throw new Error('the phase in progress is not resumed');

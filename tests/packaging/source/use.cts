// The way in which TypeScript writes CommonJS.

import fs = require('node:fs');
import milepost = require('milepost');
import exact = require('milepost/exact-tokens');

const store: milepost.Store = milepost.openStore({ root: fs.mkdtempSync('repository-') });
store.updatePhase('design', 'plan', { status: 'in_progress' });
const point: milepost.ResumePoint = store.resumePoint('design');
if (point.phase !== 'plan') throw new Error('the phase in progress is not resumed');

const tokens: number = exact.countTokens('tiktoken is great!', 'o200k');
if (tokens !== 6) throw new Error('six tokens are not six');

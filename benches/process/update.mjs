// The shortest process that does something: one phase is recorded.

import { openStore } from 'milepost';

openStore().updatePhase('implement', 'implementation', { status: 'in_progress' });

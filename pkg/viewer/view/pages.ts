// The views that are loaded after the list.

import { Blame } from './blame';
import { Compare } from './compare';
import { Doctor } from './doctor';
import { Revision } from './revision';
import { Sessions } from './sessions';
import { Tasks } from './tasks';
import { Threads } from './threads';
import { Timeline } from './timeline';

export const PAGES = {
  blame: Blame,
  compare: Compare,
  doctor: Doctor,
  revision: Revision,
  sessions: Sessions,
  tasks: Tasks,
  threads: Threads,
  timeline: Timeline,
};

// The tasks in Chromium.

import { walk } from '../walk.mjs';
import { person } from './ground.mjs';

walk(person);

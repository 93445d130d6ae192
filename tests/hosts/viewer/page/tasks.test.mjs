// The tasks in Chromium.

import { walk } from '../walk.mjs';
import { person } from './fixture.mjs';

walk(person);

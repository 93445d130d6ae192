// The tasks in Firefox.

import * as firefox from '../drive/firefox.mjs';
import { walk } from '../walk.mjs';

walk(firefox);

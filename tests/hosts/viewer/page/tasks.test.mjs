// The tasks in Chromium.

import * as chromium from '../drive/chromium.mjs';
import { walk } from '../walk.mjs';

walk(chromium);

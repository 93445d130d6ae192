// Read, change, write over the same file.

import * as fs from 'node:fs';
import { textOf } from './file.mjs';

export function change(file, next) {
  fs.writeFileSync(file, next(textOf(file)));
}

// Read, change, write a temporary file, rename it over the other.

import { replace, textOf } from './file.mjs';

export function change(file, next) {
  replace(file, next(textOf(file)));
}

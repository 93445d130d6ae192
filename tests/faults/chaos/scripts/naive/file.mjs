// The files of the naive ways.

import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs';

/** Empty where the file is missing. */
export function textOf(file) {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return '';
    throw error;
  }
}

/** A synced temporary file, renamed over the other: what is read is whole. */
export function replace(file, text) {
  const temporary = `${file}.${randomUUID()}`;
  fs.writeFileSync(temporary, text, { flush: true });
  fs.renameSync(temporary, file);
}

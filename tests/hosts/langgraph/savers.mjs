// The savers that the tests look at: one for each place that threads can be in.

import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';

import { MilepostSaver } from 'milepost/langgraph';

/** A folder that is there for one test. */
export function folder() {
  return fs.mkdtempSync(path.join(os.tmpdir(), 'milepost-langgraph-'));
}

/** What makes and unmakes savers, by the name of their place. */
export const PLACES = {
  memory: {
    create: () => new MilepostSaver(),
    destroy: () => {},
  },
  files: {
    create() {
      const storagePath = folder();
      return Object.assign(new MilepostSaver({ storagePath, durability: 'lazy' }), { storagePath });
    },
    destroy: (saver) => fs.rmSync(saver.storagePath, { recursive: true }),
  },
};

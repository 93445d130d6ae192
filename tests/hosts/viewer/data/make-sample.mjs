// Makes the sample project in a folder: node make-sample.mjs FOLDER

import { makeSample } from './sample.mjs';

await makeSample(process.argv[2]);

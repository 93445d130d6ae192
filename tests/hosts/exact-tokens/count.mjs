// Counts the texts of a file in both encodings, on any host: JSON text, one a line, in, and all counts as JSON text out.

import * as fs from 'node:fs';
import * as process from 'node:process';
import { ENCODINGS, countTokens } from 'milepost/exact-tokens';

const texts = fs.readFileSync(process.argv[2], 'utf8').trimEnd().split('\n');
const counts = texts.map((line) => ENCODINGS.map((encoding) => countTokens(JSON.parse(line), encoding)));
console.log(JSON.stringify(counts));

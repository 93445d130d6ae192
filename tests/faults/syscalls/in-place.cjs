// A write that the store never makes: `in-place.cjs ROOT NEXT` writes the next document over the old one.

const fs = require('node:fs');
const path = require('node:path');

const document = path.join(process.argv[2], '.claude/state/design-checkpoint.json');
const next = fs.readFileSync(process.argv[3], 'utf8');
fs.existsSync('/milepost-begins');
let answer;
try {
  fs.writeFileSync(document, next);
  answer = { revision: JSON.parse(next).revision };
} catch ({ message }) {
  answer = { error: { code: 'io', message } };
}
console.log(JSON.stringify(answer));

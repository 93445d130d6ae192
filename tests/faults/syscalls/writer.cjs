// One update in a process of its own: `writer.cjs ROOT`. It answers with one line of JSON.

const fs = require('node:fs');
const { openStore } = require('milepost');

const store = openStore({ root: process.argv[2] });
// Seen in the trace: what comes before is Node's own.
fs.existsSync('/milepost-begins');
let answer;
try {
  answer = { revision: store.updatePhase('design', 'during', {}).revision };
} catch ({ code, message }) {
  answer = { error: { code, message } };
}
console.log(JSON.stringify(answer));

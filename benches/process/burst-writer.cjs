// One of many writers: for each line on standard input one update of the checkpoint that all share,
// and then the moment of its acknowledgement on the clock that all processes have.
//
//   node burst-writer.cjs NUMBER

const readline = require('node:readline');
const { openStore } = require('milepost');

const number = process.argv[2];
const store = openStore({ root: '.' });
// The work that a process does once (to compile the wasm, to make folders) is done before the release.
store.updatePhase('design', `warm-up-${number}`, { status: 'pending' }, `feature-${number}`);
readline.createInterface({ input: process.stdin }).on('line', (round) => {
  const patch = { status: 'complete', context_summary: `round ${round}` };
  store.updatePhase('implement', `writer-${number}`, patch);
  console.log(String(process.hrtime.bigint()));
});
console.log('ready');

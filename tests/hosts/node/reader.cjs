// One of the readers beside writers: loads the checkpoint again and again, from `go` to `stop`. What
// it sees has to be whole: a revision that is no older than the last one, and of each writer all
// updates up to its newest.

const { openStore } = require('milepost');

const store = openStore({ root: process.env.GIT_ROOT });
let reads = 0;
let last = 0;

function read() {
  const checkpoint = store.load('implement');
  if (checkpoint === null) return;
  const { revision, phases } = checkpoint;
  if (revision < last) throw new Error(`violated: revision ${revision} after ${last}`);
  let updates = 0;
  for (const { updates: own } of Object.values(phases)) {
    const names = Object.keys(own);
    const whole = names.every((name, at) => name === `u${at}`);
    if (!whole) throw new Error(`violated: revision ${revision} is torn: ${names}`);
    updates += names.length;
  }
  if (updates !== revision) throw new Error(`violated: revision ${revision} holds ${updates} updates`);
  last = revision;
  reads++;
}

let isOver = false;
process.on('message', (word) => {
  if (word === 'stop') {
    read();
    isOver = true;
    process.send({ reads, last });
    process.disconnect();
    return;
  }
  const again = () => {
    if (isOver) return;
    read();
    setImmediate(again);
  };
  again();
});
process.send('ready');

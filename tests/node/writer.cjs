// One of many writers: `writer.cjs NUMBER UPDATES`. Each update adds a field to its own phase. On a
// disk so slow that the others hold the checkpoint for 5 s, `busy` asks to try again.

const { lastError, updatePhase } = require('milepost');

const [number, updates] = process.argv.slice(2).map(Number);

process.once('message', () => {
  const done = {};
  let acknowledged = 0;
  let busy = 0;
  for (let update = 0; update < updates; update++) {
    done[`u${update}`] = true;
    while (!updatePhase('implement', `writer ${number}`, { updates: done })) {
      if (lastError().code !== 'busy') throw lastError();
      busy++;
    }
    acknowledged++;
  }
  process.send({ acknowledged, busy });
  process.disconnect();
});
process.send('ready');

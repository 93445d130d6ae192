// One of many writers: `writer.cjs NUMBER UPDATES`. Each update adds a field to its own phase.

const { lastError, updatePhase } = require('milepost');

const [number, updates] = process.argv.slice(2).map(Number);

process.once('message', () => {
  const done = {};
  let acknowledged = 0;
  for (let update = 0; update < updates; update++) {
    done[`u${update}`] = true;
    if (!updatePhase('implement', `writer ${number}`, { updates: done })) throw lastError();
    acknowledged++;
  }
  process.send({ acknowledged });
  process.disconnect();
});
process.send('ready');

// One of many writers: `writer.cjs NUMBER UPDATES`. Each update adds a field to its own phase.

const { lastError, updatePhase } = require('milepost');

const [number, updates] = process.argv.slice(2).map(Number);

process.once('message', () => {
  const errors = [];
  const done = {};
  let acknowledged = 0;
  for (let update = 0; update < updates; update++) {
    done[`u${update}`] = true;
    if (updatePhase('implement', `writer ${number}`, { updates: done })) acknowledged++;
    else errors.push(lastError().message);
  }
  process.send({ acknowledged, errors });
  process.disconnect();
});
process.send('ready');

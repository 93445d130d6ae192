// One of many writers: `writer.cjs NUMBER UPDATES`. Each update adds a field to its own phase. Where
// others were in the way for as long as an update waits, it was refused as `busy`, nothing was
// written, and it is retried.

const { lastError, updatePhase } = require('milepost');

/** No machine is so slow that an update is refused more often in a row. */
const MOST_TRIES = 20;

const [number, updates] = process.argv.slice(2).map(Number);

process.once('message', () => {
  const done = {};
  let refused = 0;
  const update = (tries) => {
    if (updatePhase('implement', `writer ${number}`, { updates: done })) return;
    if (lastError().code !== 'busy' || tries === 1) throw lastError();
    refused++;
    update(tries - 1);
  };
  for (let at = 0; at < updates; at++) {
    done[`u${at}`] = true;
    update(MOST_TRIES);
  }
  process.send({ acknowledged: updates, refused });
  process.disconnect();
});
process.send('ready');

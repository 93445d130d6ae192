// One of several processes that add to a transcript; every entry is acknowledged, or it fails.

import { MilepostSessionStore } from 'milepost/session-store';

const [where, writer, appends] = process.argv.slice(2);
const { database, ...inFiles } = JSON.parse(where);
const postgres = database && (await import('milepost/postgres')).postgresHost(database);
const store = new MilepostSessionStore(postgres ? { postgres } : inFiles);
for (let n = 0; n < Number(appends); n += 1) {
  const entries = [{ type: 'user', uuid: `${writer}-${n}`, writer: Number(writer), n, text: 'x'.repeat(200) }];
  for (let tries = 1; ; tries += 1) {
    try {
      await store.append({ projectKey: 'project', sessionId: 'session' }, entries);
      break;
    } catch (error) {
      // The SDK tries again as well; what was stored nevertheless is known by its `uuid`.
      if (error.code !== 'busy' || tries === 20) throw error;
    }
  }
}
await postgres?.close();

// Task checkpoints: of each task, the snapshots of its execution that are kept. With a key in the address, that one.

import { counted } from '../part/count';
import { SearchList, useSearch } from '../part/search-list';
import { Timestamp } from '../part/time';
import { href } from '../state/address';
import { pickOf, pickQuery } from '../state/picks';
import type { Key, TaskRow } from '../work/protocol';
import { Revision } from './revision';

function Page({ of }: { of: Key | null }) {
  return of === null ? <List /> : <Revision of={of} />;
}

function List() {
  const list = useSearch<'tasks'>((part) => ({ query: 'tasks', ...part }));
  return (
    <SearchList
      {...list}
      noun="task"
      title="Tasks"
      height={(row) => 48 + 32 * (row?.checkpoints.length ?? 1)}
      row={(row) => <Row row={row} />}
      none={
        <section class="notice">
          <h2>No task checkpoints</h2>
          <p>Agents that save their execution step by step leave the last ones here.</p>
        </section>
      }
    />
  );
}

function Row({ row: { task, problem, checkpoints } }: { row: TaskRow }) {
  return (
    <div class="task">
      <h2>{task}</h2>
      {problem !== null && <p class="error">{problem.message}</p>}
      <ul>
        {checkpoints.map(({ key, id, saved_at: at, step, total_steps: steps, size }) => {
          const side = pickOf({ key, revision: null });
          return (
            <li key={key}>
              <a href={href('tasks', key, pickQuery())} data-key={key}>
                <code>{id}</code>
              </a>
              {step !== null && (
                <span>
                  step {step.toLocaleString()}
                  {steps !== null && ` of ${steps.toLocaleString()}`}{' '}
                  {steps !== null && <meter min={0} max={steps} value={step} aria-label={`Step ${step} of ${steps}`} />}
                </span>
              )}
              <span class="dim small">
                <Timestamp at={at} /> · {counted(size, 'byte')}
              </span>
              {side !== null && <b class="badge">{side.toUpperCase()}</b>}
            </li>
          );
        })}
      </ul>
    </div>
  );
}

export { Page as Tasks };

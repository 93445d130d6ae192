// Threads of LangGraph.js. With a key in the address, that one: its steps, what each changed, which writes are pending.

import { useState } from 'preact/hooks';

import { AnswerPage } from '../part/answer';
import { Kind } from '../part/change';
import { counted } from '../part/count';
import { ListRow } from '../part/list-row';
import { SearchList, useSearch } from '../part/search-list';
import { Timestamp } from '../part/time';
import { href } from '../state/address';
import { pickQuery } from '../state/picks';
import { shape } from '../state/shape';
import type { Key, SizedValue, StepHead, ThreadRow, ThreadStep, ValueChange } from '../work/protocol';

/** So many steps are asked for first, and so many more each time. */
const BLOCK = 50;

function Page({ of }: { of: Key | null }) {
  // An exported page has none, and its list says so.
  return of === null || shape === 'export' ? <List /> : <Thread key={of} of={of} />;
}

function List() {
  const list = useSearch<'threads'>((part) => ({ query: 'threads', ...part }));
  return (
    <SearchList
      {...list}
      noun="thread"
      title="Threads"
      height={() => 60}
      row={(row) => <Row row={row} />}
      none={
        <section class="notice">
          <h2>{shape === 'export' ? 'An exported page has no threads' : 'No threads'}</h2>
          <p>Graphs of LangGraph.js leave their steps here.</p>
        </section>
      }
    />
  );
}

function Row({ row: { key, thread } }: { row: ThreadRow }) {
  const { thread_id: id, latest, pending } = thread;
  return (
    <ListRow
      href={href('threads', key, pickQuery())}
      name={id}
      badges={pending > 0 && <span class="badge">{counted(pending, 'pending write')}</span>}
      at={latest?.at ?? null}
    >
      {latest === null ? 'no step yet' : <About head={latest} />}
    </ListRow>
  );
}

/** The number of a step, what made it, its namespace, and its id. */
function About({ head: { id, step, source, namespace } }: { head: StepHead }) {
  const words = [step === null ? 'step' : `step ${step}`, source, namespace && `in ${namespace}`];
  return (
    <>
      {words.filter((it) => it).join(' · ')} · <code>{id}</code>
    </>
  );
}

function Thread({ of }: { of: Key }) {
  const [count, setCount] = useState(BLOCK);
  return (
    <AnswerPage<'thread'> title="Thread" question={{ query: 'thread', key: of, count }}>
      {({ thread_id: id, steps, more }) => (
        <>
          <h1>{id}</h1>
          <ol class="rows" aria-label="Steps">
            {steps.map((step) => (
              <li key={`${step.namespace} ${step.id}`}>
                <Step step={step} />
              </li>
            ))}
          </ol>
          {more && (
            <button type="button" onClick={() => setCount(count + BLOCK)}>
              Older steps
            </button>
          )}
        </>
      )}
    </AnswerPage>
  );
}

function Step({ step }: { step: ThreadStep }) {
  const { at, changes, writes, pending } = step;
  return (
    <div class="task">
      <h2>
        <About head={step} />
      </h2>
      <p class="dim small">
        <Timestamp at={at} how="whole" />
      </p>
      <ul>
        {changes.map(({ channel, parts, more_parts: more, ...change }) => (
          <li key={channel}>
            <b>{channel}</b> <Values change={change} />
            {parts.length > 0 && (
              <ul>
                {parts.map(({ at: place, ...part }) => (
                  <li key={place}>
                    <code>{place}</code> <Values change={part} />
                  </li>
                ))}
                {more > 0 && <li class="dim">and {more.toLocaleString()} more</li>}
              </ul>
            )}
          </li>
        ))}
        {changes.length === 0 && <li class="dim">no channel changed</li>}
        {pending &&
          writes.map(({ task, channel, value }, index) => (
            <li key={index}>
              <b class="badge">pending</b> <b>{channel}</b> <Value value={value} />{' '}
              <span class="dim small">by task {task}</span>
            </li>
          ))}
      </ul>
    </div>
  );
}

function Values({ change: { kind, before, after } }: { change: ValueChange }) {
  return (
    <>
      <Kind kind={kind} /> {before !== null && <Value value={before} />}
      {before !== null && after !== null && ' → '}
      {after !== null && <Value value={after} />}
    </>
  );
}

function Value({ value: { bytes, text } }: { value: SizedValue }) {
  return text === null ? <span>{counted(bytes, 'byte')}</span> : <code>{text}</code>;
}

export { Page as Threads };

// The page's side of the worker: puts questions, keeps how far the index is and what the source does.

import { signal, type Signal } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';

import { visible } from '../../src/base/visible.js';
import type { Answer, Failure, Name, Query, Warning } from './protocol';
import type { FromWorker, Progress, SourceState, ToWorker } from './messages';
import type { Started } from './start';

/** The progress of the index. `version` grows with what is known. */
export const progress: Signal<Progress> = signal({ version: 0, indexed: 0, total: 0, pending: 0 });

export const source: Signal<SourceState> = signal({
  connection: 'none',
  name: '',
  follows: false,
  canReadAgain: false,
  trouble: null,
});

/** The answer to a question: a value with warnings, or the reason for its absence. */
export interface Reply<V> {
  value?: V;
  warnings: Warning[];
  error?: Failure;
}

let worker: Worker | null = null;
/** Messages from before the worker was there. */
let early: ToWorker[] = [];
let asked = 0;
const waiting = new Map<number, (reply: Reply<unknown>) => void>();

/** Takes the worker, which begins to load the core immediately. */
export async function start(starting: Promise<Started>): Promise<void> {
  try {
    const started = await starting;
    worker = started.worker;
    worker.onmessage = (event: MessageEvent<FromWorker>) => take(event.data);
    void started.stopped.then(failed);
    for (const message of [started.message, ...early]) worker.postMessage(message);
    early = [];
  } catch (error) {
    failed(error instanceof Error ? error.message : String(error));
  }
}

function failed(why: string): void {
  showSource({ ...source.value, connection: 'failed', trouble: `The viewer's worker stopped: ${why}` });
}

export function send(message: ToWorker): void {
  if (worker === null) early.push(message);
  else worker.postMessage(message);
}

function take(message: FromWorker): void {
  switch (message.is) {
    case 'reply': {
      const settle = waiting.get(message.id);
      waiting.delete(message.id);
      settle?.({ value: message.value, warnings: message.warnings ?? [], error: shownFailure(message.error) });
      break;
    }
    case 'progress':
      progress.value = message.progress;
      break;
    case 'source':
      showSource(message.source);
  }
}

/** A folder's name and the words of an exception are not the core's, which makes all that it answers visible. */
function showSource(state: SourceState): void {
  const { name, trouble } = state;
  source.value = { ...state, name: visible(name), trouble: trouble === null ? null : visible(trouble) };
}

function shownFailure(error: Failure | undefined): Failure | undefined {
  return error && { ...error, message: visible(error.message) };
}

/** A question on its way. */
export interface PendingQuery<V> {
  reply: Promise<Reply<V>>;
  /** The answer is not needed any more. */
  cancel(): void;
}

/** Puts one question. */
export function query<A extends Query>(question: A): PendingQuery<Answer<A>> {
  const id = ++asked;
  const reply = new Promise<Reply<unknown>>((settle) => waiting.set(id, settle));
  send({ do: 'query', id, query: question });
  return {
    reply: reply as Promise<Reply<Answer<A>>>,
    cancel() {
      if (waiting.delete(id)) send({ do: 'cancel', id });
    },
  };
}

/** The state of a view's question: the last answer, and whether a newer one is on its way. */
export interface QueryState<V, A = Query> {
  value: V | undefined;
  /** The question that the value answers. */
  question: A | undefined;
  warnings: Warning[];
  error: Failure | undefined;
  /** A new answer is on its way. */
  pending: boolean;
  /** The value answers another question than the present one: it is shown until the answer comes. */
  overtaken: boolean;
}

/**
 * The answer to a question, which is put again when what is known grows. A question that has been overtaken by another
 * one is cancelled; while the same one is on its way it is not put twice, so that many changes a second are
 * followed as often as can be answered.
 *
 * @param question `null` puts none
 */
export function useQuery<N extends Name>(question: Query<N> | null): QueryState<Answer<Query<N>>, Query<N>> {
  type V = Answer<Query<N>>;
  const text = question === null ? null : JSON.stringify(question);
  const version = progress.value.version;
  const [asked, setAsked] = useState<{ text: string | null; version: number; question?: Query<N>; reply: Reply<V> }>({
    text: null,
    version,
    reply: { warnings: [] },
  });
  const running = useRef<{ text: string; version: number; pendingQuery: PendingQuery<V> } | null>(null);
  const wanted = useRef({ text, version });
  wanted.current = { text, version };

  useEffect(() => {
    const put = (): void => {
      const { text, version } = wanted.current;
      if (text === null) return;
      const question = JSON.parse(text) as Query<N>;
      const pendingQuery = query(question as Query) as PendingQuery<V>;
      const mine = { text, version, pendingQuery };
      running.current = mine;
      void pendingQuery.reply.then((reply) => {
        if (running.current !== mine) return;
        running.current = null;
        setAsked({ text, version, question, reply });
        if (wanted.current.text === text && wanted.current.version !== version) put();
      });
    };
    if (running.current !== null) {
      if (running.current.text === text) return;
      running.current.pendingQuery.cancel();
      running.current = null;
    }
    put();
  }, [text, version]);

  useEffect(
    () => () => {
      running.current?.pendingQuery.cancel();
      running.current = null;
    },
    [],
  );

  const { reply } = asked;
  // The effect that queries comes after what is drawn: until then, nothing runs.
  const isPresent = asked.text === text && (text === null || asked.version === version);
  return {
    value: text === null ? undefined : reply.value,
    question: asked.question,
    warnings: reply.warnings,
    error: reply.error,
    pending: running.current !== null || !isPresent,
    overtaken: asked.text !== text,
  };
}

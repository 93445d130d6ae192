// The frame of an answer in every view: that it is on its way, why it is absent, and its warnings.

import type { ComponentChildren } from 'preact';
import { useLayoutEffect } from 'preact/hooks';

import { useScrollPosition } from '../state/scroll';
import type { Answer, Name, Query } from '../work/protocol';
import { useQuery, type QueryState } from '../work/client';

interface Props<V> {
  asked: Omit<QueryState<V>, 'question'>;
  /** The page's heading as long as there is no value to take it from. */
  title?: string;
  children: (value: V) => ComponentChildren;
}

/** Shows the value of a question, or the reason for its absence. A value that is overtaken stays until the next one. */
export function Answered<V>({ asked, title, children }: Props<V>) {
  const { value, error, warnings, pending, overtaken } = asked;
  if (error !== undefined) {
    return (
      <>
        {title && <h1>{title}</h1>}
        <Bad>{error.message}</Bad>
      </>
    );
  }
  if (value === undefined) return pending ? <p class="waiting dim">Reading …</p> : null;
  return (
    <div class="answer" aria-busy={overtaken}>
      {warnings.map(({ code, message }) => (
        <p key={code + message} class="warning">
          {message}
        </p>
      ))}
      {children(value)}
    </div>
  );
}

/** The error. */
export function Bad({ children }: { children: ComponentChildren }) {
  return (
    <p class="warning" data-kind="bad" role="alert">
      {children}
    </p>
  );
}

/** The element that the pages scroll in. */
const main = {
  get current(): HTMLElement | null {
    return document.getElementById('main');
  },
};

/** A page begins at its top, and "back" finds its last place once its answer is there. */
export function usePlace({ value }: { value: unknown }): void {
  useLayoutEffect(() => {
    main.current?.scrollTo(0, 0);
  }, []);
  useScrollPosition(main, 'place', value !== undefined);
}

interface PageProps<N extends Name> {
  title: string;
  /** `null` where the address names no checkpoint. */
  question: Query<N> | null;
  children: (value: Answer<Query<N>>) => ComponentChildren;
}

/** A page that shows one answer. */
export function AnswerPage<N extends Name>({ title, question, children }: PageProps<N>) {
  const asked = useQuery<N>(question);
  usePlace(asked);
  return (
    <div class="page">
      {question === null ? (
        <p class="dim">Choose a run in the list first.</p>
      ) : (
        <Answered asked={asked} title={title}>
          {children}
        </Answered>
      )}
    </div>
  );
}

// A question that only a process on the machine answers, and that takes its time: it is put once, and again on demand.

import { useEffect, useState } from 'preact/hooks';
import type { ComponentChildren } from 'preact';

import type { Answer, Examination, Query } from '../work/protocol';
import { query, type PendingQuery, type QueryState, type Reply } from '../work/client';
import { CommandLine } from './command';

type Name = Examination['query'];

/** The state of an examination, and what puts it again. */
export function useExamination<N extends Name>(question: Query<N>): {
  asked: Omit<QueryState<Answer<Query<N>>>, 'question'>;
  again: () => void;
} {
  const [reply, setReply] = useState<Reply<Answer<Query<N>>> | null>(null);
  const again = (): (() => void) => {
    setReply(null);
    const { reply, cancel } = query(question as Query) as PendingQuery<Answer<Query<N>>>;
    void reply.then(setReply);
    return cancel;
  };
  useEffect(again, [JSON.stringify(question)]);
  const asked = {
    value: reply?.value,
    error: reply?.error,
    warnings: reply?.warnings ?? [],
    pending: reply === null,
    overtaken: false,
  };
  return { asked, again };
}

interface Props {
  title: string;
  /** The label of the button that puts it again. */
  label: string;
  asked: Omit<QueryState<unknown>, 'question'>;
  again: () => void;
  /** The sentences where the page has no server; `without` is the heading above them. */
  without: string;
  command: string;
  children: ComponentChildren;
}

/** The page of an examination. Only a process on the machine can look at modes, git and the work tree. */
export function ExaminationPage({ title, label, asked, again, without, command, children }: Props) {
  const isUnavailable = asked.error?.code === 'unavailable';
  return (
    <div class="page">
      <div class="head-of bar">
        <h1>{title}</h1>
        <span class="gap" />
        {!asked.pending && !isUnavailable && (
          <button type="button" onClick={again}>
            {label}
          </button>
        )}
      </div>
      {isUnavailable ? (
        <section class="notice">
          <h2>{without}</h2>
          <p>This page has no server: it sees the files it was given, and not their machine. In the project,</p>
          <CommandLine text={command} />
          <p>
            examines them, and <code>milepost view</code> shows what it finds on this page.
          </p>
        </section>
      ) : (
        children
      )}
    </div>
  );
}

// The prompts of this branch to which the files can go back, each with its plan and the command for exactly that. The
// page changes nothing.

import { useState } from 'preact/hooks';

import { Answered } from '../part/answer';
import { CommandLine } from '../part/command';
import { counted } from '../part/count';
import { ExaminationPage, useExamination } from '../part/examination';
import { Timestamp } from '../part/time';
import type { Answer, PlannedRewind } from '../work/protocol';

type Prompt = Answer<{ query: 'prompts' }>[number];

const SIGNS = { write: '±', delete: '−', set_mode: '±' };
const KINDS = { write: 'modified', delete: 'removed', set_mode: 'modified' };
const WORDS = { write: 'written', delete: 'deleted', set_mode: 'mode is set' };

export function Prompts() {
  const { asked, again } = useExamination<'prompts'>({ query: 'prompts' });
  return (
    <ExaminationPage
      title="Before prompts"
      label="Read again"
      asked={asked}
      again={again}
      without="No prompts here"
      command="milepost rewind"
    >
      <Answered asked={asked}>{(prompts) => <List prompts={prompts} />}</Answered>
    </ExaminationPage>
  );
}

function List({ prompts }: { prompts: Prompt[] }) {
  if (prompts.length === 0) {
    return (
      <section class="notice">
        <h2>No prompts of this branch</h2>
        <p>
          Hooks keep the files before each prompt where <code>agents.rewind</code> is true in{' '}
          <code>.claude/config/integrations.json</code>.
        </p>
      </section>
    );
  }
  return (
    <ul class="cards">
      {prompts.map((prompt) => (
        <Row key={prompt.id} prompt={prompt} />
      ))}
    </ul>
  );
}

function Row({ prompt }: { prompt: Prompt }) {
  const { id, prompt: text, agent, created_at: at, complete } = prompt;
  const [isOpen, setOpen] = useState(false);
  return (
    <li class="card">
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary class="head">
          <h2>{text.split('\n')[0]}</h2>
          <span class="dim small">
            {agent}, <Timestamp at={at} />, {complete ? since(prompt) : 'incomplete'}
          </span>
        </summary>
        {isOpen && <Plan to={id} />}
      </details>
    </li>
  );
}

/** The files that differ now. */
function since({ created, changed, deleted }: Prompt): string {
  if (created === null || changed === null || deleted === null) return 'at another commit';
  return `since then ${counted(created, 'file')} created, ${changed} changed, ${deleted} deleted`;
}

function Plan({ to }: { to: string }) {
  const { asked } = useExamination<'rewind'>({ query: 'rewind', to });
  return <Answered asked={asked}>{(planned) => <Planned of={planned} />}</Answered>;
}

function Planned({ of: { plan, commits, command } }: { of: PlannedRewind }) {
  if (plan === null) return null;
  const { changes, left, refusals } = plan;
  return (
    <>
      {commits !== null && (
        <p>
          The commits <code>{commits}</code> stay; files change in the work tree alone.
        </p>
      )}
      {refusals.map((refusal) => (
        <p key={refusal} class="error">
          {refusal}
        </p>
      ))}
      {changes.length === 0 && <p>Nothing is to be taken back.</p>}
      {changes.length > 0 && (
        <ul class="files" aria-label="Files that are taken back">
          {changes.map(({ path, act }) => (
            <li key={path}>
              <span class="kind" data-kind={KINDS[act]} aria-hidden="true">
                <b>{SIGNS[act]}</b>
              </span>{' '}
              <code>{path}</code> <span class="dim small">{WORDS[act]}</span>
            </li>
          ))}
        </ul>
      )}
      {left.length > 0 && (
        <ul class="files" aria-label="Files that stay as they are">
          {left.map(({ path, reason }) => (
            <li key={path}>
              <code>{path}</code> <span class="dim small">stays: {reason}</span>
            </li>
          ))}
        </ul>
      )}
      {changes.length > 0 && refusals.length === 0 && <CommandLine label="Exactly this, in a terminal" text={command} />}
    </>
  );
}

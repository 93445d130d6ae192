// The findings of `milepost doctor`, by severity, each with the command that fixes it.

import { useEffect, useState } from 'preact/hooks';

import { CommandLine } from '../part/command';
import { Answered } from '../part/answer';
import type { Finding } from '../work/protocol';
import { query, type Reply } from '../work/client';

const LEVELS = [
  { level: 'error', title: 'Errors', mark: '✕' },
  { level: 'warning', title: 'Warnings', mark: '!' },
  { level: 'note', title: 'Notes', mark: 'i' },
  { level: 'ok', title: 'In order', mark: '✓' },
] as const;

function Page() {
  // An examination takes its time and other processes: it is made once, and again on demand.
  const [reply, setReply] = useState<Reply<Finding[]> | null>(null);
  const examine = (): (() => void) => {
    setReply(null);
    const { reply, cancel } = query({ query: 'doctor' });
    void reply.then(setReply);
    return cancel;
  };
  useEffect(examine, []);
  const asked = {
    value: reply?.value,
    error: reply?.error,
    warnings: reply?.warnings ?? [],
    pending: reply === null,
    overtaken: false,
  };
  const isUnavailable = reply?.error?.code === 'unavailable';
  return (
    <div class="page">
      <div class="head-of bar">
        <h1>Doctor</h1>
        <span class="gap" />
        {reply !== null && !isUnavailable && (
          <button type="button" onClick={examine}>
            Examine again
          </button>
        )}
      </div>
      {isUnavailable ? (
        <NoServer />
      ) : (
        <Answered asked={asked}>{(found) => <Findings found={found} />}</Answered>
      )}
    </div>
  );
}

/** Only a process on the machine can look at modes, git and hooks. */
function NoServer() {
  return (
    <section class="notice">
      <h2>No findings here</h2>
      <p>This page has no server: it sees the files it was given, and not their machine. In the project,</p>
      <CommandLine text="milepost doctor" />
      <p>
        examines them, and <code>milepost view</code> shows what it finds on this page.
      </p>
    </section>
  );
}

function Findings({ found }: { found: Finding[] }) {
  const wrong = found.filter((it) => !it["mended"] && (it.level === 'error' || it.level === 'warning')).length;
  return (
    <div class="doctor">
      <p role="status">
        {wrong === 0
          ? 'Nothing has to be fixed.'
          : wrong === 1
            ? '1 thing has to be fixed.'
            : `${wrong} things have to be fixed.`}
      </p>
      {LEVELS.map(({ level, title, mark }) => {
        const of = found.filter((it) => it.level === level);
        if (of.length === 0) return null;
        return (
          <section key={level} data-level={level} aria-labelledby={`level-${level}`}>
            <h2 id={`level-${level}`}>
              <span aria-hidden="true">{mark}</span> {title} <span class="count">{of.length}</span>
            </h2>
            <ul>
              {of.map((finding, at) => (
                <li key={at} class="card">
                  <p>
                    <span class="dim small">{finding.check.replaceAll('_', ' ')}</span> {finding.found}
                  </p>
                  {finding.path && !finding.found.includes(finding.path) && <code>{finding.path}</code>}
                  {finding.why && <p class="dim">{finding.why}</p>}
                  {finding["mend"] && <CommandLine text={finding["mend"]} />}
                </li>
              ))}
            </ul>
          </section>
        );
      })}
    </div>
  );
}

export { Page as Doctor };

// The findings of `milepost doctor`, by severity, each with the command that fixes it.

import { Answered } from '../part/answer';
import { CommandLine } from '../part/command';
import { ExaminationPage, useExamination } from '../part/examination';
import type { Finding } from '../work/protocol';

const LEVELS = [
  { level: 'error', title: 'Errors', mark: '✕' },
  { level: 'warning', title: 'Warnings', mark: '!' },
  { level: 'note', title: 'Notes', mark: 'i' },
  { level: 'ok', title: 'In order', mark: '✓' },
] as const;

function Page() {
  const { asked, again } = useExamination<'doctor'>({ query: 'doctor' });
  return (
    <ExaminationPage
      title="Doctor"
      label="Examine again"
      asked={asked}
      again={again}
      without="No findings here"
      command="milepost doctor"
    >
      <Answered asked={asked}>{(found) => <Findings found={found} />}</Answered>
    </ExaminationPage>
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

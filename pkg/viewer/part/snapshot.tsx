// A checkpoint at one version: its fields and phases, the files it names, its text, where to carry on.

import { address, go, withQuery } from '../state/address';
import type { Field, RevisionFile, RevisionPage, RevisionPhase, VersionRef } from '../work/protocol';
import { Status, words } from './badge';
import { FileLines } from './change';
import { CommandLine } from './command';
import { CopyButton } from './copy';
import { counted } from './count';
import { Lines } from './lines';
import { FileDifferences } from './side-by-side';
import { Tabs, type Tab } from './tabs';
import { Timestamp } from './time';

type TabName = 'rendered' | 'files' | 'resume' | 'raw';

/** The tabs; the address says which one is shown. */
export function Snapshot({ version, page }: { version: VersionRef; page: RevisionPage }) {
  const tabs: Tab<TabName>[] = [
    { id: 'rendered', label: 'Rendered' },
    { id: 'raw', label: version.key.startsWith('s/') ? 'Raw YAML' : 'Raw JSON' },
    { id: 'files', label: 'Files', count: page.files.length },
    ...(page.resume === null ? [] : [{ id: 'resume' as const, label: 'Resume' }]),
  ];
  const asked = address.value.query.get('tab');
  const chosen = tabs.find(({ id }) => id === asked)?.id ?? 'rendered';
  return (
    <Tabs label="Parts of this version" tabs={tabs} chosen={chosen} choose={(tab) => go(withQuery({ tab }), 'replace')}>
      {chosen === 'rendered' && <Rendered page={page} />}
      {chosen === 'raw' && (
        <>
          <div class="bar">
            <span class="dim">As it is stored, {counted(page.raw.length, 'character')}</span>
            <span class="gap" />
            <CopyButton text={page.raw} what="the document as it is stored" />
          </div>
          <Lines text={page.raw} label="The document as it is stored" />
        </>
      )}
      {chosen === 'files' && <Files version={version} files={page.files} />}
      {chosen === 'resume' && <Resume page={page} />}
    </Tabs>
  );
}

function Rendered({ page }: { page: RevisionPage }) {
  const { phases, fields, gate, commands, prose, files } = page;
  const said = (
    <section aria-labelledby="fields">
      <h2 id="fields">Fields</h2>
      <dl class="fields">
        {fields.map((field) => (
          <div key={field.path}>
            <dt>{field.label}</dt>
            <dd>
              <Value field={field} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
  if (prose !== null) {
    return (
      <div class="story">
        <p class="prose">{prose}</p>
        <FileDifferences files={files} />
        <Commands commands={commands} />
        <details>
          <summary>All fields</summary>
          {said}
        </details>
      </div>
    );
  }
  return (
    <div class="rendered">
      <div>
        {phases.length === 0 ? (
          said
        ) : (
          <section aria-labelledby="phases">
            <h2 id="phases">
              Phases <span class="count">{phases.length.toLocaleString()}</span>
            </h2>
            <ol class="cards">
              {phases.map((phase) => (
                <Phase key={phase.name} phase={phase} />
              ))}
            </ol>
          </section>
        )}
      </div>
      <div>
        {gate !== null && <Gate gate={gate} isRecorded={page.is_gate_recorded === true} />}
        {phases.length > 0 && said}
        <Commands commands={commands} />
      </div>
    </div>
  );
}

/** The commands that show it, or go back to it. */
export function Commands({ commands }: { commands: RevisionPage['commands'] }) {
  if (commands.length === 0) return null;
  return (
    <section aria-labelledby="commands">
      <h2 id="commands">In a terminal</h2>
      {commands.map(({ label, text }) => (
        <CommandLine key={label} label={label} text={text} />
      ))}
    </section>
  );
}

function Phase({ phase }: { phase: RevisionPhase }) {
  const { name, status, started_at: started, updated_at: updated, summary, tokens, error, created, modified } = phase;
  return (
    <li class="card" data-status={status}>
      <div class="head">
        <h3>{name}</h3>
        <Status status={status} />
        <span class="gap" />
        <span class="dim small">
          {started !== null && (
            <>
              begun <Timestamp at={started} />
            </>
          )}
          {started !== null && updated !== null && ', '}
          {updated !== null && (
            <>
              updated <Timestamp at={updated} />
            </>
          )}
        </span>
      </div>
      {error !== null && <p class="error">{error}</p>}
      {summary !== null && (
        <p class="prose">
          {summary}
          {tokens !== null && <span class="dim small"> {counted(tokens, 'word')}</span>}
        </p>
      )}
      <Paths sign="+" verb="created" paths={created} />
      <Paths sign="±" verb="modified" paths={modified} />
    </li>
  );
}

export function Paths({ sign, verb, paths }: { sign: string; verb: string; paths: string[] }) {
  if (paths.length === 0) return null;
  return (
    <ul class="files" aria-label={`Files ${verb}`}>
      {paths.map((path) => (
        <li key={path}>
          <span class="kind" data-kind={verb} aria-hidden="true">
            <b>{sign}</b>
          </span>{' '}
          <code>{path}</code>
        </li>
      ))}
    </ul>
  );
}

function Value({ field: { value, kind } }: { field: Field }) {
  if (Array.isArray(value)) {
    if (value.length === 0) return <span class="dim">none</span>;
    return (
      <ul>
        {value.map((item, at) => (
          <li key={at}>{item}</li>
        ))}
      </ul>
    );
  }
  if (kind === 'time') return <Timestamp at={value} how="whole" />;
  return kind === 'text' ? <span class="prose">{value}</span> : <code>{value}</code>;
}

interface GateProps {
  gate: NonNullable<RevisionPage['gate']>;
  isRecorded: boolean;
}

/**
 * The gate: whether the work may go on, and for which commit, with the blockers. A gate that was never used warns of
 * nothing.
 */
function Gate({ gate: { open, blockers, head_commit: commit }, isRecorded }: GateProps) {
  return (
    <section class="gate" data-open={isRecorded ? open : undefined} aria-labelledby="gate">
      <h2 id="gate">
        Gate: <span aria-hidden="true">{open ? '✓' : isRecorded ? '✕' : '○'}</span>{' '}
        {open ? 'open' : isRecorded ? 'closed' : 'closed, never used'}
        {open && commit !== null && (
          <>
            {' '}
            for <code>{commit.slice(0, 7)}</code>
          </>
        )}
      </h2>
      {blockers.length > 0 && (
        <ul>
          {blockers.map((blocker) => (
            <li key={blocker}>{blocker}</li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** Files a version names; of a snapshot their contents are kept as well. */
function Files({ version, files }: { version: VersionRef; files: RevisionFile[] }) {
  if (files.length === 0) return <p class="dim">It names no files.</p>;
  const opened = address.value.query.get('file');
  return (
    <ul class="cards">
      {files.map(({ path, list, phases, size, reason }) => (
        <li key={list + path} class="card">
          {version.key.startsWith('s/') && reason === undefined ? (
            <details
              open={opened === path}
              onToggle={(event) => event.currentTarget.open && go(withQuery({ file: path }), 'replace')}
            >
              <summary class="head">
                <h2>
                  <code>{path}</code>
                </h2>
                <span class="dim small">
                  {words(list)}
                  {typeof size === 'number' && `, ${counted(size, 'byte')}`}
                </span>
              </summary>
              {opened === path && <FileLines a={null} b={version} path={path} />}
            </details>
          ) : (
            <div class="head">
              <code>{path}</code>
              <span class="kind" data-kind={list}>
                {words(list)}
              </span>
              <span class="dim small">{reason ?? phases.join(', ')}</span>
            </div>
          )}
        </li>
      ))}
    </ul>
  );
}

function Resume({ page: { resume } }: { page: RevisionPage }) {
  if (resume === null) return null;
  return (
    <section class="resume" aria-label="Where to carry on">
      <div class="bar">
        <p>
          {resume.phase !== null && (
            <>
              Carry on with <b>{resume.phase}</b>.
            </>
          )}
          {resume.text === null && 'There is nothing left to do.'}
        </p>
        <span class="gap" />
        {resume.text !== null && <CopyButton text={resume.text} what="the text to resume with" />}
      </div>
      {resume.text !== null && <pre>{resume.text}</pre>}
    </section>
  );
}

// The page: takes a file, shows the report. What the file says is text, never markup.

import { report } from './report.js';

/** As much as Milepost reads from a checkpoint. */
const MAX_BYTES = 16 * 1024 * 1024;

const drop = document.getElementById('drop');
const input = document.getElementById('file');
const output = document.getElementById('report');

input.addEventListener('change', () => show(input.files[0]));
drop.addEventListener('dragover', (event) => {
  event.preventDefault();
  drop.classList.add('over');
});
drop.addEventListener('dragleave', () => drop.classList.remove('over'));
drop.addEventListener('drop', (event) => {
  event.preventDefault();
  drop.classList.remove('over');
  show(event.dataTransfer.files[0]);
});

/** Counts files, so that a slow one does not cover a later one. */
let latest = 0;

/** @param {File | undefined} file */
async function show(file) {
  if (file === undefined) return;
  const mine = ++latest;
  if (file.size > MAX_BYTES) {
    output.replaceChildren(heading(file.name), paragraph(`More than ${MAX_BYTES} bytes`));
    return;
  }
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (mine === latest) output.replaceChildren(heading(file.name), ...sections(report(bytes)));
}

/** @param {ReturnType<typeof report>} report */
function sections({ valid, problems, warnings, resumePoint, summaries }) {
  const parts = [paragraph(valid ? 'The checkpoint is valid.' : 'The checkpoint is not valid.')];
  if (problems.length > 0) {
    const rows = problems.map(({ at, code, message }) => [at, code, message]);
    parts.push(table('problems', ['Place', 'Problem', ''], rows));
  }
  if (warnings.length > 0) {
    parts.push(table('warnings', ['Warning'], warnings.map((message) => [message])));
  }
  if (resumePoint !== null) {
    const { phase, summary } = resumePoint;
    const row = [phase ?? 'nothing to do', summary ?? 'none'];
    parts.push(table('resume', ['Resume at', 'Last summary'], [row]));
  }
  if (summaries.length > 0) {
    const rows = summaries.map(({ at, tokens, limit }) => [at, `${tokens} of ${limit}`]);
    parts.push(table('tokens', ['Summary', 'Words'], rows));
  }
  return parts;
}

function table(id, heads, rows) {
  const made = element('table', '');
  made.id = id;
  made.append(...[line('th', heads), ...rows.map((cells) => line('td', cells))]);
  return made;
}

function line(kind, cells) {
  const row = element('tr', '');
  row.append(...cells.map((cell) => element(kind, cell)));
  return row;
}

const heading = (text) => element('h2', text);
const paragraph = (text) => element('p', text);

function element(name, text) {
  const made = document.createElement(name);
  made.textContent = visible(text);
  return made;
}

/** Characters that a reader does not see could say something else than what is seen. */
function visible(text) {
  return text.replace(
    /[\p{Cf}\p{Cc}]/gu,
    (hidden) => hidden === '\n' ? hidden : `\\u{${hidden.codePointAt(0).toString(16)}}`,
  );
}

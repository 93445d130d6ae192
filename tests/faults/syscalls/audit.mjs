// The paths that the scenarios of `tests/scenarios/hand` make the hosts touch: `audit.mjs FILE.test.mjs…` runs
// the tests under strace, and every path has to lie in the project or stand in a short list.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs';
import { createRequire } from 'node:module';
import * as os from 'node:os';
import * as path from 'node:path';

/** With fewer operations, the marks were not seen. */
const FEWEST_ASKED = 1000;

const MOST_SHOWN = 40;

/** The project that has the package, as its user's programs find it. */
const manifest = createRequire(import.meta.url).resolve('milepost/package.json');
const installed = path.resolve(manifest, '../../..');

const home = os.homedir();
const wasmtime = process.env.MILEPOST_WASMTIME;

/** Files that programs read for themselves, wherever they run. */
const PROGRAMS = [
  // The loader, libraries, programs, and what the machine says of itself.
  ...['/lib', '/lib64', '/usr', '/bin', '/sbin', '/etc', '/proc', '/sys/fs/cgroup', '/dev/null'],
  // Node, wasmtime and git where they are installed elsewhere, and their settings.
  ...[process.execPath, wasmtime].map((file) => path.dirname(file)),
  ...process.env.PATH.split(path.delimiter).filter(Boolean),
  ...[process.env.NODE_EXTRA_CA_CERTS, process.env.SSL_CERT_FILE].filter(Boolean),
  path.join(home, '.config/wasmtime'),
  ...[path.join(home, '.gitconfig'), path.join(home, '.config/git')],
  installed,
];

/** The command line's component, compiled for this machine. */
const COMPILED = process.env.MILEPOST_COMPILED;

/** The paths that the scenarios themselves ask for. */
const ASKED = [
  '/dev/urandom',
  // A scenario names it as a user's file, and has a link to it as git's HEAD.
  '/dev/zero',
];

/** The settings of agents in the home folder, which `doctor` reads to say whether hooks are installed there. */
const SETTINGS = [
  ...['.claude/settings.json', '.codex/hooks.json', '.gemini/settings.json', '.cursor/hooks.json'],
  ...['.copilot/hooks/milepost.json', '.config/opencode/plugins/milepost.js', '.qwen/settings.json'],
].map((file) => path.join(home, file));

/** Calls that only look, start a program, or go to a folder. */
const READS =
  /^(l?stat|statx|newfstatat|statfs|access|faccessat2?|readlink(at)?|l?getxattr|execve(at)?|chdir|inotify_add_watch)\(/;

/** Calls that open, and what they say where more than reading is meant. */
const OPENS = /^open(at2?)?\(/;
const CHANGES = /\bO_(WRONLY|RDWR|CREAT|TRUNC|APPEND|TMPFILE)\b/;

/** The file that programs open to write for themselves. */
const SINK = '/dev/null';

/** The cache of wasmtime. It makes the folder as soon as it starts. */
const CACHE = path.join(home, '.cache/wasmtime');

/** Calls that look for one path. */
const LOOKS = /^(stat|lstat|statx|newfstatat|access|faccessat2?|readlink)\(/;

/** Calls that do not follow a link in the last part of a path, or are about what is open already. */
const UNFOLLOWED = /^(lstat|readlink|unlink|rename|link|symlink|mkdir|rmdir)|NOFOLLOW|O_EXCL|AT_EMPTY_PATH/;

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'milepost-audit-'));
process.on('exit', () => fs.rmSync(folder, { recursive: true, force: true }));

/** Runs one file of tests under strace; whether all is well. */
async function run(file, prefix) {
  const trace = ['-ff', '-ttt', '-y', '-qq', '--seccomp-bpf', '-e', 'trace=%file', '-o', prefix];
  const tests = spawn('strace', [...trace, '--', process.execPath, file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  tests.stdout.setEncoding('utf8').on('data', (text) => (output += text));
  const [code, signal] = await once(tests, 'close');
  if (code !== 0) console.error(`${file} ended with ${code ?? signal}:\n${output}`);
  const { asked, calls, outside } = audit(prefix);
  for (const line of outside.slice(0, MOST_SHOWN)) console.error(line);
  const seen = asked >= FEWEST_ASKED;
  if (!seen) console.error(`only ${asked} operations of ${file} were seen`);
  return { asked, calls, outside: outside.length, isWell: code === 0 && seen && outside.length === 0 };
}

const files = process.argv.slice(2);
const all = await Promise.all(files.map((file, at) => run(file, path.join(folder, `${at}-trace`))));
const sum = (what) => all.reduce((total, one) => total + one[what], 0);
console.log(
  `${sum('asked')} operations, ${sum('calls')} calls on paths, ${sum('outside')} outside of the project`,
);
process.exitCode = files.length > 0 && all.every(({ isWell }) => isWell) ? 0 : 1;

/** Every call that was made for an operation, against what it may touch. */
function audit(prefix) {
  const threads = fs.readdirSync(folder).map((name) => path.join(folder, name));
  const own = threads.filter((thread) => thread.startsWith(`${prefix}.`));
  const calls = own.flatMap((thread) => parse(fs.readFileSync(thread, 'utf8')));
  // The tests wait for the programs that they start: their times show for which operation those ran.
  calls.sort((one, other) => one.time - other.time);
  const outside = new Set();
  let links = [];
  let root;
  const counts = { asked: 0, calls: 0 };
  for (const call of calls) {
    const [, mark, rest] = /"\/milepost-(link|begins|ends)([^"]*)"/.exec(call.text) ?? [];
    if (mark === 'link') links.push(rest);
    else if (mark === 'begins') {
      root = rest;
      counts.asked++;
    } else if (mark === 'ends') {
      root = undefined;
      links = [];
    } else if (root !== undefined) {
      counts.calls++;
      const why = complaint(call.text, root, links);
      if (why !== undefined) outside.add(`${why}: ${call.text.slice(0, 400)}`);
    }
  }
  return { ...counts, outside: [...outside] };
}

/** The calls of one thread. */
function parse(text) {
  const found = [];
  for (const line of text.split('\n')) {
    const [, time, call] = /^(\d+\.\d+) (\w+\(.*)$/.exec(line) ?? [];
    if (call !== undefined) found.push({ time: Number(time), text: call });
  }
  return found;
}

/** Why a call may not be made, if so. */
function complaint(text, root, links) {
  // There the kernel itself goes no further than the opened folder.
  const isHeld = text.includes('RESOLVE_BENEATH');
  const isFollowed = !isHeld && !UNFOLLOWED.test(text);
  for (const file of pathsOf(text, root)) {
    if (!isAllowed(file, root, text)) return `${file} is outside`;
    const through = links.find((link) => file.startsWith(`${link}/`));
    if (through !== undefined && !isHeld) return `${file} is reached through a link`;
    const isOwn = !file.startsWith(path.join(root, '.git/'));
    if (isOwn && isFollowed && links.includes(file)) return `${file} is followed`;
  }
  return undefined;
}

/** The paths that a call was given, and that of what it opened. */
function pathsOf(text, root) {
  const name = text.slice(0, text.indexOf('('));
  if (name === 'getcwd') return [];
  const [given, returned] = text.split(/\) += (?!.*\) += )/);
  const found = [];
  let folder = root;
  // The arguments of a new program, and what a link holds, are no paths that are touched.
  const only = /^(execve|readlink)/.test(name) ? 1 : Infinity;
  for (const [part, opened, quoted] of given.matchAll(/<([^<>]*)>|"((?:[^"\\]|\\.)*)"/g)) {
    if (part.startsWith('<')) folder = opened;
    else if (found.length < only) found.push(path.resolve(folder, unescape(quoted)));
  }
  const [, opened] = /^\d+<([^<>]*)>/.exec(returned ?? '') ?? [];
  if (opened !== undefined) found.push(opened);
  return found;
}

function unescape(text) {
  return text.replaceAll(/\\([0-7]{1,3})|\\(.)/g, (_, octal, other) =>
    octal === undefined ? other : String.fromCharCode(Number.parseInt(octal, 8)),
  );
}

function isAllowed(file, root, call) {
  if (isIn(file, root)) return true;
  // A path that holds such a word says nothing.
  const opens = OPENS.test(call);
  const changes = CHANGES.test(call.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""'));
  if ((file === SINK && opens) || isIn(file, CACHE)) return true;
  // Elsewhere nothing is written, made, renamed or removed.
  if (!READS.test(call) && !(opens && !changes)) return false;
  if ([...ASKED, ...SETTINGS, COMPILED].includes(file)) return true;
  if (PROGRAMS.some((place) => isIn(file, place))) return true;
  if (!LOOKS.test(call)) return false;
  // The search for the nearest repository at or above the project.
  if (path.basename(file) === '.git' && isIn(root, path.dirname(file))) return true;
  // A program looks for its own real path, and for settings, from the top down.
  return [...PROGRAMS, CACHE, COMPILED].some((place) => isIn(place, file));
}

function isIn(file, folder) {
  return file === folder || file.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}

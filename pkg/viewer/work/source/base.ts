// The opened folder: a project, its `.claude`, or one of the two folders in that.

const BASES = { claude: '.claude', state: '.claude/state', sessions: '.claude/checkpoints' };

/**
 * The place of the opened folder in a project.
 *
 * @param name of the folder
 * @param entries the names in it
 */
export function baseOf(name: string, entries: string[]): string {
  if (entries.includes('.claude')) return '';
  if (name === '.claude' || entries.includes('state') || entries.includes('checkpoints')) return BASES.claude;
  if (name === 'checkpoints' || entries.some((entry) => /^chk-.*\.ya?ml$/.test(entry))) return BASES.sessions;
  return BASES.state;
}

/** The place in a project of a file that was opened by itself. */
export function placeOf(name: string): string {
  return /\.ya?ml$/.test(name) ? `${BASES.sessions}/${name}` : `${BASES.state}/${name}`;
}

/** A path of a project as one below the opened folder; `null` where it is outside. */
export function below(base: string, path: string): string | null {
  if (base === '') return path;
  if (path === base) return '';
  return path.startsWith(`${base}/`) ? path.slice(base.length + 1) : null;
}

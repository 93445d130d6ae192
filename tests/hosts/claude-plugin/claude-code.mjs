// The part of Claude Code that works with a plugin, as far as the tests need it.

import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';

import { emptyFolder } from '../node/fixture.mjs';

/** The plugin as built. */
const BUILT = process.env.MILEPOST_CLAUDE_PLUGIN;

/**
 * The plugin where Claude Code keeps it: a copy in a folder of its own, with a space in its name, below a package of
 * another kind.
 */
export function installed(t) {
  const home = emptyFolder(t);
  fs.writeFileSync(path.join(home, 'package.json'), '{"type":"module"}');
  const plugin = path.join(home, 'plugins and more/cache/milepost/0.1.0');
  fs.cpSync(BUILT, plugin, { recursive: true });
  return plugin;
}

export function readJson(...names) {
  return JSON.parse(fs.readFileSync(path.join(...names), 'utf8'));
}

/** A repository of its own, with an empty home in it. */
export function project(t) {
  const root = emptyFolder(t);
  fs.mkdirSync(path.join(root, '.git'));
  fs.writeFileSync(path.join(root, '.git/HEAD'), 'ref: refs/heads/dark-mode\n');
  fs.mkdirSync(path.join(root, 'home'));
  return root;
}

/** The environment that Claude Code sets for programs that it starts in a project. */
export function environment(root) {
  const home = path.join(root, 'home');
  return { ...process.env, HOME: home, USERPROFILE: home, CLAUDE_PROJECT_DIR: root };
}

/** With the plugin's folder in place of its name. */
export function filledIn(plugin, word) {
  return word.replaceAll('${CLAUDE_PLUGIN_ROOT}', plugin);
}

/** Fires an event: starts each of the plugin's handlers whose matcher takes it, without a shell. */
export function fire(plugin, root, event, more = {}) {
  const payload = { session_id: 's1', cwd: root, hook_event_name: event, ...more };
  const groups = readJson(plugin, 'hooks/hooks.json').hooks[event] ?? [];
  const meant = groups.filter(({ matcher }) => matcher === undefined || matcher.split('|').includes(more.tool_name));
  return meant.flatMap(({ hooks }) =>
    hooks.map(({ command, args }) => {
      const words = args.map((word) => filledIn(plugin, word));
      const env = { ...environment(root), CLAUDE_PLUGIN_ROOT: plugin };
      const input = `${JSON.stringify(payload)}\n`;
      const run = spawnSync(command, words, { cwd: root, env, input, encoding: 'utf8' });
      return { code: run.status, out: run.stdout, error: run.stderr };
    }),
  );
}

/** Makes the event of an edit of a file in the project. */
export function edit(plugin, root, name) {
  const file = path.join(root, name);
  const tool_input = { file_path: file, old_string: 'a', new_string: 'b' };
  return fire(plugin, root, 'PostToolUse', { tool_name: 'Edit', tool_input, tool_response: { filePath: file } });
}

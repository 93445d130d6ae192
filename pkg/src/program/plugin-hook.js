// `node hook.js AGENT EVENT`, as the plugin for Claude Code registers it. Where settings have an entry of ours for the
// event as well, and what that runs is there, that one takes the event, and nothing happens here.

import { library } from 'milepost:library';
import { isLeftToAnother } from './precedence.js';

const [agent = '', event = ''] = process.argv.slice(2);
const { CLAUDE_PROJECT_DIR: project = process.cwd() } = process.env;

if (!isLeftToAnother({ agent, scope: 'plugin', sender: agent, event, project, folder: project })) library();

// In the place of what reaches a database: that is done with `pg`, which a project has and a plugin does not find.
const message =
  'The plugin for Claude Code keeps checkpoints in files alone: for a database, run the package of the project, ' +
  '`npm install --save-dev milepost pg` and `npx milepost --store …`';
exports.open = () => ({ failed: { code: 'usage', message } });

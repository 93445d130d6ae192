// In the place of what reaches a database: that is done with `pg`, which a project has and a plugin does not find.
const message =
  'The plugin for Claude Code keeps runs in files alone: for a database, run the package of a project that depends on ' +
  'milepost and `pg`, as `npx milepost --store …`';
exports.open = () => ({ failed: { code: 'usage', message } });

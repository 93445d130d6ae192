// The snippets of the specification's testing strategy; only the `require` lines are changed.

const test = require('node:test');
const assert = require('node:assert');
const fs = require('fs');
const path = require('path');
const { countTokens, validateContextSummary } = require('milepost/token-counter');
const { loadCheckpoint, saveCheckpoint, updatePhase } = require('milepost/checkpoint-manager');

test('countTokens returns word count', () => {
  assert.strictEqual(countTokens('hello world'), 2);
  assert.strictEqual(countTokens('  multiple   spaces  '), 2);
});

test('validateContextSummary passes for ≤500 tokens', () => {
  const summary = 'short summary';
  const result = validateContextSummary(summary);
  assert.strictEqual(result.valid, true);
  assert.strictEqual(result.tokenCount, 2);
});

test('validateContextSummary fails for >500 tokens', () => {
  const summary = Array(501).fill('word').join(' ');
  const result = validateContextSummary(summary);
  assert.strictEqual(result.valid, false);
  assert.match(result.error, /exceeds 500 token limit/);
});

test('saveCheckpoint creates file in .claude/state/', async () => {
  const tmpDir = fs.mkdtempSync('/tmp/checkpoint-test-');
  process.env.GIT_ROOT = tmpDir; // Mock git root

  const checkpoint = {
    command: 'design',
    feature: 'test-feature',
    version: 1,
    state: { current_phase: null, completed_phases: [], pending_phases: [] },
    phases: {},
  };

  const success = saveCheckpoint('design', checkpoint, 'test-feature');
  assert.strictEqual(success, true);

  const filePath = path.join(tmpDir, '.claude/state/design-test-feature.json');
  assert.strictEqual(fs.existsSync(filePath), true);

  // Cleanup
  fs.rmSync(tmpDir, { recursive: true });
});

test('updatePhase adds timestamps', async () => {
  const tmpDir = fs.mkdtempSync('/tmp/checkpoint-test-');
  process.env.GIT_ROOT = tmpDir;

  assert.strictEqual(updatePhase('design', 'research', { status: 'in_progress' }), true);
  const { started_at: started, updated_at: updated } = loadCheckpoint('design').phases.research;
  assert.match(started, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  assert.match(updated, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

  fs.rmSync(tmpDir, { recursive: true });
});

test('validateContextSummary on save rejects >500 tokens', async () => {
  const tmpDir = fs.mkdtempSync('/tmp/checkpoint-test-');
  process.env.GIT_ROOT = tmpDir;

  const context_summary = Array(501).fill('word').join(' ');
  assert.strictEqual(updatePhase('design', 'research', { context_summary }), false);
  assert.strictEqual(fs.existsSync(path.join(tmpDir, '.claude/state')), false);

  fs.rmSync(tmpDir, { recursive: true });
});

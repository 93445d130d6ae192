'use strict';

// The checkpoint manager as the source documents write it down: HEAD by spawning git, files by
// `writeFileSync`. `createManager` lets the other variants replace these means and nothing else.

const fs = require('fs');
const path = require('path');
const { execSync } = require('child_process');
const utils = require('./utils.cjs');
const { validateContextSummary } = require('./token-counter.cjs');

const { readFile, ensureDir, getGitRoot, getStateDir, logError } = utils;

/** @returns {string|null} */
function spawnedHead() {
  try {
    const stdio = ['ignore', 'pipe', 'ignore'];
    const cwd = getGitRoot() || process.cwd();
    return execSync('git rev-parse HEAD', { cwd, stdio, encoding: 'utf8' }).trim();
  } catch {
    return null;
  }
}

/** @param {string} file @returns {string|null} */
function readIfThere(file) {
  return fs.existsSync(file) ? readFile(file) : null;
}

/**
 * @param {object} means
 * @param {() => string|null} means.currentHead
 * @param {(file: string, text: string) => void} means.writeFile
 * @param {(file: string) => string|null} [means.readText] null for a missing file
 * @param {(file: string, change: () => boolean) => boolean} [means.exclusively] runs a change that
 *   reads the file first
 */
function createManager({
  currentHead,
  writeFile,
  readText = readIfThere,
  exclusively = (file, change) => change(),
}) {
  function fileOf(command, feature) {
    const name = feature ? `${command}-${feature}.json` : `${command}-checkpoint.json`;
    return path.join(getStateDir(), name);
  }

  function loadCheckpoint(command, feature = null) {
    try {
      const file = fileOf(command, feature);
      const text = readText(file);
      if (text === null) return null;
      let checkpoint;
      try {
        checkpoint = JSON.parse(text);
      } catch (error) {
        logError(`Checkpoint file exists but is corrupt: ${file}`, error);
        return null;
      }
      const head = currentHead();
      const saved = checkpoint.head_commit;
      if (head && saved && saved !== head) {
        const [then, now] = [saved.slice(0, 7), head.slice(0, 7)];
        logError(`Checkpoint is stale (saved at ${then}, current HEAD is ${now})`);
      }
      return checkpoint;
    } catch (error) {
      logError('Failed to load checkpoint', error);
      return null;
    }
  }

  function saveCheckpoint(command, checkpoint, feature = null) {
    try {
      const summaries = [checkpoint.state, ...Object.values(checkpoint.phases)]
        .map((holder) => holder.context_summary)
        .filter((summary) => summary !== undefined);
      for (const summary of summaries) {
        const verdict = validateContextSummary(summary);
        if (!verdict.valid) {
          logError(verdict.error);
          return false;
        }
      }
      checkpoint.head_commit = currentHead();
      checkpoint.updated_at = new Date().toISOString();
      ensureDir(getStateDir());
      writeFile(fileOf(command, feature), JSON.stringify(checkpoint, null, 2));
      return true;
    } catch (error) {
      logError('Failed to save checkpoint', error);
      return false;
    }
  }

  function updatePhase(command, phaseName, phaseData, feature = null) {
    try {
      const now = new Date().toISOString();
      const checkpoint = loadCheckpoint(command, feature) || newCheckpoint(command, feature, now);
      const { state, phases } = checkpoint;
      phases[phaseName] = {
        started_at: now,
        ...phases[phaseName],
        ...phaseData,
        updated_at: now,
      };
      const { status } = phaseData;
      if (status === 'in_progress') state.current_phase = phaseName;
      if (status === 'complete' && !state.completed_phases.includes(phaseName)) {
        state.completed_phases.push(phaseName);
      }
      if (status === 'complete' || status === 'failed') {
        state.pending_phases = state.pending_phases.filter((name) => name !== phaseName);
      }
      return saveCheckpoint(command, checkpoint, feature);
    } catch (error) {
      logError('Failed to update phase', error);
      return false;
    }
  }

  function completeCheckpoint(command, feature = null) {
    try {
      const checkpoint = loadCheckpoint(command, feature);
      if (!checkpoint) return false;
      checkpoint.state.current_phase = null;
      checkpoint.state.pending_phases = [];
      checkpoint.completed_at = new Date().toISOString();
      return saveCheckpoint(command, checkpoint, feature);
    } catch (error) {
      logError('Failed to complete checkpoint', error);
      return false;
    }
  }

  function getResumePoint(command, feature = null) {
    const none = { phase: null, summary: null };
    try {
      const checkpoint = loadCheckpoint(command, feature);
      if (!checkpoint || checkpoint.completed_at) return none;
      const last = checkpoint.state.completed_phases.at(-1);
      const summary = checkpoint.phases[last]?.context_summary ?? null;
      return { phase: checkpoint.state.current_phase, summary };
    } catch (error) {
      logError('Failed to get resume point', error);
      return none;
    }
  }

  /** @param {(command: string, ...rest: any[]) => boolean} change @param {number} at the feature's place */
  const alone = (change, at) => (command, ...rest) => {
    try {
      ensureDir(getStateDir());
      return exclusively(fileOf(command, rest[at]), () => change(command, ...rest));
    } catch (error) {
      logError('Failed to get hold of the checkpoint', error);
      return false;
    }
  };

  return {
    loadCheckpoint,
    saveCheckpoint,
    updatePhase: alone(updatePhase, 2),
    completeCheckpoint: alone(completeCheckpoint, 0),
    getResumePoint,
  };
}

function newCheckpoint(command, feature, now) {
  return {
    command,
    feature,
    version: 1,
    head_commit: null,
    started_at: now,
    updated_at: now,
    state: { current_phase: null, completed_phases: [], pending_phases: [] },
    phases: {},
  };
}

const asWritten = createManager({ currentHead: spawnedHead, writeFile: utils.writeFile });

module.exports = { ...asWritten, createManager };

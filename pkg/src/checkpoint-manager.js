// `milepost/checkpoint-manager`: the seed's set.

export {
  completeCheckpoint,
  getResumePoint,
  getStateDir,
  loadCheckpoint,
  saveCheckpoint,
  updatePhase,
} from './index.js';

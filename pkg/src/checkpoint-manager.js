// `milepost/checkpoint-manager`: the seed's set.

export {
  completeCheckpoint,
  getResumePoint,
  loadCheckpoint,
  saveCheckpoint,
  updatePhase,
} from './index.js';

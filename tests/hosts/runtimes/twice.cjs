// The package by both ways in: whether they lead to the same functions and errors.

const required = require('milepost');

import('milepost').then((imported) => {
  const names = Object.keys(required).filter((name) => required[name] !== imported[name]);
  const { openMemoryStore } = require('milepost/memory');
  let failure;
  try {
    openMemoryStore().updatePhase('no command', 'research', {});
  } catch (error) {
    failure = error;
  }
  console.log(JSON.stringify({ names, isOne: failure instanceof imported.MilepostError }));
});

// A hook, where it is an error to name what Deno loads for Node's programs alone.

for (const name of ['process', 'Buffer', 'require', 'setImmediate']) {
  const get = () => {
    throw new Error(`\`${name}\` was named`);
  };
  Object.defineProperty(globalThis, name, { configurable: true, get });
}

const { getResumePoint, lastError, updatePhase } = await import('milepost');
updatePhase('design', 'research', { status: 'in_progress', context_summary: 'Read.' });
const failed = lastError();
const { phase } = getResumePoint('design');
console.log(JSON.stringify({ phase, failed: (failed ?? lastError())?.message ?? null }));

export default {
  build: {
    outDir: 'dist/page',
    rolldownOptions: {
      input: 'source/page.mjs',
      output: { format: 'iife', entryFileNames: 'page.js' },
    },
  },
};

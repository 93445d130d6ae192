export default {
  build: {
    ssr: 'source/server.mjs',
    outDir: 'dist/server',
    rolldownOptions: { output: { entryFileNames: 'server.mjs' } },
  },
  // Taken into the bundle, which it is not by default.
  ssr: { noExternal: true },
};

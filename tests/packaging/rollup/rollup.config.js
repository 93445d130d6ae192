import commonjs from '@rollup/plugin-commonjs';
import nodeResolve from '@rollup/plugin-node-resolve';

const onServer = () => nodeResolve({ exportConditions: ['node'] });

export default [
  {
    input: 'source/server.mjs',
    external: /^node:/,
    plugins: [onServer()],
    output: { dir: 'dist/esm', entryFileNames: '[name].mjs', format: 'es' },
  },
  {
    input: 'source/server.cjs',
    external: /^node:/,
    plugins: [onServer(), commonjs()],
    output: { dir: 'dist/cjs', entryFileNames: '[name].cjs', format: 'cjs' },
  },
  {
    input: 'source/page.mjs',
    plugins: [nodeResolve({ browser: true })],
    output: { file: 'dist/page/page.js', format: 'iife', inlineDynamicImports: true },
  },
];

// Builds the page into web/dist: hashed files, no inline script, no inline style, so that the strict policy holds.
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/',
  // Whatever NODE_ENV its builder runs under, the page is the one that is shipped.
  mode: 'production',
  oxc: { jsx: { runtime: 'automatic', development: false } },
  define: { 'process.env.NODE_ENV': JSON.stringify('production') },
  build: {
    target: 'es2024',
    outDir: 'dist',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    sourcemap: false,
    reportCompressedSize: false,
  },
});

// The player alone, each time as one file: `replay.js` for pages that play from disk, `widget.js` for notebooks.
import { defineConfig } from 'vite';

export default defineConfig({
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: '../src/anabasis/studio/static',
    emptyOutDir: false,
    target: 'es2022',
    lib: { entry: 'src/replay.tsx', formats: ['iife'], name: 'anabasis', fileName: () => 'replay.js', cssFileName: 'replay' },
  },
});

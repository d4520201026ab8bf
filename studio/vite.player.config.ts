// The player alone, as one file each time: `replay.js` and `replay.css` for pages that play from disk, `widget.js` for
// notebooks. Which of them is said by --mode.
import { defineConfig, type Plugin } from 'vite';

/** A notebook may show several players, so each begins the program anew; its styles stand in it as a text. */
const forNotebooks: Plugin = {
  name: 'for-notebooks',
  enforce: 'post',
  generateBundle: {
    order: 'post',
    handler(_, bundle) {
      const files = Object.values(bundle);
      const sheets = files.filter((file) => file.type === 'asset' && file.fileName.endsWith('.css'));
      const styles = sheets.map((file) => (file.type === 'asset' ? `${file.source}` : '')).join('\n');
      for (const sheet of sheets) delete bundle[sheet.fileName];
      const chunks = files.filter((file) => file.type === 'chunk');
      if (chunks.length !== 1 || styles === '') throw new Error('the widget has to be one script with styles');
      const [script] = chunks;
      const parts = script.code.split(/(["'`])@@styles@@\1/);
      if (parts.length !== 3) throw new Error('the widget has to name its styles once');
      script.code =
        `const player = () => {\n${parts[0]}${JSON.stringify(styles)}${parts[2]}\nreturn anabasis;\n};\n` +
        'export default { render: (view) => player().render(view) };\n';
    },
  },
};

export default defineConfig(({ mode }) => ({
  oxc: { jsx: { runtime: 'automatic' as const, importSource: 'preact' } },
  plugins: mode === 'widget' ? [forNotebooks] : [],
  build: {
    outDir: '../src/anabasis/studio/static',
    emptyOutDir: false,
    target: 'es2022',
    lib: { entry: `src/${mode}.tsx`, formats: ['iife' as const], name: 'anabasis', fileName: () => `${mode}.js`, cssFileName: mode },
  },
}));

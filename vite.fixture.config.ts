/**
 * Builds the Playwright fixture's scripts for the page: tap and witness in one classic script, an expression that takes its config; and,
 * with `--mode decoders`, the decoders, an expression that takes the name of the event by which it hands them over.
 *
 * The wrapper takes what the witness needs of the platform before any script of the page can replace it (zone.js, fake
 * clocks); the names shadow the globals for all that is inside.
 *
 * Its functions are written in brackets, and with the word: what stands so is compiled as it is read, because it is going to be
 * called. Anything else, arrow functions in brackets too, is gone through once to see where it ends, and again when it is called; of so large
 * a script that is 4 of 12 ms, before the first script of the page.
 *
 * A popup's first, empty document runs the script while the debugger still holds the window: no event is heard in it, and tap and
 * witness could not meet. Then they begin as soon as it is let go; the window, and they with it, lives on in the popup's page.
 */
import { defineConfig, type Plugin } from 'vite';

const BOUND = [
  'setTimeout',
  'clearTimeout',
  'requestAnimationFrame',
  'cancelAnimationFrame',
  'requestIdleCallback',
  'queueMicrotask',
  'getComputedStyle',
];
const NATIVES = [
  ...BOUND.map((name) => `const ${name} = window.${name}?.bind(window);`),
  'const { MutationObserver, PerformanceObserver, MessageChannel, Event, CustomEvent } = window;',
  'const performance = ((page, now) => ({ now: () => now.call(page), timeOrigin: page.timeOrigin }))(window.performance, window.performance.now);',
].join('\n');
const BEGIN = `
const heard = () => {
  let is = false;
  const listen = () => { is = true; };
  window.addEventListener(unsettledConfig.begin, listen);
  window.dispatchEvent(new Event(unsettledConfig.begin));
  window.removeEventListener(unsettledConfig.begin, listen);
  return is;
};
const wait = () => { heard() ? begin() : setTimeout(wait, 0); };
wait();`;

const wrapped = (decoders: boolean): Plugin => ({
  name: 'wrapped',
  generateBundle(_, bundle) {
    for (const chunk of Object.values(bundle))
      if (chunk.type === 'chunk')
        chunk.code = decoders
          ? `(unsettledName) => {\n${chunk.code}}\n`
          : `(function (unsettledConfig) {\n${NATIVES}\nconst begin = (function () {\n${chunk.code}});${BEGIN}\n})\n`;
  },
});

export default defineConfig(({ mode }) => ({
  publicDir: false,
  plugins: [wrapped(mode === 'decoders')],
  build: {
    outDir: 'dist/lib/fixture',
    emptyOutDir: false,
    target: 'es2022',
    sourcemap: false,
    lib:
      mode === 'decoders'
        ? { entry: 'src/fixture/decoders.iife.ts', formats: ['iife'], name: 'unsettledDecoders', fileName: () => 'decoders.iife.js' }
        : { entry: 'src/fixture/page.iife.ts', formats: ['iife'], name: 'unsettledPage', fileName: () => 'page.iife.js' },
  },
  // A mode of its own names a script, and makes no other kind of build.
  define: { 'process.env.NODE_ENV': '"production"' },
}));

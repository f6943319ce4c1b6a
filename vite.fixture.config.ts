/**
 * Builds the Playwright fixture's scripts for the page, each an expression: the page script, a function of its config and of its
 * two parts; with `--mode look` and `--mode join` these parts, functions of the platform; and, with `--mode decoders`, the decoders, a
 * function of the name of the event by which it hands them over.
 *
 * The wrapper takes what the witness needs of the platform before any script of the page can replace it (zone.js, fake
 * clocks); the names shadow the globals for all that is inside, and are handed to the parts, which begin later.
 *
 * The functions of the page script are written in brackets, and with the word: what stands so is compiled as it is read, because it is
 * going to be called. The parts stand without: they are gone through once to see where they end, and compiled when they are
 * called, which in most documents is never, or after the page has loaded.
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
const CLASSES = ['MutationObserver', 'PerformanceObserver', 'MessageChannel', 'Event', 'CustomEvent'];
const PLATFORM = [...BOUND, ...CLASSES, 'performance'].join(', ');
const NATIVES = [
  ...BOUND.map((name) => `const ${name} = window.${name}?.bind(window);`),
  `const { ${CLASSES.join(', ')} } = window;`,
  'const performance = ((page, now) => ({ now: () => now.call(page), timeOrigin: page.timeOrigin }))(window.performance, window.performance.now);',
  ...['Look', 'Join'].map((part) => `const unsettled${part} = () => part${part}(${PLATFORM});`),
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

const WRAPPERS: Readonly<Record<string, (code: string) => string>> = {
  page: (code) => `(function (unsettledConfig, partLook, partJoin) {\n${NATIVES}\nconst begin = (function () {\n${code}});${BEGIN}\n})\n`,
  look: (code) => `function unsettledLookPart(${PLATFORM}) {\n${code}\nreturn unsettledPart;\n}\n`,
  join: (code) => `function unsettledJoinPart(${PLATFORM}) {\n${code}\nreturn unsettledPart;\n}\n`,
  decoders: (code) => `(unsettledName) => {\n${code}}\n`,
};
const ENTRIES: Readonly<Record<string, string>> = { page: 'page', look: 'part-look', join: 'part-join', decoders: 'decoders' };

export default defineConfig(({ mode }) => {
  const script = mode in ENTRIES ? mode : 'page';
  const entry = ENTRIES[script]!;
  const wrapped: Plugin = {
    name: 'wrapped',
    generateBundle(_, bundle) {
      for (const chunk of Object.values(bundle)) if (chunk.type === 'chunk') chunk.code = WRAPPERS[script]!(chunk.code);
    },
  };
  return {
    publicDir: false,
    plugins: [wrapped],
    build: {
      outDir: 'dist/lib/fixture',
      emptyOutDir: false,
      target: 'es2022',
      sourcemap: false,
      lib: { entry: `src/fixture/${entry}.iife.ts`, formats: ['iife'], name: 'unsettledPart', fileName: () => `${entry}.iife.js` },
    },
    // A mode of its own names a script, and makes no other kind of build.
    define: { 'process.env.NODE_ENV': '"production"' },
  };
});

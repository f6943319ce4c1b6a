/**
 * Builds the extension for one browser (`BROWSER=chrome|firefox`). manifest.json is the Chrome form and the only one
 * written by hand; the Firefox form is derived here. The version comes from package.json, its single source.
 */
import { crx, type ManifestV3Export } from '@crxjs/vite-plugin';
import preact from '@preact/preset-vite';
import { build, defineConfig, type Plugin } from 'vite';
import manifest from './manifest.json' with { type: 'json' };
import { version } from './package.json' with { type: 'json' };
import { DECODERS_FILE } from './src/link/files';

const browser = process.env.BROWSER === 'firefox' ? 'firefox' : 'chrome';

/** Firefox has an event page instead of a service worker, and has no `match_origin_as_fallback` before 128. */
const derive = (): Record<string, unknown> => {
  const base: Record<string, unknown> = { ...manifest, version };
  if (browser === 'chrome') return base;
  delete base.minimum_chrome_version;
  return {
    ...base,
    background: { scripts: [manifest.background.service_worker], type: 'module' },
    browser_specific_settings: {
      gecko: { id: 'unsettled@unsettled.dev', strict_min_version: '140.0', data_collection_permissions: { required: ['none'] } },
    },
  };
};

/**
 * Scripts that are no part of any page and not in the manifest: run on demand by the background, so each is one classic
 * file under a name that does not change.
 */
const onDemand = (files: Readonly<Record<string, string>>): Plugin => ({
  name: 'unsettled:on-demand',
  apply: 'build',
  async generateBundle() {
    for (const [fileName, entry] of Object.entries(files)) {
      const made = await build({
        configFile: false,
        logLevel: 'warn',
        define: { __VERSION__: JSON.stringify(version) },
        build: { write: false, target: 'es2022', lib: { entry, formats: ['iife'], name: 'unsettledOnDemand' } },
      });
      const [first] = Array.isArray(made) ? made : [made];
      if (first === undefined || !('output' in first)) throw new Error(`${entry} came out as nothing`);
      this.emitFile({ type: 'asset', fileName, source: first.output[0].code });
    }
  },
});

/** Firefox has by itself what the polyfill gives to Chrome, and would only read it. */
const ownInterface: Plugin = {
  name: 'unsettled:own-interface',
  apply: 'build',
  enforce: 'pre',
  resolveId: (id) => (id === 'webextension-polyfill' ? '\0own-interface' : null),
  load: (id) => (id === '\0own-interface' ? 'export default globalThis.browser;' : null),
};

export default defineConfig({
  plugins: [
    ...(browser === 'firefox' ? [ownInterface] : []),
    onDemand({ [DECODERS_FILE]: 'src/witness/decoders.iife.ts' }),
    preact(),
    crx({ manifest: derive() as unknown as ManifestV3Export, browser }),
  ],
  define: { __VERSION__: JSON.stringify(version) },
  build: {
    outDir: `dist/${browser}`,
    emptyOutDir: true,
    target: 'es2022',
    sourcemap: false,
    // Files of the extension are at hand: a list of what to fetch ahead, beside each dynamic import, would only take room.
    modulePreload: {
      polyfill: false,
      resolveDependencies: (_, files, { hostType }) => (hostType === 'js' ? files.filter((file) => file.endsWith('.css')) : files),
    },
    rollupOptions: {
      // Files of an extension come and go with its version, and a hash in every import is what no packing shortens.
      output: { chunkFileNames: 'assets/[name].js', entryFileNames: 'assets/[name].js' },
      // The page that asks for a site is needed where a panel cannot ask by itself.
      input: { panel: 'src/panel/panel.html', ...(browser === 'firefox' ? { allow: 'src/panel/allow.html' } : {}) },
    },
  },
});

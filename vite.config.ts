import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import { guidesPlugin } from './scripts/guides-plugin.ts'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** One entry for each page, and the script that sets the theme before anything is painted. */
const entries = [
  ...readdirSync(here('src/web/pages')).map((file) => here(`src/web/pages/${file}`)),
  here('src/web/theme.ts'),
]

export default defineConfig(({ isSsrBuild }) => ({
  root: here('.'),
  publicDir: false,
  plugins: [guidesPlugin()],
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  // What a worker reads only now and then is loaded then.
  worker: { format: 'es' },
  // One file with all that it needs: the installed package has no preact.
  ssr: { noExternal: true },
  build: {
    outDir: here('build/web'),
    emptyOutDir: true,
    manifest: isSsrBuild ? false : 'manifest.json',
    modulePreload: { polyfill: false },
    target: 'es2024',
    // The first that know light-dark(): older ones would need every colour twice.
    cssTarget: ['chrome123', 'firefox128', 'safari17.5'],
    rolldownOptions: { input: isSsrBuild ? here('src/web/server.tsx') : entries },
    // No file becomes a data: address; the browser keeps what it has loaded once.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
  },
}))

import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import { guidesPlugin } from './scripts/guides-plugin.ts'
import { pageChunks } from './scripts/page-chunks.ts'
import { textsPlugin } from './scripts/texts-plugin.mjs'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

const pages = readdirSync(here('src/web/pages')).map((file) => here(`src/web/pages/${file}`))
/** One entry for each page, and the script that sets the theme before anything is painted. */
const entries = [...pages, here('src/web/theme.ts')]
/** Groups are as they are named, without what their modules import. */
const codeSplitting = {
  groups: [{ debugName: 'pages', name: pageChunks(pages), includeDependenciesRecursively: false }],
}

/** The language is the mode: English without one. */
const languageOf = (mode: string): string => (mode === 'production' ? 'en' : mode)

const texts = (mode: string) => textsPlugin(here(`build/texts/${languageOf(mode)}`))

export default defineConfig(({ isSsrBuild, mode }) => ({
  root: here('.'),
  publicDir: false,
  plugins: [guidesPlugin(languageOf(mode)), texts(mode)],
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  // What a worker reads only now and then is loaded then. It is built apart, by plugins of its own.
  worker: { format: 'es', plugins: () => [texts(mode)] },
  // One file with all that it needs: the installed package has no preact.
  ssr: { noExternal: true },
  // A page is rendered once on the server: that needs no Preact.
  resolve: {
    alias: isSsrBuild
      ? [{ find: /^preact(?:\/.*)?$/, replacement: here('src/web/serving/to-html.ts') }]
      : [],
  },
  build: {
    outDir: here('build/web'),
    emptyOutDir: true,
    manifest: isSsrBuild ? false : 'manifest.json',
    modulePreload: { polyfill: false },
    target: 'es2024',
    // The first that know light-dark(): older ones would need every colour twice.
    cssTarget: ['chrome123', 'firefox128', 'safari17.5'],
    rolldownOptions: isSsrBuild
      ? { input: here('src/web/server.tsx') }
      : {
          input: entries,
          // Most texts are used once: none needs a name of its own.
          optimization: { inlineConst: true },
          output: { codeSplitting, strictExecutionOrder: false },
          // How long each part of the build took says nothing of what is built.
          checks: { bundlerTimings: false },
        },
    // No file becomes a data: address; the browser keeps what it has loaded once.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
  },
}))

import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Every entry that the site's pages name. */
const entryNames = [
  'home',
  'browse',
  'pack',
  'open-key',
  'editor',
  'history',
  'owner',
  'map',
  'maps',
  'my-packs',
  'account',
  'moderation',
  'docs',
  'reference',
  'tournaments',
  'tournament',
  'my-tournaments',
  'workspace',
  'staff',
  'invite',
  'notice',
] as const

export const SCRIPT = `export const words = ${JSON.stringify('map pack '.repeat(400))}\n`

/** A build as the bundler leaves it, with one small script for each page; `mark` is what the names end in. */
export const writeSiteAssets = async (folder: string, mark = '0a1b'): Promise<void> => {
  await mkdir(join(folder, 'assets'), { recursive: true })
  const shared = { file: `assets/shared-${mark}.js`, css: [`assets/shared-${mark}.css`] }
  const entries = entryNames.map((name) => [
    `src/web/pages/${name}.tsx`,
    { file: `assets/${name}-2c3d.js`, isEntry: true, imports: ['_shared.js'] },
  ])
  const theme = { file: 'assets/theme-4e5f.js', isEntry: true }
  const manifest = {
    'src/web/theme.ts': theme,
    ...Object.fromEntries(entries),
    '_shared.js': shared,
  }
  await writeFile(join(folder, 'manifest.json'), JSON.stringify(manifest))
  await writeFile(
    join(folder, 'assets', `shared-${mark}.js`),
    mark === '0a1b' ? SCRIPT : `${SCRIPT}// ${mark}\n`,
  )
  await writeFile(
    join(folder, 'assets', 'theme-4e5f.js'),
    'document.documentElement.dataset.theme\n',
  )
  await writeFile(join(folder, 'assets', `shared-${mark}.css`), 'main { color: CanvasText }\n')
  for (const name of entryNames) {
    await writeFile(join(folder, 'assets', `${name}-2c3d.js`), `import './shared-0a1b.js'\n`)
  }
}

import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Installation } from '../../src/domain/installation.ts'
import { type AssetStore, openAssetStore } from '../../src/site/assets/assets.ts'
import { plainInstallation } from './settings.ts'

const built = fileURLToPath(new URL('../../build/', import.meta.url))
const script = fileURLToPath(new URL('../../scripts/build-web.mjs', import.meta.url))

const folders = new Map<boolean, string>()
const assets = new Map<boolean, Map<Installation, Promise<AssetStore>>>()

/**
 * Builds the pages if something has changed since, once in a worker's life; gives the folder.
 *
 * @param isPseudo in the languages that are there for tests, too.
 */
export const buildPages = (isPseudo = false): string => {
  const known = folders.get(isPseudo)
  if (known !== undefined) return known
  const args = isPseudo ? [script, '--pseudo'] : [script]
  execFileSync(process.execPath, args, { stdio: 'inherit' })
  const folder = join(built, isPseudo ? 'web-pseudo' : 'web')
  folders.set(isPseudo, folder)
  return folder
}

/** The built pages, in memory: compressed once for each installation, whichever test asks for them. */
export const builtAssets = (
  installation = plainInstallation,
  isPseudo = false,
): Promise<AssetStore> => {
  const all = assets.get(isPseudo) ?? new Map<Installation, Promise<AssetStore>>()
  const known = all.get(installation) ?? openAssetStore(buildPages(isPseudo), installation)
  assets.set(isPseudo, all.set(installation, known))
  return known
}

import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { type Installation, plainInstallation } from '../../src/domain/installation.ts'
import { type AssetStore, openAssetStore } from '../../src/site/assets/assets.ts'

const built = fileURLToPath(new URL('../../build/web', import.meta.url))
const script = fileURLToPath(new URL('../../scripts/build-web.mjs', import.meta.url))

let isBuilt = false
const assets = new Map<Installation, Promise<AssetStore>>()

/** Builds the pages if something has changed since, once in a worker's life; gives the folder. */
export const buildPages = (): string => {
  if (!isBuilt) execFileSync(process.execPath, [script], { stdio: 'inherit' })
  isBuilt = true
  return built
}

/** The built pages, in memory: compressed once for each installation, whichever test asks for them. */
export const builtAssets = (installation = plainInstallation): Promise<AssetStore> => {
  const known = assets.get(installation) ?? openAssetStore(buildPages(), installation)
  assets.set(installation, known)
  return known
}

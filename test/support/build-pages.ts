import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { type AssetStore, openAssetStore } from '../../src/site/assets/assets.ts'

const built = fileURLToPath(new URL('../../build/web', import.meta.url))
const script = fileURLToPath(new URL('../../scripts/build-web.mjs', import.meta.url))

let isBuilt = false
let assets: Promise<AssetStore> | null = null

/** Builds the pages if something has changed since, once in a worker's life; gives the folder. */
export const buildPages = (): string => {
  if (!isBuilt) execFileSync(process.execPath, [script], { stdio: 'inherit' })
  isBuilt = true
  return built
}

/** The built pages, in memory: compressed once, whichever test asks for them. */
export const builtAssets = (): Promise<AssetStore> => (assets ??= openAssetStore(buildPages()))

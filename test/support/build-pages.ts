import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const built = fileURLToPath(new URL('../../build/web', import.meta.url))
const script = fileURLToPath(new URL('../../scripts/build-web.mjs', import.meta.url))

/** Builds the pages if something has changed since; gives the folder. */
export const buildPages = (): string => {
  execFileSync(process.execPath, [script], { stdio: 'inherit' })
  return built
}

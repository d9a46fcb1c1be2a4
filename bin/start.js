// Starts a program: compiled where the package was installed, because Node takes types out of no file
// below node_modules; from its source in the repository. Plain JavaScript that older versions of Node
// understand, so that they can say what is missing.
import { existsSync } from 'node:fs'

const LEAST_NODE = 24

/** @param {string} name of the program. */
export const start = async (name) => {
  if (Number.parseInt(process.versions.node, 10) < LEAST_NODE) {
    process.stderr.write(
      `${name}: Node ${LEAST_NODE} or newer is needed, and this is ${process.versions.node}\n`,
    )
    process.exit(1)
  }
  const source = new URL(`../src/cli/${name}.ts`, import.meta.url)
  const compiled = new URL(`../dist/cli/${name}.js`, import.meta.url)
  await import(existsSync(source) ? source.href : compiled.href)
}

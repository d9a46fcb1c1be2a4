import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freshFolder, runScript } from '../support/processes.ts'

const cluster = fileURLToPath(new URL('../support/postgres-cluster.ts', import.meta.url))

test('a run that has had a database still ends with the code of what failed', async () => {
  const script = join(await freshFolder(), 'fails.ts')
  await writeFile(
    script,
    `import { startCluster } from ${JSON.stringify(cluster)}
const cluster = await startCluster()
await cluster.stop()
process.exitCode = 3
`,
  )
  expect(await runScript(script)).toMatchObject({ code: 3, stderr: '' })
})

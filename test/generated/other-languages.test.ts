import { execFile } from 'node:child_process'
import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { freshFolder } from '../support/processes.ts'

const script = fileURLToPath(new URL('../../scripts/generated-clients.ts', import.meta.url))

/** Runs it where the only programs are these, in the language of the shell. */
const runWith = async (programs: Readonly<Record<string, string>>) => {
  const folder = await freshFolder()
  for (const [name, text] of Object.entries(programs)) {
    await writeFile(join(folder, name), `#!/bin/sh\n${text}\n`)
    await chmod(join(folder, name), 0o755)
  }
  return new Promise<{ code: unknown; stdout: string }>((resolve) => {
    execFile(process.execPath, [script], { env: { PATH: folder } }, (error, stdout) =>
      resolve({ code: error?.code ?? 0, stdout }),
    )
  })
}

it('says which languages were not tried, and why', async () => {
  const { code, stdout } = await runWith({ 'openapi-python-client': 'true' })
  expect(code).toBe(3)
  expect(stdout).toBe(`Python: not tried, python3 not found in the PATH
Go: not tried, go and oapi-codegen not found in the PATH
C#: not tried, dotnet and nswag not found in the PATH
`)
})

it('gives each generator both documents, and tells what fails', async () => {
  // Fails for the document of the other service.
  const generate = `case "$(while read -r line || [ -n "$line" ]; do echo "$line"; done < api.json)" in
  *'Mapcrate tournament-pools API'*) echo why >&2; exit 2;;
esac`
  const tools = { go: 'true', 'oapi-codegen': generate }
  const { code, stdout } = await runWith(tools)
  expect(code).toBe(1)
  expect(stdout).toContain('Go, packs: compiles\n')
  expect(stdout).toMatch(/^Go, pools: fails at oapi-codegen .* api\.json\nwhy$/m)
  expect(stdout).toContain('Python: not tried')
})

// `npm run generated-clients`: makes clients of both OpenAPI documents in Python, Go and C#, with generators that are in
// the PATH, and compiles them. (Those in TypeScript are made, and talk to a server, in `test/generated/`.) The exit status
// is 1 where a client cannot be made or compiled, and 3 where there is no generator to try.
import { execFile } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { buildOpenapi } from '../src/contract/openapi/document.ts'
import { serviceNames } from '../src/contract/services.ts'

type Command = readonly [tool: string, ...args: string[]]

/** By the name of a language: what makes a client of `api.json` in the folder, and compiles it. */
const languages: Readonly<Record<string, readonly Command[]>> = {
  Python: [
    ['openapi-python-client', 'generate', '--path', 'api.json', '--output-path', 'client'],
    ['python3', '-m', 'compileall', '-q', 'client'],
  ],
  Go: [
    ['go', 'mod', 'init', 'client'],
    [
      'oapi-codegen',
      '-generate',
      'types,client',
      '-package',
      'client',
      '-o',
      'client.go',
      'api.json',
    ],
    ['go', 'mod', 'tidy'],
    ['go', 'vet', './...'],
  ],
  'C#': [
    ['dotnet', 'new', 'classlib', '--output', '.'],
    ['nswag', 'openapi2csclient', '/input:api.json', '/output:Client.cs', '/namespace:Client'],
    ['dotnet', 'add', 'package', 'Newtonsoft.Json'],
    ['dotnet', 'build'],
  ],
}

const places = (process.env['PATH'] ?? '').split(delimiter)
const endings = process.platform === 'win32' ? ['.exe', '.cmd'] : ['']

function isMissing(tool: string): boolean {
  const files = places.flatMap((place) => endings.map((ending) => join(place, tool + ending)))
  return !files.some((file) => {
    try {
      accessSync(file, constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

/** Returns what went wrong; null when nothing did. */
async function compile(commands: readonly Command[], api: object): Promise<string | null> {
  const folder = await mkdtemp(join(tmpdir(), 'mapcrate-client-'))
  const cwd = join(folder, 'client')
  try {
    await mkdir(cwd)
    await writeFile(join(cwd, 'api.json'), JSON.stringify(api))
    for (const [tool, ...args] of commands) {
      const made = promisify(execFile)(tool, args, { cwd, shell: process.platform === 'win32' })
      const failure = await made.then(
        () => null,
        (error: { stdout?: string; stderr?: string }) => `${error.stdout}${error.stderr}`.trim(),
      )
      if (failure !== null) return `${[tool, ...args].join(' ')}\n${failure}`
    }
    return null
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

let tried = 0
let failed = 0
for (const [language, commands] of Object.entries(languages)) {
  const missing = new Set(commands.map(([tool]) => tool).filter(isMissing))
  if (missing.size > 0) {
    console.log(`${language}: not tried, ${[...missing].join(' and ')} not found in the PATH`)
    continue
  }
  for (const service of serviceNames) {
    const addresses = { apiUrl: 'http://localhost', siteUrl: 'http://localhost' }
    const failure = await compile(
      commands,
      buildOpenapi(service, { ...addresses, keyPrefix: service }),
    )
    tried += 1
    if (failure !== null) failed += 1
    console.log(`${language}, ${service}: ${failure === null ? 'compiles' : `fails at ${failure}`}`)
  }
}
process.exitCode = tried === 0 ? 3 : Math.min(failed, 1)

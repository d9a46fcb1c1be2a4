import { execFile, spawn } from 'node:child_process'
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Host, openHouse } from '../support/house.ts'
import { findNodes, installPackage } from '../support/package-project.ts'
import { openSiteHouse, type SiteHouse } from '../support/site-house.ts'

// The package as those have it who install it: in a project of its own, without this repository.
const root = fileURLToPath(new URL('../../', import.meta.url))
const run = promisify(execFile)
const house = await openHouse()
let folder: string
let host: Host
let remove = async (): Promise<void> => {}

const nodes = await findNodes()

const cliGuide = await readFile(new URL('../../docs/cli.md', import.meta.url), 'utf8')
const walk = cliGuide.slice(0, cliGuide.indexOf('## What holds for all commands'))
const blocks = (language: string): string[] =>
  [...walk.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'gm'))].map(
    ([, text = '']) => text,
  )
const SLUG = 'q7Jm2_xT0a'

/** Checks the types of what the project's tsconfig names; the compiler's complaints are the error. */
const checkTypes = async (options: object, files: string[]): Promise<string> => {
  const config = {
    compilerOptions: {
      noEmit: true,
      strict: true,
      skipLibCheck: true,
      target: 'es2022',
      module: 'nodenext',
      types: [],
      ...options,
    },
    files,
  }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config))
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const result = await run(process.execPath, [tsc, '-p', folder]).catch((error) => error)
  return result.stdout
}
const withNode = {
  lib: ['es2022'],
  types: ['node'],
  typeRoots: [join(root, 'node_modules/@types')],
}

beforeAll(async () => {
  host = await house.host()
  const project = await installPackage()
  folder = project.folder
  remove = project.remove
})

afterAll(async () => {
  await house.close()
  await remove()
})

const installed = () => join(folder, 'node_modules/@mapcrate/client')

describe('the package', () => {
  it('brings guides, licence, what the entries and the program reach, and nothing else', async () => {
    expect((await readdir(installed())).toSorted()).toEqual(
      [
        'LICENSE',
        'README.md',
        'cli.md',
        'dist',
        'format-table.md',
        'formats.md',
        'package.json',
        'tournaments.md',
      ].toSorted(),
    )
    for (const guide of ['client.md', 'cli.md', 'formats.md', 'format-table.md']) {
      const name = guide === 'client.md' ? 'README.md' : guide
      const text = await readFile(join(installed(), name), 'utf8')
      expect(text).toBe(await readFile(join(root, 'docs', guide), 'utf8'))
      for (const [, target = ''] of text.matchAll(/\]\(([^)#:]+)\)/g)) {
        expect(await readdir(installed()), `${name} leads to ${target}`).toContain(target)
      }
    }
    const floors = await readdir(join(installed(), 'dist'), { withFileTypes: true })
    expect(
      floors
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(['cjs', 'cli', 'client', 'contract', 'formats', 'pool'])
  })

  it('needs one other package, for spreadsheet files: every other import leads to a file of its own', async () => {
    const dist = join(installed(), 'dist')
    const files = (await readdir(dist, { recursive: true })).filter((name) =>
      /\.js$|\.ts$/.test(name),
    )
    expect(files.length).toBeGreaterThan(50)
    for (const file of files) {
      const text = await readFile(join(dist, file), 'utf8')
      for (const [, target = ''] of text.matchAll(
        /\b(?:from |import |import\(|require\()['"]([^'"]+)['"]/g,
      )) {
        const isLazy = target === 'hucre/xlsx' && file.endsWith('files/workbook.js')
        if (isLazy) continue
        // The command line runs in Node alone; all else runs in browsers, too.
        const own = file.startsWith('cli/') ? /^\.\.?\/.*\.js$|^node:/ : /^\.\.?\/.*\.js$/
        expect(target, file).toMatch(own)
      }
    }
    const manifest = JSON.parse(await readFile(join(installed(), 'package.json'), 'utf8'))
    expect(Object.keys(manifest.dependencies)).toEqual(['hucre'])
    expect(Object.keys(manifest.exports)).toEqual([
      '.',
      './packs',
      './pool',
      './formats',
      './package.json',
    ])
    expect(await readdir(join(folder, 'node_modules/@mapcrate'))).toEqual(['client'])
  })

  it('a program of a page that only reads packs is at most 5 KB, compressed', async () => {
    const text = `
      import { createReader } from '@mapcrate/client/packs'
      const reader = createReader({ baseUrl: 'https://packs.test', key: globalThis.packsKey })
      for await (const { name } of reader.iteratePacks()) document.title = name\n`
    await writeFile(join(folder, 'reads.mjs'), text)
    const { build } = await import('vite')
    const built = await build({
      configFile: false,
      root: folder,
      logLevel: 'silent',
      build: {
        write: false,
        target: 'es2022',
        modulePreload: false,
        rolldownOptions: { input: join(folder, 'reads.mjs') },
      },
    })
    const codes = [built].flat().flatMap((each) => ('output' in each ? each.output : []))
    const sizes = codes.map((each) => ('code' in each ? gzipSync(each.code).length : 0))
    expect(sizes).toHaveLength(1)
    expect(sizes[0]).toBeLessThanOrEqual(5000)
    expect(sizes[0]).toBeGreaterThan(2000)
  })
})

describe('its types', () => {
  const program = `
    import { createClient, MapcrateError, type Pack, type PackInput } from '@mapcrate/client'
    import { decodePackKey, type Pool } from '@mapcrate/client/pool'
    import { readImport, writeRound } from '@mapcrate/client/formats'

    const client = createClient({ baseUrl: 'https://packs.test', key: 'packs_x' })
    const input: PackInput = { name: 'Finals', slots: [{ mod: 'NM', index: 1, beatmapId: 1 }] }
    const pack: Pack = await client.createPack(input, { idempotencyKey: 'a' })
    const stars: number | null | undefined = pack.stats?.srMax
    const mod: string | null = pack.slots[0]!.mod
    for (const bucket of pack.buckets ?? []) if ('color' in bucket) bucket.mods?.kind satisfies string | undefined
    for await (const { slug } of client.iterateMyPacks()) slug satisfies string
    const total: number = (await client.listPacks({ page: 2 })).total
    const gameId: number = (await client.getMe()).gameId
    const pool: Pool = decodePackKey(pack.packKey)
    const round: string = writeRound(pool)
    await client.createPack(pool)
    const draft = readImport('NM1 1').pools[0]?.draft
    const left: number | undefined = client.quota.writes?.remaining
    const { data, requestId, ignoredFields } = await client.createPack(input).withResponse()
    const words: [Pack, string | null, readonly string[]] = [data, requestId, ignoredFields]
    await client.deletePack(words[0].slug, { ifMatch: data, timeout: 5_000 })
    await client.replacePack(pack.slug, { ...pack, name: draft.name })
    const error: unknown = null
    if (error instanceof MapcrateError) {
      error.code satisfies 'gone' | 'bad_request' | 'unauthorized' | 'invalid_api_key' | 'not_found'
        | 'method_not_allowed' | 'conflict' | 'precondition_failed' | 'too_large' | 'unsupported_media_type' | 'rate_limited'
        | 'internal_error' | 'unavailable' | 'forbidden' | 'precondition_required' | 'unreachable' | 'timed_out' | 'unexpected_answer'
      error.retryAfter satisfies number | null
    }
    export { stars, mod, total, gameId, round, left }
  `

  /** A CommonJS module has no `await` of its own. */
  const inFunction = (text: string): string => {
    const [, imports = '', body = ''] =
      /^((?:\s*import [^\n]*\n)*)(.*)\s+export \{.*\}\s*$/s.exec(text) ?? []
    return `${imports}export const run = async () => {${body}\nreturn [stars, mod, total, gameId, round, left] }\n`
  }

  it.each<[string, object]>([
    ['in a browser, behind a bundler', { lib: ['es2022', 'dom'], module: 'preserve' }],
    ['in Node, strictly', { ...withNode, exactOptionalPropertyTypes: true }],
  ])('stand on their own %s', async (_where, options) => {
    await writeFile(join(folder, 'program.ts'), program)
    expect(await checkTypes({ ...options, skipLibCheck: false }, ['program.ts'])).toBe('')
  })

  it('refuse what is wrong', async () => {
    const wrong = [
      ["client.createPack({ name: 'Finals' })", "'slots'"],
      ["client.createPack({ name: 'A', slots: [{ mod: 1, index: 1, beatmapId: 1 }] })", 'number'],
      ["client.replacePack({ name: 'Finals', slots: [] })", 'argument'],
      ['client.getMe().then((user) => user.name)', "'name'"],
      ['client.getPack(slug).then((pack) => pack.stats.srMax)', 'undefined'],
      ["client.listPacks({ page: '2' })", 'string'],
      ['client.patchPack(slug)', "'patchPack'"],
    ] as const
    const head = `import { createClient } from '@mapcrate/client'; declare const slug: string; const client = createClient({ baseUrl: '', key: '' })\n`
    const lines = wrong.map(([expression]) => `await ${expression}\n`)
    await writeFile(join(folder, 'wrong.ts'), head + lines.join(''))
    const output = await checkTypes(withNode, ['wrong.ts'])
    const complaints = output.split(/^(?=\S*wrong\.ts\()/m)
    expect(complaints).toHaveLength(wrong.length)
    for (const [at, [, complaint]] of wrong.entries()) {
      expect(complaints[at]).toContain(`wrong.ts(${at + 2},`)
      expect(complaints[at]).toContain(complaint)
    }
  })

  it('are those of the contract, to the last field', async () => {
    const modules = {
      packs: ['Pack', 'PackInput', 'PackPage', 'MagnetExport', 'Stats'],
      pools: ['Slot', 'Bucket', 'BuiltinBucket', 'CustomBucket', 'BucketMods'],
      accounts: ['User'],
      tournaments: ['TournamentInput', 'TournamentPatch', 'TournamentPage'],
      // Of rounds, the package also says which numbers `bestOf` can be.
      rounds: ['SlotChanges', 'RoundTargets', 'RoundSlot'],
      staff: ['StaffMember'],
      discussion: [
        'Candidate',
        'CandidateInput',
        'CandidateMove',
        'Remark',
        'RemarkInput',
        'RemarkPatch',
      ],
      checks: ['Check'],
    }
    const lines = Object.entries(modules).flatMap(([module, names]) =>
      names.map(
        (name) => `
          import type { ${name} } from '@mapcrate/client'
          import type { ${name} as Own${name} } from '${root}src/contract/${module}.ts'
          export const same${name}: Same<${name}, Own${name}> = true`,
      ),
    )
    const text = `
      type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
      export const different: Same<Slot, Omit<Slot, 'mod'> & { mod: string }> = false
      ${lines.join('\n')}\n`
    await writeFile(join(folder, 'same.ts'), text)
    const options = { lib: ['es2024', 'dom'], allowImportingTsExtensions: true }
    expect(await checkTypes(options, ['same.ts'])).toBe('')
  })

  it('hold in the examples', async () => {
    const options = { ...withNode, allowJs: true, checkJs: true }
    const examples = (await readdir(join(root, 'examples'))).filter((name) => name.endsWith('.mjs'))
    expect(await checkTypes(options, examples)).toBe('')
  })

  it.each(['node16', 'nodenext'])(
    'hold in a CommonJS program with %s resolution',
    async (module) => {
      await writeFile(join(folder, 'program.cts'), inFunction(program))
      const options = { ...withNode, module, skipLibCheck: false }
      expect(await checkTypes(options, ['program.cts'])).toBe('')
    },
  )

  it('hold in the documentation, strictly', async () => {
    const doc = await readFile(join(root, 'docs/client.md'), 'utf8')
    const blocks = [...doc.matchAll(/^```js\n(.*?)^```/gms)].map(([, code = '']) => code)
    expect(blocks.length).toBeGreaterThan(8)
    const files = blocks.map((_, at) => `doc-${at}.ts`)
    for (const [at, file] of files.entries()) {
      await writeFile(join(folder, file), `${blocks[at]}\nexport {}\n`)
    }
    const globals = `
      import type { PackInput, PacksClient, PoolsClient } from '@mapcrate/client'
      declare global {
        var client: PacksClient
        var pools: PoolsClient
        var input: PackInput
        var inputs: PackInput[]
        var slug: string, id: string, key: string, message: string, text: string
        var row: { id: number }
        var reply: (text: string) => void
        var loadCursor: () => Promise<string | undefined>
        var saveCursor: (cursor: string) => Promise<void>
        var announce: (kind: string, slug: string) => Promise<void>
      }\n`
    await writeFile(join(folder, 'globals.d.ts'), globals)
    expect(await checkTypes(withNode, [...files, 'globals.d.ts'])).toBe('')
  })
})

describe.each(nodes)('on Node %s', (version, node) => {
  /** Runs a program of the project with these lines as its input. */
  const runProgram = async (file: string, input: string): Promise<string> => {
    const child = spawn(node, [file], {
      cwd: folder,
      env: { ...process.env, MAPCRATE_URL: house.doors.packs.url, MAPCRATE_KEY: host.key },
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    child.stdin.end(input)
    let output = ''
    child.stdout.on('data', (bytes: Buffer) => (output += bytes.toString()))
    const code = await new Promise((resolve) => child.on('close', resolve))
    expect(code).toBe(0)
    return output
  }

  /** Runs an example with arguments; gives its exit code and all that it said. */
  const runExample = async (file: string, args: string[], key: string) => {
    const env = { ...process.env, MAPCRATE_URL: house.doors.packs.url, MAPCRATE_KEY: key }
    const child = spawn(node, [file, ...args], { cwd: folder, env })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text))
    return [await new Promise((resolve) => child.on('close', resolve)), output]
  }

  it('every entry can be loaded, and gives what it says', async () => {
    const text = `
      import * as client from '@mapcrate/client'
      import * as packs from '@mapcrate/client/packs'
      import * as pool from '@mapcrate/client/pool'
      import * as formats from '@mapcrate/client/formats'
      console.log(JSON.stringify([client, packs, pool, formats].map((entry) => Object.keys(entry))))\n`
    await writeFile(join(folder, 'load.mjs'), text)
    const [client, packs, pool, formats] = JSON.parse(await runProgram('load.mjs', ''))
    expect(client).toEqual(['MapcrateError', 'createClient', 'createPoolsClient', 'createReader'])
    expect(packs).toEqual(['MapcrateError', 'createClient', 'createReader'])
    expect(pool).toEqual(expect.arrayContaining(['completePool', 'encodePackKey', 'findPackKey']))
    expect(formats).toEqual(expect.arrayContaining(['readImport', 'mergeRound', 'readCollections']))
  })

  it('every entry can be loaded by require, too', async () => {
    const text = `
      const entries = ['', '/packs', '/pool', '/formats'].map((name) => require('@mapcrate/client' + name))
      console.log(JSON.stringify(entries.map((entry) => Object.keys(entry).length)))
      const { createClient, MapcrateError } = entries[0]
      createClient({ baseUrl: process.env.MAPCRATE_URL, key: process.env.MAPCRATE_KEY })
        .getPack('nobodyhas1')
        .catch((error) => console.log(error instanceof MapcrateError, error.code))\n`
    await writeFile(join(folder, 'load.cjs'), text)
    const [counts = '', ...rest] = (await runProgram('load.cjs', '')).trim().split('\n')
    expect(rest).toEqual(['true not_found'])
    expect(JSON.parse(counts)).toEqual([4, 3, 25, 21].map(() => expect.any(Number)))
    expect(Math.min(...JSON.parse(counts))).toBe(3)
  })

  it('a newcomer saves a paste and takes a round for the tournament client out of it', async () => {
    const text = `
      import { createClient } from '@mapcrate/client'
      import { completePool } from '@mapcrate/client/pool'
      import { readImport, writeRound } from '@mapcrate/client/formats'
      const client = createClient({ baseUrl: process.env.MAPCRATE_URL, key: process.env.MAPCRATE_KEY })
      const { pools: [{ draft }] } = readImport('NM1\\t129891\\nHD1\\t75\\n', { into: { name: 'Semifinals', slots: [] } })
      const { slug, packKey } = await client.createPack(draft)
      const pack = await client.getPack(slug)
      console.log(JSON.stringify([packKey, JSON.parse(writeRound(completePool(pack)))]))
      await client.deletePack(slug)\n`
    await writeFile(join(folder, 'newcomer.mjs'), text)
    const [packKey, bracket] = JSON.parse(await runProgram('newcomer.mjs', ''))
    expect(packKey).toMatch(/^pk1\./)
    expect(JSON.stringify(bracket)).toContain('"ID":129891')
  })

  it('examples/chat-pool-command.mjs answers', async () => {
    const slug = await host.save({
      name: 'Autumn Cup',
      slots: [
        { mod: 'TB', index: 1, beatmapId: 300 },
        { mod: 'HD', index: 1, beatmapId: 200 },
        { mod: 'NM', index: 2, beatmapId: 101 },
      ],
    })
    const { packKey } = (await host.get(`/packs/${slug}`)).json.pack
    const lines = [
      'hello',
      `!pool ${slug}`,
      `!pool ${slug} hd1`,
      `!pool ${slug} NM1`,
      `!pool ${packKey}`,
      '!pool nobodyhas1',
      '!pool what',
      '!pool',
      `!pool ${packKey.slice(0, -1)}`,
    ]
    const output = await runProgram('chat-pool-command.mjs', lines.join('\n'))
    expect(output.trim().split('\n')).toEqual([
      'Autumn Cup: NM2 101 · HD1 200 · TB 300',
      'HD1 is 200',
      'Autumn Cup has no NM1.',
      'Autumn Cup: NM2 101 · HD1 200 · TB 300',
      'There is no pack nobodyhas1.',
      'There is no pack what.',
      'Say !pool and a pack: its slug or its pack key.',
      expect.stringMatching(/^This pack key /),
    ])
  })

  it('examples/sheet-to-pack.mjs keeps a pack like a sheet', async () => {
    const player = await house.host()
    const slug = await player.save({
      name: 'Autumn Cup',
      visibility: 'public',
      description: 'Kept like a sheet',
      slots: [{ mod: 'RC', index: 1, beatmapId: 1 }],
      buckets: [{ code: 'RC', color: 4 }],
    })
    const sync = async (sheet: string) => {
      await writeFile(join(folder, 'sheet.csv'), sheet)
      return runExample('sheet-to-pack.mjs', [slug, 'sheet.csv'], player.key)
    }
    const sheet = 'Slot,Link\nRC1,https://osu.ppy.sh/b/75\nTB,76\n'
    expect(await sync(sheet)).toEqual([0, 'Saved 2 beatmaps.\n'])
    expect(await sync(sheet)).toEqual([0, 'Nothing has changed.\n'])
    expect(await sync(`${sheet}NM1,soon\n`)).toEqual([
      0,
      'Line 4: it has no beatmap yet and is left out.\nNothing has changed.\n',
    ])
    expect(await sync(`${sheet}NM1,https://osu.ppy.sh/beatmapsets/9\n`)).toEqual([
      1,
      expect.stringMatching(/^Line 4: .*\nThe pack stays as it is\.\n$/),
    ])
    expect((await player.get(`/packs/${slug}`)).json.pack).toMatchObject({
      visibility: 'public',
      description: 'Kept like a sheet',
      slots: [{ beatmapId: 75 }, { beatmapId: 76 }],
    })
  })

  it('examples/round-exporter.mjs writes rounds and merges them', async () => {
    const player = await house.host()
    const slugs = [
      await player.save({ name: 'Semifinals', slots: [{ mod: 'NM', index: 1, beatmapId: 75 }] }),
      await player.save({ name: 'Finals', slots: [{ mod: 'HD', index: 1, beatmapId: 76 }] }),
    ]
    const file = `bracket-${version}.json`
    const args = [file, ...slugs]
    const told = [0, 'Semifinals: 1 beatmaps\nFinals: 1 beatmaps\n']
    expect(await runExample('round-exporter.mjs', args, player.key)).toEqual(told)
    const first = await readFile(join(folder, file), 'utf8')
    expect(await runExample('round-exporter.mjs', args, player.key)).toEqual(told)
    expect(await readFile(join(folder, file), 'utf8')).toBe(first)
    const rounds: { Name: string; Beatmaps: unknown }[] = JSON.parse(first).Rounds
    expect(rounds.map(({ Name, Beatmaps }) => [Name, Beatmaps])).toEqual([
      ['Semifinals', [{ ID: 75, Mods: 'NM' }]],
      ['Finals', [{ ID: 76, Mods: 'HD' }]],
    ])
  })
})

describe('its program, for a newcomer who has a key and follows docs/cli.md', () => {
  let site: SiteHouse
  beforeAll(async () => {
    site = await openSiteHouse()
  })
  afterAll(() => site.close())

  describe.each(nodes)('on Node %s, from the package alone', (version, node) => {
    const env = (settings: string) => ({
      PATH: [join(folder, 'node_modules/.bin'), dirname(node), process.env['PATH']].join(delimiter),
      HOME: settings,
      XDG_CONFIG_HOME: settings,
    })

    it('npx mapcrate --version says which', async () => {
      const settings = join(folder, `npx-${version}`)
      await mkdir(settings)
      const { stdout } = await run('npx', ['--offline', 'mapcrate', '--version'], {
        cwd: folder,
        env: env(settings),
      })
      const manifest = join(folder, 'node_modules/@mapcrate/client/package.json')
      expect(stdout.trim()).toBe(JSON.parse(await readFile(manifest, 'utf8')).version)
    })

    it('docs/cli.md leads from a pasted sheet to a round', async () => {
      const here = join(folder, `walk-${version}`)
      await mkdir(here)
      const { key } = await site.hostOf(7000 + nodes.findIndex(([each]) => each === version), 'Ada')

      const does = async (command: string, input = ''): Promise<string> => {
        const child = spawn('sh', ['-c', command], { cwd: here, env: env(here) })
        child.stdin.end(input)
        let [stdout, stderr] = ['', '']
        child.stdout.on('data', (text) => (stdout += text))
        child.stderr.on('data', (text) => (stderr += text))
        const code = await new Promise((resolve) => child.on('close', resolve))
        expect({ command, code, stderr: code === 0 ? '' : stderr }).toEqual({
          command,
          code: 0,
          stderr: '',
        })
        return stdout
      }

      await does('mapcrate login', `${site.urls.packs}\n${key}\n`)
      expect(await does('mapcrate me --json')).toContain('"Ada"')
      const [sheet = ''] = blocks('tsv')
      const [first = '', ...rest] = blocks('sh').flatMap((block) => block.trim().split('\n'))
      const saved = await does(first, sheet)
      const slug = saved.slice(0, SLUG.length)
      const [sample = ''] = blocks('text').filter((block) => block.startsWith(SLUG))
      expect(saved).toBe(
        sample.replaceAll(SLUG, slug).replace('https://mapcrate.test', site.urls.packs),
      )
      const outputs: string[] = []
      for (const command of rest) outputs.push(await does(command.replaceAll(SLUG, slug)))
      const bracket = JSON.parse(await readFile(join(here, 'bracket.json'), 'utf8'))
      expect(bracket.Rounds).toMatchObject([
        {
          Name: 'Semifinals',
          Beatmaps: [
            { ID: 129891, Mods: 'NM' },
            { ID: 75, Mods: 'NM' },
            { ID: 76, Mods: 'HD' },
            { ID: 77, Mods: 'TB' },
          ],
        },
      ])
      expect(outputs.join('')).toContain('# NM1\n!mp map 129891 0\n!mp mods NF\n')
      expect((await readFile(join(here, 'Semifinals.osdb'))).length).toBeGreaterThan(100)
    })
  })

  it('the walk names no command that there is not', () => {
    for (const [, name = ''] of walk.matchAll(/^mapcrate ([a-z]+)/gm)) {
      // Those of a group have a heading each: `tournament list`.
      expect(cliGuide).toMatch(new RegExp(`\n## ${name}(?: [a-z]+)?: `))
    }
  })
})

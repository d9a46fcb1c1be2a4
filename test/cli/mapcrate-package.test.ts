import { execFile, spawn } from 'node:child_process'
import { mkdir, readFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findNodes, installPackage } from '../support/package-project.ts'
import { openSiteHouse, type SiteHouse } from '../support/site-house.ts'

// A newcomer who has the package and a key, and follows docs/cli.md.
const guide = await readFile(new URL('../../docs/cli.md', import.meta.url), 'utf8')
const walk = guide.slice(0, guide.indexOf('## What holds for all commands'))
const blocks = (language: string): string[] =>
  [...walk.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'gm'))].map(
    ([, text = '']) => text,
  )
const SLUG = 'q7Jm2_xT0a'

const nodes = await findNodes()
let house: SiteHouse
let folder: string
let remove = async (): Promise<void> => {}

beforeAll(async () => {
  house = await openSiteHouse()
  const project = await installPackage()
  folder = project.folder
  remove = project.remove
})
afterAll(async () => {
  await house.close()
  await remove()
})

describe.each(nodes)(
  'on Node %s, from the package alone',
  { timeout: 240_000 },
  (version, node) => {
    const env = (settings: string) => ({
      PATH: [join(folder, 'node_modules/.bin'), dirname(node), process.env['PATH']].join(delimiter),
      HOME: settings,
      XDG_CONFIG_HOME: settings,
    })

    it('npx mapcrate --version says which', async () => {
      const settings = join(folder, `npx-${version}`)
      await mkdir(settings)
      const { stdout } = await promisify(execFile)('npx', ['--offline', 'mapcrate', '--version'], {
        cwd: folder,
        env: env(settings),
      })
      const manifest = join(folder, 'node_modules/@mapcrate/client/package.json')
      expect(stdout.trim()).toBe(JSON.parse(await readFile(manifest, 'utf8')).version)
    })

    it('docs/cli.md leads from a pasted sheet to a round', async () => {
      const here = join(folder, `walk-${version}`)
      await mkdir(here)
      const { key } = await house.hostOf(
        7000 + nodes.findIndex(([each]) => each === version),
        'Ada',
      )

      const run = async (command: string, input = ''): Promise<string> => {
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

      await run('mapcrate login', `${house.urls.packs}\n${key}\n`)
      expect(await run('mapcrate me --json')).toContain('"Ada"')
      const [sheet = ''] = blocks('tsv')
      const [first = '', ...rest] = blocks('sh').flatMap((block) => block.trim().split('\n'))
      const saved = await run(first, sheet)
      const slug = saved.slice(0, SLUG.length)
      const [sample = ''] = blocks('text').filter((block) => block.startsWith(SLUG))
      expect(saved).toBe(
        sample.replaceAll(SLUG, slug).replace('https://mapcrate.test', house.urls.packs),
      )
      const outputs: string[] = []
      for (const command of rest) outputs.push(await run(command.replaceAll(SLUG, slug)))
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
  },
)

it('the walk names no command that there is not', () => {
  for (const [, name = ''] of walk.matchAll(/^mapcrate ([a-z]+)/gm)) {
    // Those of a group have a heading each: `tournament list`.
    expect(guide).toMatch(new RegExp(`\n## ${name}(?: [a-z]+)?: `))
  }
})

import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { compareRounds, roundJson } from '../../src/cli/user/tournament/round-text.ts'
import { readRoundJson } from '../../src/formats/read-pool-json.ts'
import { roundFields, roundFieldWords } from '../../src/pool/round-fields.ts'
import { anyRound, drafted, type WholeRound } from '../support/any-round.ts'
import { openHouse } from '../support/house.ts'
import { freshFolder } from '../support/processes.ts'
import { runMapcrate } from '../support/run-mapcrate.ts'

const house = await openHouse()
afterAll(() => house.close())

describe('what hosts draft of a round', () => {
  it('comes back from the text that pull writes', () => {
    const property = fc.property(anyRound, (round) => {
      expect(readRoundJson(roundJson(round))).toEqual(round)
    })
    fc.assert(property)
  })

  it('is a change by itself, and it is listed', () => {
    const property = fc.property(anyRound, anyRound, (round, other) => {
      const isOther = (changed: WholeRound): void => {
        const isSame = JSON.stringify(changed) === JSON.stringify(round)
        expect(compareRounds(round, changed).length === 0).toBe(isSame)
      }
      for (const field of roundFields.names) isOther({ ...round, [field]: other[field] })
      const [{ mod, index }] = round.slots as [WholeRound['slots'][number]]
      isOther({ ...round, slots: [{ ...other.slots[0]!, mod, index }, ...round.slots.slice(1)] })
    })
    fc.assert(property)
  })
})

it('a round that is read as a pack names each field that packs have not, and only those', async () => {
  const host = await house.host()
  const folder = await freshFolder()
  const env = { MAPCRATE_URL: host.door.url, MAPCRATE_KEY: host.key }
  const [whole] = fc.sample(anyRound, { numRuns: 1, seed: 26 })
  const slots = [{ mod: 'NM', index: 1, beatmapId: 75 }]
  const tries = [[], ...roundFields.names.map((field) => [field]), roundFields.names]
  for (const fields of tries) {
    const own = Object.fromEntries(fields.map((field) => [field, whole![field]]))
    const words = [...roundFieldWords(own)].filter(([, value]) => value !== null)
    await writeFile(join(folder, 'round.json'), JSON.stringify({ name: 'Finals', slots, ...own }))
    const isWhole = fields.length > 1
    for (const options of [['--dry-run'], ...(isWhole ? [[], ['--json']] : [])]) {
      const { code, stderr } = await runMapcrate(['import', 'round.json', ...options], {
        env,
        cwd: folder,
      })
      expect(code, stderr).toBe(0)
      const said = words.map(([name]) => name).join(', ')
      if (said === '') expect(stderr).not.toContain('left out')
      else expect(stderr).toContain(`Finals: ${said} left out: only rounds have that`)
    }
  }
})

it('of a round without beatmaps beside one that has some, no pack is made, and nothing is said', async () => {
  const folder = await freshFolder()
  const slots = [{ mod: 'NM', index: 1, beatmapId: 75 }]
  const rounds = [
    { name: 'Finals', slots },
    { name: 'Semifinals', bestOf: 11, slots: [] },
  ]
  await writeFile(join(folder, 'rounds.json'), JSON.stringify({ name: 'Cup', rounds }))
  for (const args of [
    ['import', 'rounds.json', '--dry-run', '--json'],
    ['key', 'encode', 'rounds.json'],
  ]) {
    const { code, stdout, stderr } = await runMapcrate(args, { cwd: folder })
    expect(code, stderr).toBe(0)
    expect(stdout + stderr).not.toContain('Semifinals')
  }
})

it('a round with every field goes into a folder and back', async () => {
  const [round] = fc.sample(anyRound, { numRuns: 1, seed: 26 })
  const host = await house.host('pools')
  const { slug } = (
    await host.ask('POST', '/tournaments', { body: { name: 'Cup', ruleset: 'mania' } })
  ).json.tournament
  const path = `/tournaments/${slug}/rounds`
  const { id } = (await host.ask('POST', path, { body: round })).json.round
  const folder = await freshFolder()
  const run = async (...args: string[]): Promise<void> => {
    const env = { MAPCRATE_POOLS_URL: host.door.url, MAPCRATE_POOLS_KEY: host.key }
    expect(await runMapcrate(['tournament', ...args], { env })).toMatchObject({ code: 0 })
  }
  await run('pull', slug, folder)
  const files = (await readdir(folder)).filter((name) => /^[^.].*\.json$/.test(name))
  const [file = ''] = files.filter((name) => name !== 'tournament.json')
  const text = await readFile(join(folder, file), 'utf8')
  expect(readRoundJson(text)).toEqual(round)
  await writeFile(join(folder, file), text.replace(/"name": .*/, '"name": "Edited",'))
  await run('push', folder, '--yes')
  const { json } = await host.get(`${path}/${id}`)
  expect(drafted(json.round)).toEqual({ ...round, name: 'Edited' })
})

/** What is there of these fields. */
const only = (from: object, names: readonly string[]): object =>
  Object.fromEntries(Object.entries(from).filter(([name]) => names.includes(name)))

it('rounds with every field go from one tournament into another, new ones and those that are there', async () => {
  const [first, second, ...others] = fc.sample(anyRound, { numRuns: 4, seed: 27 })
  const rounds = [
    { ...first!, name: 'Semifinals' },
    { ...second!, name: 'Finals' },
    { name: 'Grand Finals', slots: [] },
  ]
  const host = await house.hostOf(12, 'Dee', 'pools')
  const tournament = async (drafts: readonly object[]): Promise<string> => {
    const body = { name: 'Cup', ruleset: 'mania' }
    const { slug } = (await host.ask('POST', '/tournaments', { body })).json.tournament
    for (const each of drafts) await host.ask('POST', `/tournaments/${slug}/rounds`, { body: each })
    house.clock.advance(60_000)
    return slug
  }
  const run = async (args: readonly string[], input = ''): Promise<string> => {
    house.clock.advance(60_000)
    const env = { MAPCRATE_POOLS_URL: host.door.url, MAPCRATE_POOLS_KEY: host.key }
    const ending = await runMapcrate(['tournament', ...args], { env, input })
    expect(ending).toMatchObject({ code: 0 })
    return ending.stdout
  }
  const fieldsOf = async (slug: string) => {
    const { json } = await host.get(`/tournaments/${slug}`)
    return json.tournament.rounds.map(({ name, ...round }: WholeRound) => ({
      name,
      ...roundFields.stored(round),
    }))
  }
  const wanted = rounds.map(({ name, ...round }) => ({ name, ...roundFields.stored(round) }))
  const from = await tournament(rounds)
  const input = await run(['export', from, '--drafts', '--as', 'json', '--no-details'])
  const steps = [
    await tournament([]),
    await tournament(rounds.map((each) => only(each, ['name', 'slots', 'buckets']))),
    await tournament(
      rounds.map((each, at) => ({ ...others[at], ...only(each, ['name', 'slots', 'buckets']) })),
    ),
  ]
  for (const slug of steps) {
    const shown = await run(['import', slug, '-', '--yes', '--replace-links'], input)
    expect(await fieldsOf(slug)).toEqual(wanted)
    const lines = shown.split('\n')
    for (const [what, to] of rounds.flatMap((each) => [
      ...roundFieldWords(roundFields.sent(each)),
    ])) {
      const isOf = (line: string): boolean =>
        line === `${what}: ${to}` || (line.startsWith(`${what}: `) && line.endsWith(` → ${to}`))
      expect([what, to === null || lines.some(isOf)]).toEqual([what, true])
    }
    expect(await run(['import', slug, '-', '--yes'], input)).toBe('')
  }
})

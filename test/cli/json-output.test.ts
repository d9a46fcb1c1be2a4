import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { loadAll } from '../../src/cli/user/user-commands.ts'
import { freshFolder } from '../support/processes.ts'
import { openTournamentHouse } from '../support/tournament-house.ts'
import { runMapcrate } from '../support/run-mapcrate.ts'
import { aPack } from '../support/samples.ts'

const scene = await openTournamentHouse()
const { house, host, saveAs } = scene
const packs = await house.host()
const file = join(await scene.longFolder(), 'pool.txt')
await writeFile(file, 'NM1 75\n')
const keyFile = `${file}.key`
await writeFile(keyFile, 'see pk1.AQFhAQICrAKFPA')
afterAll(() => scene.close())

const env = {
  MAPCRATE_URL: house.doors.packs.url,
  MAPCRATE_KEY: packs.key,
  MAPCRATE_POOLS_URL: host.door.url,
  MAPCRATE_POOLS_KEY: host.key,
}
const saved = () => packs.save(aPack())
const slugAnd = async (...words: string[]) => [await saved(), ...words]
const made = await host.ask('POST', '/tournaments', { body: { name: 'Cup' } })
const { slug } = made.json.tournament
const inCup = async (...words: string[]) => [slug, ...words]

/** The tournament and new rounds of these names. */
const withRounds = async (...names: string[]): Promise<string[]> => {
  for (const name of names) {
    const round = { name, slots: [{ mod: 'NM', index: 1, beatmapId: 75 }] }
    await saveAs(host, `/tournaments/${slug}/rounds`, round, 'POST')
  }
  return [slug, ...names]
}

/** Calls of each command that prints JSON, that change something and that change nothing. */
const calls: Readonly<Record<string, readonly (() => Promise<readonly string[]>)[]>> = {
  me: [async () => []],
  list: [async () => [], async () => ['--mine', '--page', '9']],
  get: [() => slugAnd()],
  create: [async () => [file]],
  replace: [() => slugAnd(file)],
  import: [async () => [file], async () => [file, '--dry-run']],
  key: [
    async () => ['encode', file],
    async () => ['find', keyFile],
    async () => ['decode', 'pk1.AQFhAQICrAKFPA'],
  ],
  sync: [
    async () => [await freshFolder(), '--yes'],
    async () => [await freshFolder(), '--dry-run'],
  ],
  history: [() => slugAnd(), () => slugAnd('--public', 'on'), () => slugAnd('--public', 'off')],
  diff: [
    async () => {
      const pack = await saved()
      await packs.put(pack, aPack({ name: 'Later' }))
      return [pack]
    },
  ],
  changes: [async () => []],
  usage: [async () => ['75']],
  'tournament list': [async () => [], async () => ['--mine']],
  'tournament new': [async () => ['Cup']],
  'tournament set': [() => inCup('--year', '2026'), () => inCup('--year', '2026')],
  'tournament staff': [() => inCup(), () => inCup('8', 'pooler'), () => inCup('8', '--remove')],
  'tournament import': [
    () => inCup(file, '--round', 'Pool', '--yes'),
    () => inCup(file, '--round', 'Pool', '--yes'),
  ],
  'tournament round': [
    () => inCup('Finals', '--new'),
    () => inCup('Finals', '--best-of', '9'),
    () => inCup('Finals', '--best-of', '9'),
    async () => [...(await withRounds('A', 'B')), '--best-of', '9'],
    () => inCup('A', 'B', '--best-of', '9'),
    () => inCup('A', '--remove', '--yes'),
    async () => [...(await withRounds('C', 'D')), '--remove', '--yes'],
  ],
  'tournament show': [() => inCup(), () => inCup('--round', 'B')],
  'tournament slot': [() => inCup('B', 'NM1', '99'), () => inCup('B', 'NM1', '99')],
  'tournament checks': [() => inCup(), () => inCup('B')],
  'tournament history': [() => inCup('B'), () => inCup('B', '1')],
  'tournament pull': [async () => [slug, await freshFolder()]],
  'tournament push': [
    async () => {
      const folder = await freshFolder()
      await scene.done(['pull', slug, folder])
      return [folder, '--yes']
    },
  ],
  'tournament withdraw': [
    () => inCup('B'),
    async () => {
      await scene.done(['release', slug, 'B', '--yes'])
      return [slug, 'B', '--yes']
    },
  ],
  'tournament release': [
    () => inCup('B', '--yes'),
    () => inCup('B', '--at', '2099-01-01T00:00:00Z', '--yes'),
  ],
  'tournament deleted': [() => inCup()],
  'tournament restore': [() => inCup('A'), () => inCup('A')],
}

describe('--json prints one JSON document, whether or not anything was to be done', () => {
  it.each(
    Object.entries(calls).flatMap(([name, each]) => each.map((call) => [name, call] as const)),
  )('%s, %#', async (name, call) => {
    const words = await call()
    house.clock.advance(60_000)
    const { code, stdout, stderr } = await runMapcrate([...name.split(' '), ...words, '--json'], {
      env,
    })
    expect({ words, code, stderr }).toMatchObject({ words, code: 0 })
    expect(() => JSON.parse(stdout), stdout).not.toThrow()
  })

  it('of every command that has it; those that follow print lines', async () => {
    const commands = await loadAll()
    const printing = commands.filter(({ options = [] }) =>
      options.some(({ name }) => name === 'json'),
    )
    const following = ['watch', 'tournament watch']
    expect([...Object.keys(calls), ...following].toSorted()).toEqual(
      printing.map(({ name }) => name).toSorted(),
    )
  })
})

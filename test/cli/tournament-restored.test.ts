import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { freeName } from '../../src/cli/user/files.ts'
import { openTournamentHouse } from '../support/tournament-house.ts'

const scene = await openTournamentHouse()
const { host, runAs, done, jsonOf, drafted, longFolder, read, edit } = scene
afterAll(() => scene.close())

type Named = { readonly id: string; readonly name: string }

const drafts = async (): Promise<{ slug: string; folder: string }> => {
  const slug = await drafted()
  const folder = join(await longFolder(), 'hlc')
  await done(['pull', slug, folder])
  return { slug, folder }
}
const roundsOf = async (slug: string): Promise<Named[]> => (await jsonOf(['show', slug])).rounds
type Index = {
  readonly rounds: readonly string[]
  readonly pulled: { readonly rounds: readonly { readonly id: string; readonly file: string }[] }
}
const indexOf = async (folder: string): Promise<Index> =>
  JSON.parse(await readFile(join(folder, 'tournament.json'), 'utf8')) as Index

describe('the file of a round that is removed and restored', () => {
  it('finds its file again when it was removed and restored, however often, with your changes (D-82)', async () => {
    const { slug, folder } = await drafts()
    const id = (await scene.idsOf(slug))['Qualifiers']!
    await edit(folder, 'Qualifiers.json', (round) => ({ ...round, bans: 1 }))
    const files = await readdir(folder)
    for (let time = 0; time < 3; time += 1) {
      await done(['round', slug, 'Qualifiers', '--remove', '--yes'])
      expect((await runAs(host, ['pull', slug, folder])).code).toBe(3)
      await done(['restore', slug, id])
      expect((await done(['pull', slug, folder])).stderr).toMatch(/Qualifiers\.json has changes/)
    }
    expect(await readdir(folder)).toEqual(files)
    expect(await read(folder, 'Qualifiers.json')).toMatchObject({ name: 'Qualifiers', bans: 1 })
    await done(['push', folder, '--yes'])
    const { rounds } = await jsonOf(['show', slug])
    expect(rounds.find((round: { id: string }) => round.id === id)).toMatchObject({ bans: 1 })
  })

  it('is the only one, whatever else happens: each round has one file, and no command fails (D-82, D-83)', async () => {
    const step = fc.record({
      act: fc.constantFrom('remove', 'restore', 'rename', 'edit', 'unlink', 'pull', 'pull', 'push'),
      at: fc.nat(1),
      name: fc.constantFrom('Finals', 'FINALS', 'Qualifiers'),
      bans: fc.nat(5),
    })
    const anySteps = fc.array(step, { minLength: 6, maxLength: 14 })
    const property = fc.asyncProperty(anySteps, async (steps) => {
      const { slug, folder } = await drafts()
      const ids = Object.values(await scene.idsOf(slug))
      const run = async (...args: string[]) => {
        const { code, stderr } = await runAs(host, args)
        expect([0, 3], stderr).toContain(code)
      }
      for (const { act, at, name, bans } of steps) {
        const id = ids[at]!
        const rounds = await roundsOf(slug)
        const isLive = rounds.some((each) => each.id === id)
        const isTaken = rounds.some((each) => each.name.toLowerCase() === name.toLowerCase())
        const file = (await indexOf(folder)).pulled.rounds.find((each) => each.id === id)?.file
        const isThere = file !== undefined && (await readdir(folder)).includes(file)
        if (act === 'remove' && isLive) await done(['round', slug, id, '--remove', '--yes'])
        if (act === 'restore' && !isLive) await done(['restore', slug, id])
        if (act === 'rename' && isLive && !isTaken) await done(['round', slug, id, '--name', name])
        if (act === 'edit' && isThere) await edit(folder, file, (own) => ({ ...own, bans }))
        if (act === 'unlink' && isThere && !isLive) await rm(join(folder, file))
        if (act === 'pull') await run('pull', slug, folder)
        if (act === 'push' && !(await isHalf(folder))) await run('push', folder, '--yes')
      }
      await run('pull', slug, folder, '--force')
      const left = await roundsOf(slug)
      const { pulled, rounds: listed } = await indexOf(folder)
      expect(pulled.rounds.map(({ id }) => id).toSorted()).toEqual(
        left.map(({ id }) => id).toSorted(),
      )
      expect(new Set(listed).size).toBe(left.length)
      const files = (await readdir(folder)).filter((each) => each.endsWith('.json'))
      expect(files.length).toBeLessThanOrEqual(1 + ids.length)
      await host.ask('DELETE', `/tournaments/${slug}`)
    })
    await fc.assert(property, { numRuns: 10 })
  })
})

it('restore that is run again restores nothing more, whatever else of the name is deleted (D-82)', async () => {
  for (const deletions of [1, 2, 3]) {
    for (const isById of [false, true]) {
      const slug = await drafted()
      const ids: string[] = []
      for (let time = 0; time < deletions; time += 1) {
        if (time > 0) await done(['round', slug, 'Finals', '--new'])
        else await done(['round', slug, 'Qualifiers', '--name', 'Finals'])
        ids.push((await scene.idsOf(slug))['Finals']!)
        await done(['round', slug, 'Finals', '--remove', '--yes'])
      }
      const run = () => runAs(host, ['restore', slug, isById ? ids[0]! : 'finals'])
      const first = await run()
      const isExact = isById || deletions === 1
      expect(first.code, first.stderr).toBe(isExact ? 0 : 2)
      if (!isExact) for (const id of ids) expect(first.stderr).toContain(id)
      const once = await roundsOf(slug)
      expect(once.filter(({ id }) => ids.includes(id))).toHaveLength(isExact ? 1 : 0)
      expect((await run()).code).toBe(first.code)
      expect(await roundsOf(slug)).toEqual(once)
    }
  }
})

it('a file gets a name that none has, in any case, whatever there is', () => {
  const anyName = fc.constantFrom('Finals.json', 'FINALS.json', 'Finals a.json', 'finals A 2.json')
  fc.assert(
    fc.property(fc.array(anyName), (taken) => {
      const name = freeName({ name: 'Finals', slug: 'a' }, taken)
      expect(taken.map((each) => each.toLowerCase())).not.toContain(name.toLowerCase())
    }),
  )
})

/** Whether a file that it lists is not there: then push refuses. */
const isHalf = async (folder: string): Promise<boolean> => {
  const files = await readdir(folder)
  return (await indexOf(folder)).rounds.some((each) => !files.includes(each))
}

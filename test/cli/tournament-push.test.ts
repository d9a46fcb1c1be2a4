import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { type FileContent, openTournamentHouse } from '../support/tournament-house.ts'

const scene = await openTournamentHouse()
const { host, runAs, done, jsonOf, drafted, longFolder, edit } = scene
afterAll(() => scene.close())

const drafts = async (): Promise<{ slug: string; folder: string }> => {
  const slug = await drafted()
  const folder = join(await longFolder(), 'hlc')
  await done(['pull', slug, folder])
  return { slug, folder }
}

describe('push', () => {
  it('a field that is misspelt removes nothing: it is named, and nothing is sent', async () => {
    const { slug, folder } = await drafts()
    const before = await jsonOf(['show', slug])
    const misspell = (file: string, name: string, as: string) =>
      edit(folder, file, ({ [name]: value, ...rest }) => ({ ...rest, [as]: value }))
    await edit(folder, 'Quarterfinals.json', (round) => ({ ...round, bestof: 9 }))
    await misspell('Qualifiers.json', 'slots', 'slot')
    await misspell('tournament.json', 'shortName', 'shortname')
    const { code, stderr } = await runAs(host, ['push', folder, '--yes'])
    expect(stderr)
      .toBe(`mapcrate tournament push: nothing was sent: tournament.json: there is no field shortname; is it shortName?
Qualifiers.json: slots must be a list
Quarterfinals.json: there is no field bestof; is it bestOf?
`)
    expect(code).toBe(1)
    expect(await jsonOf(['show', slug])).toEqual(before)
  })

  it.each([
    [1, /^Sent: nothing; perhaps: Qualifiers; not sent: Quarterfinals\.$/m],
    [2, /^Sent: Qualifiers; perhaps: Quarterfinals; not sent: nothing else\.$/m],
  ])(
    'says of write %i, whose answer is lost, that it may be saved; the next goes on',
    async (nth, words) => {
      const { slug, folder } = await drafts()
      for (const name of ['Qualifiers.json', 'Quarterfinals.json']) {
        await edit(folder, name, ({ slots: [first, ...rest], ...round }) => {
          return { ...round, slots: [{ ...first, beatmapId: 80 }, ...rest] }
        })
      }
      const cut = await scene.withoutAnswers(nth, () => runAs(host, ['push', folder, '--yes']))
      expect(cut.stderr).toMatch(words)
      expect(cut.code).toBe(1)
      await done(['push', folder, '--yes'])
      const { rounds } = await jsonOf(['show', slug])
      const beatmaps = rounds.map(({ slots }: FileContent) => slots[0])
      const slot = { mod: 'NM', index: 1, beatmapId: 80 }
      expect(beatmaps).toEqual([slot, slot])
      expect((await done(['push', folder])).stderr).toBe('Nothing is to be sent.\n')
    },
  )
})

import { writeFile } from 'node:fs/promises'
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

/** Something happens before the nth request of a command; false if it made fewer. */
const before = async (nth: number, act: () => Promise<unknown>, work: () => Promise<unknown>) => {
  const real = globalThis.fetch
  let requests = 0
  globalThis.fetch = async (input, options) => {
    requests += 1
    if (requests === nth) await act()
    return real(input, options)
  }
  try {
    await work()
  } finally {
    globalThis.fetch = real
  }
  return requests >= nth
}

describe('what is written into the folder while a command runs', () => {
  it.each(['push', 'pull'])('is there after %s, and sent by the next push', async (command) => {
    for (let nth = 1; ; nth += 1) {
      const { slug, folder } = await drafts()
      const at = `${command}, request ${nth}`
      const bans = (value: number) => (round: FileContent) => ({ ...round, bans: value })
      const ids = await scene.idsOf(slug)
      const theirs = { changes: [{ mod: 'NM', index: 2, from: { beatmapId: 78 }, to: null }] }
      const path = `/tournaments/${slug}/rounds/${ids['Quarterfinals']}/slots`
      expect((await scene.saveAs(host, path, theirs)).status).toBe(200)
      await edit(folder, 'Qualifiers.json', bans(2))
      const write = async () => {
        await edit(folder, 'Quarterfinals.json', bans(1))
        await writeFile(join(folder, 'New.json'), '{ "name": "New", "slots": [] }')
        await edit(folder, 'tournament.json', (index) => ({
          ...index,
          year: 2031,
          rounds: [...(index['rounds'] as string[]), 'New.json'],
        }))
      }
      const args = command === 'push' ? ['push', folder, '--yes'] : ['pull', slug, folder]
      const isOver = !(await before(nth, write, () => runAs(host, args)))
      if (isOver) return expect(nth).toBeGreaterThan(1)
      expect(await scene.read(folder, 'tournament.json'), at).toMatchObject({
        year: 2031,
        rounds: ['Qualifiers.json', 'Quarterfinals.json', 'New.json'],
      })
      await done(['pull', slug, folder])
      await done(['push', folder, '--yes'])
      expect(await jsonOf(['show', slug]), at).toMatchObject({
        year: 2031,
        rounds: [
          { name: 'Qualifiers', bans: 2 },
          { name: 'Quarterfinals', bans: 1, slots: [{}, { mod: 'NM', index: 2 }, {}] },
          { name: 'New' },
        ],
      })
    }
  })
})

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

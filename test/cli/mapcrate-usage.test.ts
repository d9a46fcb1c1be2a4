import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Host, openHouse } from '../support/house.ts'
import { openTournament } from '../support/public-tournament.ts'
import { type RunOptions, runMapcrate } from '../support/run-mapcrate.ts'
import { holding, newBeatmap, takeOver } from '../support/usage-scene.ts'
import { accountIdOf, seed } from '../api/seed.ts'

const house = await openHouse()
afterAll(() => house.close())

let owner: Host
let reader: Host

beforeAll(async () => {
  owner = await house.hostOf(7, 'Ada')
  reader = await house.hostOf(8, 'Ben', 'pools')
})

const run = (args: readonly string[], options: RunOptions = {}) => {
  house.clock.advance(60_000)
  const env = { MAPCRATE_POOLS_URL: reader.door.url, MAPCRATE_POOLS_KEY: reader.key }
  return runMapcrate(['usage', ...args], { env, ...options })
}

describe('mapcrate usage', () => {
  it('prints where a beatmap was pooled, by its id or a link to it (D-67)', async () => {
    const beatmapId = newBeatmap()
    const slug = await owner.save(holding(beatmapId, { name: 'Scrim' }))
    house.clock.advance(1000)
    const hostId = await accountIdOf(house, owner)
    const facts = { name: 'Harbour Lights Cup', year: 2036 }
    const slots = [{ mod: 'HD', index: 1, beatmapId }]
    const { rounds } = await openTournament(house.ports, hostId, facts, [
      { name: 'Finals', slots, at: 'now' },
    ])
    await takeOver(house.ports)
    for (const word of [String(beatmapId), `https://osu.ppy.sh/b/${beatmapId}`]) {
      const ended = await run([word])
      expect(ended).toMatchObject({ code: 0, stderr: '' })
      const [heads, first, second, ...others] = ended.stdout.trimEnd().split('\n')
      expect(heads).toMatch(/^SLOT +PACK +NAME +BY +SAVED$/)
      expect(first).toMatch(/^HD1 /)
      expect(first).toContain(rounds[0]!.packSlug)
      expect(first).toContain('Harbour Lights Cup 2036, Finals')
      expect(second).toMatch(new RegExp(`^NM2 +${slug} +Scrim +Ada +\\d{4}-\\d\\d-\\d\\d$`))
      expect(others).toEqual([])
    }
  })

  it('prints several beatmaps in one table, and says which were never pooled', async () => {
    const [a, never] = [newBeatmap(), newBeatmap()]
    await owner.save(holding(a))
    await takeOver(house.ports)
    const ended = await run([String(a), String(never), String(a)])
    expect(ended).toMatchObject({ code: 0, stderr: `Never pooled: ${never}.\n` })
    expect(ended.stdout).toMatch(/^BEATMAP +SLOT /)
    expect(ended.stdout).toContain(String(a))
    expect(await run([String(never)])).toMatchObject({
      code: 0,
      stdout: '',
      stderr: 'It was never pooled.\n',
    })
  })

  it('prints one page of 50, or all, and JSON as the API has it', async () => {
    const beatmapId = newBeatmap()
    const slugs = await seed(house, owner, 60, () => {
      house.clock.advance(1)
      return holding(beatmapId)
    })
    await takeOver(house.ports)
    const first = await run([String(beatmapId)])
    expect(first.stderr).toBe('Page 1 of 2, 60 slots; --all for all of them.\n')
    expect(first.stdout.trimEnd().split('\n')).toHaveLength(51)
    const second = JSON.parse((await run([String(beatmapId), '--page', '2', '--json'])).stdout)
    expect(second).toHaveLength(10)
    const all = JSON.parse((await run([String(beatmapId), '--all', '--json'])).stdout)
    expect(all.map(({ slug }: { slug: string }) => slug)).toEqual(slugs.toReversed())
    expect(all[0]).toMatchObject({ beatmapId, mod: 'NM', index: 2, ownerName: 'Ada' })
    expect((await run([String(beatmapId), '--page', '9'])).stderr).toBe(
      'There is nothing on this page.\n',
    )
  })

  it.each([
    [['NM1'], '"NM1" is no beatmap; give its id, or a link to it'],
    [['0'], '"0" is no beatmap'],
    [['2147483648'], '"2147483648" is no beatmap'],
    [['https://osu.ppy.sh/beatmapsets/39804'], 'leads to a whole set'],
    [['75', '--page', '0'], '--page "0" is no page'],
    [['75', '--all', '--page', '2'], 'give --all or --page, not both'],
    [[], 'BEATMAP is missing'],
    [Array.from({ length: 51 }, (_, at) => String(at + 1)), '51 beatmaps are too many'],
  ])('refuses %j as a usage error, before it asks anybody', async (args, message) => {
    const ended = await run(args, { env: {} })
    expect(ended).toMatchObject({ code: 2, stdout: '' })
    expect(ended.stderr).toContain(message)
  })

  it('names the login of that service when the key is refused', async () => {
    const env = {
      MAPCRATE_POOLS_URL: reader.door.url,
      MAPCRATE_POOLS_KEY: `pools_${'x'.repeat(43)}`,
    }
    const ended = await run(['75'], { env })
    expect(ended).toMatchObject({ code: 1, stdout: '' })
    expect(ended.stderr).toMatch(/log in again with: mapcrate login --service pools\n$/)
  })

  it('needs a login to the tournament-pools service', async () => {
    const ended = await run(['75'], { env: {} })
    expect(ended.code).toBe(1)
    expect(ended.stderr).toContain('mapcrate login --service pools')
  })
})

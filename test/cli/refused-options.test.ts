import { afterAll, expect, it } from 'vitest'
import type { UserCommand } from '../../src/cli/user/user-command.ts'
import { releaseCommand } from '../../src/cli/user/tournament/releases.ts'
import { roundCommand } from '../../src/cli/user/tournament/rounds.ts'
import { slotCommand } from '../../src/cli/user/tournament/slots.ts'
import { newCommand, setCommand } from '../../src/cli/user/tournament/tournaments.ts'
import { openTournamentHouse } from '../support/tournament-house.ts'

const scene = await openTournamentHouse()
const { done, host, newTournament, runAs } = scene
afterAll(() => scene.close())

const withFinals = async (): Promise<string> => {
  const slug = await newTournament('--rank-min', '1000')
  await done(['round', slug, 'Finals', '--new'])
  await done(['slot', slug, 'Finals', 'NM1', '75'])
  return slug
}

const values = ['', '0', '4', '99', '9999999', '9-8', '99-', 'ftp://x', 'x'.repeat(2001)]
/** What they say of what is no value, but a file, a slug or a slot, has the name of that. */
const ofOthers = ['from', 'discord', 'was']

const calls: [string, UserCommand, (slug: string) => readonly string[]][] = [
  ['new', newCommand, () => ['Cup']],
  ['set', setCommand, (slug) => [slug]],
  ['round', roundCommand, (slug) => [slug, 'Finals']],
  ['slot', slotCommand, (slug) => [slug, 'Finals', 'NM2', 'to come']],
  ['release', releaseCommand, (slug) => [slug, 'Finals', '--yes']],
]

it.each(calls)(
  '%s: a value that is refused is called by its option',
  async (name, command, words) => {
    const options = (command.options ?? []).filter(
      ({ name, takes }) => takes !== undefined && !ofOthers.includes(name),
    )
    const given = words(await withFinals())
    let refused = 0
    for (const option of options) {
      for (const value of values) {
        const { code, stdout, stderr } = await runAs(host, [
          name,
          ...given,
          `--${option.name}`,
          value,
        ])
        // An account may host twenty.
        if (code === 0 && name === 'new')
          await done(['delete', stdout.slice(0, 10), '--yes', 'Cup'])
        if (code === 0 && name === 'round' && option.name === 'name')
          await done(['round', given[0] ?? '', value, '--name', 'Finals'])
        if (code === 0) continue
        refused += 1
        const line = new RegExp(`^mapcrate tournament ${name}: --${option.name} `, 'm')
        expect(stderr, `--${option.name} ${value}`).toMatch(line)
        expect(stderr).not.toMatch(/\w\.\w+ must|\b[a-z]+[A-Z]\w+/)
      }
    }
    expect(refused).toBeGreaterThanOrEqual(options.length)
  },
)

it('several at once are all called by theirs, and a word by its name in the usage', async () => {
  const slug = await withFinals()
  const both = await runAs(host, ['round', slug, 'Finals', '--bans', '9', '--keys', '20'])
  expect(both.stderr).toMatch(/: --bans must be from 0 to 5; --keys must be from 1 to 18\n/)
  const ranks = await runAs(host, ['set', slug, '--rank-max', '5'])
  expect(ranks.stderr).toMatch(/: --rank-max must be at least --rank-min, which is 1000\n/)
  const word = await runAs(host, ['new', 'x'.repeat(65), '--short-name', 'X'])
  expect(word).toMatchObject({ code: 1, stderr: expect.stringMatching(/: NAME must have /) })
})

it('a slot that holds already what is said is told to be unchanged', async () => {
  const slug = await withFinals()
  for (const content of ['76', 'soon', '-', 'none', 'none']) {
    await done(['slot', slug, 'Finals', 'HD1', content])
    const again = await done(['slot', slug, 'Finals', 'HD1', content])
    expect(again).toMatchObject({ stdout: '', stderr: 'Nothing was changed.\n' })
  }
  const json = await done(['slot', slug, 'Finals', 'NM1', '75', '--json'])
  expect(JSON.parse(json.stdout)).toMatchObject({ name: 'Finals' })
})

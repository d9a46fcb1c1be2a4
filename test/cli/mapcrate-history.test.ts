import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { type Host, openHouse } from '../support/house.ts'
import { inTerminal, runMapcrate } from '../support/run-mapcrate.ts'
import { aPack } from '../support/samples.ts'

const house = await openHouse()
let host: Host
let slug: string
let env: Record<string, string>

afterAll(() => house.close())
/** Three versions: a draft, a public one, and one with another beatmap in NM1. */
beforeEach(async () => {
  host = await house.host()
  slug = await host.save(aPack({ visibility: 'private', description: 'Draft' }))
  await host.put(slug, aPack({ visibility: 'public' }))
  const slots = [{ mod: 'NM', index: 1, beatmapId: 75 }, ...aPack().slots.slice(1)]
  await host.put(slug, aPack({ visibility: 'public', slots }))
  env = { MAPCRATE_URL: host.door.url, MAPCRATE_KEY: host.key }
})

const run = (...args: string[]) => runMapcrate(args, { env })
const packNow = async () => (await host.get(`/packs/${slug}`)).json.pack
const asAnother = async () => ({ ...env, MAPCRATE_KEY: (await house.host()).key })

describe('history', () => {
  it('lists the versions, newest first: when, by whom, and what they changed', async () => {
    const { code, stdout } = await run('history', slug)
    const lines = stdout.split('\n').map((line) => line.split(/ {2,}/))
    expect(lines).toEqual([
      ['VERSION', 'SAVED (UTC)', 'BY', 'VISIBILITY', 'CHANGES'],
      [
        '3',
        expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d$/),
        host.username,
        'public',
        'NM1: 4392947 → 75',
      ],
      ['2', expect.any(String), host.username, 'public', 'Description removed: Draft'],
      ['', 'Visibility: private → public'],
      ['1', expect.any(String), host.username, 'private', 'created'],
      [''],
    ])
    expect(code).toBe(0)
  })

  it('takes the address of a page, and prints all versions as JSON, of all pages', async () => {
    for (let at = 1; at <= 50; at += 1) {
      house.clock.advance(60_000)
      await host.put(slug, aPack({ name: `Round ${at}` }))
    }
    const { stdout } = await run('history', `${host.door.url}/p/${slug}`, '--json')
    const versions = JSON.parse(stdout)
    expect(versions.map(({ version }: { version: number }) => version)).toEqual(
      Array.from({ length: 53 }, (_, at) => 53 - at),
    )
    expect(versions[0].changes).toEqual([{ kind: 'name', from: 'Round 49', to: 'Round 50' }])
  })

  it('shows the first ten changes of a version, and the beginning of long ones', async () => {
    const slots = Array.from({ length: 12 }, (_, at) => ({
      mod: 'NM',
      index: at + 1,
      beatmapId: 5,
    }))
    await host.put(slug, aPack({ visibility: 'public', slots, description: 'long '.repeat(99) }))
    const lines = (await run('history', slug)).stdout.split('\n')
    expect(lines[1]).toMatch(/Description added: long long .{70,}…$/)
    expect(lines[10]).toMatch(/^ +NM9 added: 5$/)
    expect(lines[11]).toMatch(/^ +and 5 more$/)
    expect(lines[12]).toMatch(/^3 /)
  })

  it('--public opens and closes it (D-70)', async () => {
    const other = await asAnother()
    const read = () => runMapcrate(['history', slug], { env: other })
    expect(await read()).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/there is no pack/),
    })
    const on = await run('history', slug, '--public', 'on')
    expect(on).toMatchObject({
      code: 0,
      stdout: `the history of ${slug} can be read by everyone who can read the pack\n`,
    })
    const { stdout } = await read()
    expect(stdout).toMatch(/^2 .* public$/m)
    expect(stdout).not.toMatch(/Draft|private/)
    const off = await run('history', slug, '--public', 'off')
    expect(off.stdout).toBe(`the history of ${slug} can be read by you alone\n`)
    expect((await read()).code).toBe(1)
    const wrong = await run('history', slug, '--public', 'yes')
    expect(wrong.stderr).toMatch(/--public "yes" is not known; give on, off/)
    expect(wrong.code).toBe(2)
  })
})

describe('diff', () => {
  it.each([
    ['the newest version against the one before', [], 'NM1: 4392947 → 75\n'],
    ['two versions', ['1', '2'], 'Description removed: Draft\nVisibility: private → public\n'],
    ['two versions in the other order', ['3', '2'], 'NM1: 75 → 4392947\n'],
    [
      'one version against the pack as it is now',
      ['1'],
      'Description removed: Draft\nVisibility: private → public\nNM1: 4392947 → 75\n',
    ],
    ['a version against itself', ['2', '2'], ''],
  ])('shows %s', async (_what, versions, lines) => {
    const { code, stdout } = await run('diff', slug, ...versions)
    expect({ code, stdout }).toEqual({ code: 0, stdout: lines })
  })

  it('says which states it compares, and that there are no differences', async () => {
    const { stderr } = await run('diff', slug, '3')
    expect(stderr).toMatch(
      /^From version 3 \(\S+ \S+ UTC\) to the pack as it is now:\nThere are no differences\.\n$/,
    )
  })

  it('names a beatmap that was moved by its id', async () => {
    const slots = aPack().slots.map((slot) => ({ ...slot, index: slot.index + 1 }))
    await host.put(slug, aPack({ visibility: 'public', slots }))
    const { stdout } = await run('diff', slug, '2')
    expect(stdout).toBe('4392947: NM1 → NM2\n4392966: DT1 → DT2\n4393066: TB → TB2\n')
  })

  it('prints the differences as JSON', async () => {
    const { stdout } = await run('diff', slug, '2', '--json')
    expect(JSON.parse(stdout)).toEqual({
      from: 2,
      to: null,
      changes: [{ kind: 'replaced', at: 'NM1', from: 4392947, to: 75 }],
    })
  })

  it.each([
    ['a version that is not there', ['9'], 1, /there is no version/],
    ['what is no number', ['x'], 2, /"x" is no version; give a number that mapcrate history lists/],
    ['0', ['0'], 2, /"0" is no version/],
    ['a third version', ['1', '2', '3'], 2, /"3" is one too many/],
  ])('refuses %s', async (_what, versions, code, message) => {
    const refused = await run('diff', slug, ...versions)
    expect(refused).toMatchObject({ code, stderr: expect.stringMatching(message) })
  })

  it('refuses a pack that has one version only', async () => {
    const fresh = await host.save(aPack())
    const { code, stderr } = await run('diff', fresh)
    expect(stderr).toMatch(/there is only one version; there is nothing to compare it with/)
    expect(code).toBe(1)
  })
})

describe('restore', () => {
  it('shows the differences, asks, and saves all but the visibility', async () => {
    const { code, screen } = await inTerminal(
      ['restore', slug, '1'],
      [[/Restore version 1 \(.* UTC\)\? \[y\/N\] /, 'y\n']],
      { env },
    )
    expect(screen).toMatch(/Description added: \S*Draft/)
    expect(screen).toMatch(/NM1: \S*75\S* → \S*4392947/)
    expect(code).toBe(0)
    expect(await packNow()).toMatchObject({
      ...aPack(),
      description: 'Draft',
      visibility: 'public',
    })
    expect((await run('diff', slug, '3', '4')).stdout).toBe(
      'Description added: Draft\nNM1: 75 → 4392947\n',
    )
  })

  it('saves nothing unless told', async () => {
    const before = await packNow()
    const mute = await run('restore', slug, '1')
    expect(mute).toMatchObject({ code: 2, stderr: expect.stringMatching(/say --yes/) })
    const no = await inTerminal(['restore', slug, '1'], [[/\[y\/N\] /, '\n']], { env })
    expect(no.screen).toMatch(/nothing was restored/)
    expect(no.code).toBe(1)
    expect(await packNow()).toEqual(before)
  })

  it('saves nothing when the pack is as it was', async () => {
    const before = await packNow()
    const { code, stdout, stderr } = await run('restore', slug, '3', '--yes')
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: '',
      stderr: 'The pack is as it was in version 3.\n',
    })
    expect(await packNow()).toEqual(before)
  })

  it('does not overwrite what is saved while it asks (D-48)', async () => {
    const saveMeanwhile = async () => {
      house.clock.advance(1)
      await host.put(slug, aPack({ name: 'Saved elsewhere' }))
      return 'y\n'
    }
    const { code, screen } = await inTerminal(
      ['restore', slug, '1'],
      [[/\[y\/N\] /, saveMeanwhile]],
      { env },
    )
    expect(screen).toMatch(/the pack was saved by somebody else/)
    expect(code).toBe(1)
    expect((await packNow()).name).toBe('Saved elsewhere')
  })

  it("refuses another's pack, and a version that is not there", async () => {
    await run('history', slug, '--public', 'on')
    const theirs = await runMapcrate(['restore', slug, '2', '--yes'], { env: await asAnother() })
    expect(theirs).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/there is no pack with this slug that you may see or change/),
    })
    expect(await run('restore', slug, '9', '--yes')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/there is no version/),
    })
  })
})

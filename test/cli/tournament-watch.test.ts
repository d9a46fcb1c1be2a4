import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { openFaultyService } from '../support/faulty-service.ts'
import { freshFolder } from '../support/processes.ts'
import { startMapcrate } from '../support/run-mapcrate.ts'
import { envOf, openTournamentHouse } from '../support/tournament-house.ts'
import { until } from '../support/until.ts'

const scene = await openTournamentHouse()
const { stranger, runAs, done, drafted } = scene
// An account has sixty requests a minute, and the hand-set clock stands still.
beforeEach(() => scene.house.clock.advance(60_000))
afterAll(() => scene.close())

const watch = (...more: string[]) =>
  startMapcrate(['tournament', 'watch', ...more, '--every', '3600'], { env: envOf(stranger) })

describe('tournament watch', () => {
  it('prints what is released, changed and withdrawn, and keeps a file of what everybody may read (D-84)', async () => {
    const slug = await drafted('--visibility', 'public')
    await done(['release', slug, 'Qualifiers', '--yes', '--despite-checks'])
    const file = join(await freshFolder(), 'beatmaps.json')
    const live = ['--as', 'overlay-stage', '--round', 'Quarterfinals', '--out', file]
    const running = await watch(slug, ...live, '--json', '--no-details')
    await running.says('stderr', /^Watching .*; press Ctrl\+C to stop\.$/m)
    const stages = async () => JSON.parse(await readFile(file, 'utf8'))
    const none = { stage: 'Quarterfinals', beatmaps: [] }
    expect(await stages(), 'nothing of the draft').toEqual(none)

    await done(['slot', slug, 'Quarterfinals', 'TB', 'soon'])
    await done(['release', slug, 'Quarterfinals', '--incomplete', '--yes', '--despite-checks'])
    await until(async () => (await stages()).beatmaps.length > 0)
    const { beatmaps } = await stages()
    expect(beatmaps[0]).toMatchObject({ identifier: 'NM1', mods: 'NM' })
    await done(['withdraw', slug, 'Quarterfinals', '--yes'])
    await until(async () => (await stages()).beatmaps.length === 0)
    running.child.kill('SIGINT')
    const { code, stdout, stderr } = await running.ended
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines.map(({ round, kind }) => `${round} ${kind}`)).toEqual([
      'Quarterfinals released',
      'Quarterfinals withdrawn',
    ])
    expect(code, stderr).toBe(0)
  })

  it('waits while the tournament is not public, says so once, and keeps the file', async () => {
    const slug = await drafted('--visibility', 'public')
    await done(['release', slug, 'Qualifiers', '--yes', '--despite-checks'])
    const file = join(await freshFolder(), 'pool.json')
    const running = await watch(slug, '--as', 'json', '--out', file, '--no-details')
    await running.says('stderr', /^Watching .*; press Ctrl\+C to stop\.$/m)
    const before = await readFile(file, 'utf8')
    await done(['set', slug, '--visibility', 'private'])
    await running.says('stderr', /waiting for it; \S+ stays as it is$/m)
    expect(await readFile(file, 'utf8')).toBe(before)
    await done(['set', slug, '--visibility', 'public'])
    await done(['withdraw', slug, 'Qualifiers', '--yes'])
    await until(async () => (await readFile(file, 'utf8')) !== before)
    running.child.kill('SIGINT')
    const { code, stderr } = await running.ended
    expect(code, stderr).toBe(0)
    expect(stderr.match(/waiting for it/g)).toHaveLength(1)
  })

  it('may begin before anything is public, with an empty pool in the form that it will have', async () => {
    const slug = await drafted()
    const file = join(await freshFolder(), 'overlay.json')
    const running = await watch(slug, '--as', 'overlay', '--round', 'Qualifiers', '--out', file)
    await running.says('stderr', /waiting for it/m)
    await running.says('stderr', /^Watching /m)
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual([])
    await done(['release', slug, 'Qualifiers', '--yes', '--despite-checks'])
    await done(['set', slug, '--visibility', 'public'])
    await until(async () => JSON.parse(await readFile(file, 'utf8')).length > 0)
    running.child.kill('SIGINT')
    const { code, stdout, stderr } = await running.ended
    expect(code, stderr).toBe(0)
    expect(stdout).toContain('Qualifiers released')
  })

  it('says nothing of the tournament and writes no file if it is interrupted before the first answer', async () => {
    const slug = await drafted('--visibility', 'public')
    let hear = (): void => {}
    const asked = new Promise<void>((resolve) => (hear = resolve))
    const service = await openFaultyService(envOf(stranger).MAPCRATE_POOLS_URL, () => {
      hear()
      return new Promise<never>(() => {})
    })
    onTestFinished(() => service.close())
    const folder = await freshFolder()
    const words = ['watch', slug, '--as', 'overlay', '--out', join(folder, 'overlay.json')]
    const env = { ...envOf(stranger), MAPCRATE_POOLS_URL: service.url }
    const running = await startMapcrate(['tournament', ...words], { env })
    await asked
    running.child.kill('SIGINT')
    expect(await running.ended).toMatchObject({ code: 0, stdout: '', stderr: '' })
    expect(await readdir(folder)).toEqual([])
  })

  it('refuses a format that cannot be kept up to date', async () => {
    const slug = await drafted()
    const odd = await runAs(stranger, ['watch', slug, '--as', 'osdb', '--out', 'x'])
    expect(odd.code).toBe(2)
  })
})

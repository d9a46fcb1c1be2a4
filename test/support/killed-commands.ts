import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import * as fc from 'fast-check'
import { expect } from 'vitest'
import { freshFolder, makeKey, runCli, startServer } from './processes.ts'
import { until } from './until.ts'

const program = fileURLToPath(new URL('../../src/cli/mapcrate-server.ts', import.meta.url))
const killer = new URL('kill-at.ts', import.meta.url).href
const cache = new URL('../../scripts/compile-cache.mjs', import.meta.url).href

type Place = { readonly folder: string; readonly env: Readonly<Record<string, string>> }

/** Runs a command that is killed at its step `at`; 0: that is not, and says how many it made. */
const killed = async ({ folder, env }: Place, words: readonly string[], at: number) => {
  const all = { PATH: process.env['PATH'], DATA_DIR: folder, ...env, KILL_AT: String(at) }
  const node = ['--import', cache, '--import', killer]
  const child = spawn(process.execPath, [...node, program, ...words], { env: all })
  const stderr = text(child.stderr)
  child.stdout.resume()
  const [code] = await once(child, 'close')
  return { code, stderr: await stderr }
}

const stepsOf = (stderr: string): number => Number(/(\d+) steps$/m.exec(stderr)?.[1])

/** Some of the steps of a command, other ones with other draws. */
const someOf = (steps: number, some: number): readonly number[] => {
  const place = fc.integer({ min: 1, max: steps })
  return fc.sample(fc.uniqueArray(place, { minLength: some, maxLength: some }), 1)[0] ?? []
}

const slots = [{ mod: 'NM', index: 1, beatmapId: 75 }]

/** Kills `delete-account` at some of its steps: all of the account is there, or nothing, and it can be repeated. */
export const killDeletions = async (place: Place, some: number): Promise<void> => {
  const { folder, env } = place
  // Who has a store gets no demonstration.
  const reader = await makeKey(folder, { env })
  const server = await startServer(folder, env)
  const does = (...words: string[]) => runCli(folder, words, { env })
  /** A player with packs, a tournament of their own and a place in another one. */
  const makePlayer = async (gameId: number) => {
    const player = { gameId, username: `Player ${gameId}`, env }
    const key = await makeKey(folder, player)
    const poolsKey = await makeKey(folder, { ...player, service: 'pools' })
    for (const visibility of ['public', 'private']) {
      const body = { name: 'Finals', visibility, slots }
      expect((await server.packs.ask('POST', '/packs', { key, body })).status).toBe(201)
    }
    const body = { name: 'Cup', visibility: 'public' }
    const made = await server.pools.ask('POST', '/tournaments', { key: poolsKey, body })
    expect(made.status).toBe(201)
  }
  const deletion = (gameId: number) => ['delete-account', '--game-id', String(gameId), '--yes']
  const facts = (gameId: number) => does('account', '--game-id', String(gameId), '--json')

  await makePlayer(1)
  const whole = await killed(place, deletion(1), 0)
  expect(whole.code).toBe(0)
  const points = someOf(stepsOf(whole.stderr), some)
  let kills = 0
  for (const [at, point] of points.entries()) {
    const gameId = at + 2
    await makePlayer(gameId)
    const before = await facts(gameId)
    expect(before.code).toBe(0)
    const ending = await killed(place, deletion(gameId), point)
    expect([null, 0], JSON.stringify({ point, ...ending })).toContain(ending.code)
    const after = await facts(gameId)
    // It opens as many connections as it happens to need: with fewer steps, it has ended before.
    if (ending.code === 0) expect(after.code).toBe(1)
    else kills += 1
    if (after.code !== 0) expect(after.stderr).toContain('nothing is known of a player')
    else expect(after).toEqual(before)
    const again = await does(...deletion(gameId))
    expect(again.code).toBe(after.code === 0 ? 0 : 1)
    expect((await facts(gameId)).stderr).toContain('nothing is known of a player')
  }
  expect(kills).toBeGreaterThan(0)
  const packs = await server.packs.ask('GET', '/packs', { key: reader })
  expect(packs.json.total).toBe(0)
  await server.stop()
}

/** Kills `recompute --all` at some of its steps: the server goes on, and the command can be repeated. */
export const killRecomputations = async (place: Place, some: number): Promise<void> => {
  const { folder, env } = place
  const key = await makeKey(folder, { env })
  const server = await startServer(folder, env)
  const body = { name: 'Finals', visibility: 'public', slots }
  const { slug } = (await server.packs.ask('POST', '/packs', { key, body })).json.pack
  const computedAt = async (): Promise<string | undefined> =>
    (await server.packs.ask('GET', `/packs/${slug}`, { key })).json.pack?.stats?.computedAt
  const first = await until(computedAt)
  const whole = await killed(place, ['recompute', '--all'], 0)
  expect(whole.code).toBe(0)
  for (const point of someOf(stepsOf(whole.stderr), some)) {
    // It may have ended before, as it looks for as long as the server computes.
    await killed(place, ['recompute', '--all'], point)
  }
  const last = await runCli(folder, ['recompute', '--all'], { env })
  expect(last).toMatchObject({ code: 0, stdout: '1 pack to compute: all are computed\n' })
  expect((await computedAt())! > first).toBe(true)
  const found = await server.packs.ask('GET', '/packs', { key })
  expect(found.json.packs).toMatchObject([{ slug, stats: { complete: true } }])
  await server.stop()
}

/** A folder with a store of three players, and how a store is told to be the same. */
export const storeToCopy = async (folder: string) => {
  const players = [1, 2, 3]
  for (const gameId of players) await makeKey(folder, { gameId, username: `Player ${gameId}` })
  const factsIn = ({ folder: data, env }: Place) =>
    Promise.all(
      players.map((id) => runCli(data, ['account', '--game-id', String(id), '--json'], { env })),
    )
  return { file: join(folder, 'mapcrate.db'), factsIn, facts: await factsIn({ folder, env: {} }) }
}

const GATE = /there is no store at|there is nothing in it/
const scratchIn = async (folder: string): Promise<readonly string[]> =>
  existsSync(folder) ? (await readdir(folder)).filter((name) => /scratch|part$/.test(name)) : []

/**
 * Kills `copy` or `restore` at some of its steps: there is no store then, or a whole one, or one that is refused by the
 * name of the command; it can be repeated, and nothing is left of the first time.
 */
export const killCopies = async (
  command: 'copy' | 'restore',
  newPlace: () => Promise<Place>,
  some: number,
): Promise<void> => {
  const source = await freshFolder()
  const { file, factsIn, facts } = await storeToCopy(source)
  const words = command === 'copy' ? ['copy', '--from', file] : ['restore', file]
  const whole = await killed(await newPlace(), words, 0)
  expect(whole).toMatchObject({ code: 0 })
  for (const point of someOf(stepsOf(whole.stderr), some)) {
    const place = await newPlace()
    await killed(place, words, point)
    const { code, stderr } = await runCli(place.folder, ['moderators'], { env: place.env })
    const isWhole = code === 0
    const refusals = `${GATE.source}|a ${command} to this store was broken off: run mapcrate-server ${command} again`
    if (!isWhole)
      expect({ point, stderr }).toMatchObject({ stderr: expect.stringMatching(refusals) })
    else expect({ point, facts: await factsIn(place) }).toEqual({ point, facts })
    const again = await runCli(place.folder, words, { env: place.env })
    expect({ point, code: again.code }).toEqual({ point, code: isWhole ? 1 : 0 })
    expect(await factsIn(place)).toEqual(facts)
    const left = [...(await scratchIn(source)), ...(await scratchIn(place.folder))]
    expect({ point, left }).toEqual({ point, left: [] })
  }
}

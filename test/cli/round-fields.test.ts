import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { compareRounds, roundJson, roundPrint } from '../../src/cli/user/tournament/round-text.ts'
import { readRoundJson } from '../../src/formats/read-pool-json.ts'
import { roundFields } from '../../src/pool/round-fields.ts'
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

  it('is a change by itself: the fingerprint is another, and it is listed', () => {
    const property = fc.property(anyRound, anyRound, (round, other) => {
      const isOther = (changed: WholeRound): void => {
        const isSame = JSON.stringify(changed) === JSON.stringify(round)
        expect(roundPrint(changed) === roundPrint(round)).toBe(isSame)
        expect(compareRounds(round, changed).length === 0).toBe(isSame)
      }
      for (const field of roundFields.names) isOther({ ...round, [field]: other[field] })
      const [{ mod, index }] = round.slots as [WholeRound['slots'][number]]
      isOther({ ...round, slots: [{ ...other.slots[0]!, mod, index }, ...round.slots.slice(1)] })
    })
    fc.assert(property)
  })
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

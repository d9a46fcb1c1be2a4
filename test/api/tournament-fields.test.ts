import * as fc from 'fast-check'
import type { TSchema } from 'typebox'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { TournamentInput, TournamentPatch } from '../../src/contract/tournaments.ts'
import { openHouse } from '../support/house.ts'

const house = await openHouse()
afterAll(() => house.close())
beforeEach(() => house.clock.nextMinute())

type Node = TSchema & Readonly<Record<string, unknown>>

/** Any value that the schema of a field allows, but null. */
const valueOf = (node: Node): fc.Arbitrary<unknown> => {
  const types = [node['type']].flat()
  if (node['enum']) return fc.constantFrom(...(node['enum'] as string[]))
  if (types.includes('boolean')) return fc.boolean()
  const [min, max] = [Number(node['minimum']), Number(node['maximum'])]
  if (types.includes('integer')) return fc.integer({ min, max })
  const most = Number(node['maxLength'])
  const start =
    'pattern' in node && String(node['pattern']).includes('https') ? 'https://cup.example/' : ''
  return fc
    .integer({ min: 1, max: most - start.length })
    .map((length) => start + 'z'.repeat(length))
}
/** What hosts may set, each field with any value, the ranks in order. */
const fieldsOf = ({ properties }: { readonly properties: object }) =>
  fc
    .record(
      Object.fromEntries(
        Object.entries(properties)
          .filter(([name]) => !['from', 'discordUrl'].includes(name))
          .map(([name, node]) => [name, valueOf(node as Node)]),
      ),
    )
    .map((fields) => {
      const [rankMin, rankMax] = [fields['rankMin'], fields['rankMax']]
        .map(Number)
        .toSorted((a, b) => a - b)
      return { ...fields, rankMin, rankMax }
    })

const optional = Object.keys(TournamentInput.properties).filter(
  (name) => !['name', 'ruleset', 'visibility', 'announceRounds', 'from'].includes(name),
)

it('every field of a tournament comes back as it was sent, changed and removed', async () => {
  const property = fc.asyncProperty(
    fieldsOf(TournamentInput),
    fieldsOf(TournamentPatch),
    async (sent, patch) => {
      const host = await house.host('pools')
      const made = await host.ask('POST', '/tournaments', { body: sent })
      expect([made.status, made.headers.get('x-ignored-fields')]).toEqual([201, null])
      const { slug } = made.json.tournament
      const now = async () => {
        const [mine] = (await host.get('/me/tournaments')).json.tournaments
        const { tournament } = (await host.get(`/tournaments/${slug}`)).json
        return [tournament, mine]
      }
      for (const seen of [made.json.tournament, ...(await now())]) expect(seen).toMatchObject(sent)
      await host.ask('PATCH', `/tournaments/${slug}`, { body: patch })
      for (const seen of await now()) expect(seen).toMatchObject(patch)
      const none = Object.fromEntries(optional.map((name) => [name, null]))
      await host.ask('PATCH', `/tournaments/${slug}`, { body: none })
      for (const seen of await now())
        for (const name of optional) expect(seen).not.toHaveProperty(name)
    },
  )
  await fc.assert(property, { numRuns: 20 })
  expect(optional.length).toBeGreaterThan(5)
})

import { afterAll, expect, it } from 'vitest'
import { replacePack } from '../../src/operations/packs.ts'
import { openHouse } from '../support/house.ts'
import { aPack } from '../support/samples.ts'

const house = await openHouse()
afterAll(() => house.close())

type Version = { readonly version: number; readonly savedAt: string; readonly name: string }

it('makes a version and a change of each of ten saves at once, by two processes, in the order of their commits (D-71, D-73)', async () => {
  const [owner, other] = [await house.host(), await house.host()]
  const slug = await owner.save(aPack({ name: 'save 0', visibility: 'public' }))
  const { ownerId = '' } = (await house.ports.packs.read(slug)) ?? {}
  const { cursor } = (await other.get('/changes')).json
  const second = await house.again()
  const ports = { packs: second.packs, clock: house.clock }
  const input = (at: number) => aPack({ name: `save ${at}`, visibility: 'public' })
  const answered: string[] = []
  await Promise.all(
    Array.from({ length: 10 }, async (_, at) => {
      if (at % 2 === 0) {
        const reply = await owner.put(slug, input(at + 1))
        expect(reply.status, reply.text).toBe(200)
        answered.push(reply.json.pack.updatedAt)
      } else {
        const { updatedAt } = await replacePack(ports, ownerId, slug, input(at + 1))
        answered.push(new Date(updatedAt).toISOString())
      }
    }),
  )
  await second.care.close()

  const { versions, total } = (await owner.get(`/packs/${slug}/history`)).json
  const oldestFirst: readonly Version[] = versions.toReversed()
  expect(total).toBe(11)
  expect(oldestFirst.map(({ version }) => version)).toEqual(
    Array.from({ length: 11 }, (_, at) => at + 1),
  )
  expect(new Set(oldestFirst.map(({ name }) => name)).size).toBe(11)
  // No two saves have one time, and each has the one that its answer named.
  const times = oldestFirst.map(({ savedAt }) => savedAt)
  expect(times).toEqual([...new Set(times)].toSorted())
  expect(times.slice(1)).toEqual(answered.toSorted())
  const { pack } = (await owner.get(`/packs/${slug}`)).json
  expect(pack).toMatchObject({ name: oldestFirst.at(-1)?.name, updatedAt: times.at(-1) })
  // Each version names what the one before it was, so none was lost between two.
  const names = oldestFirst.map(({ name }) => name)
  expect(
    versions
      .toReversed()
      .slice(1)
      .map(({ changes }: { changes: unknown }) => changes),
  ).toEqual(names.slice(1).map((to, at) => [{ kind: 'name', from: names[at], to }]))
  const { changes } = (await other.get(`/changes?after=${cursor}`)).json
  expect(changes.map(({ at, kind }: { at: string; kind: string }) => [kind, at])).toEqual(
    times.slice(1).map((at) => ['changed', at]),
  )
})

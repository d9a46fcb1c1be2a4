import * as fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { packFieldNames } from '../../src/pool/pack-fields.ts'
import { anyPack, decided } from '../support/any-pack.ts'
import { openHouse } from '../support/house.ts'
import { aPack } from '../support/samples.ts'

const house = await openHouse()
afterAll(() => house.close())

const isNoSlur = (reply: { readonly status: number; readonly text: string }): boolean =>
  !reply.text.includes('must not contain a slur')

describe('what an owner decides comes back as it was sent (spec 2.8, 4.1 rule 3)', () => {
  it('after a POST, after a PUT, and from the version that the PUT replaced', async () => {
    const property = fc.asyncProperty(anyPack, anyPack, async (first, second) => {
      const host = await house.host()
      const created = await host.post(first)
      fc.pre(isNoSlur(created))
      expect(created.headers.get('x-ignored-fields')).toBeNull()
      expect(decided(created.json.pack)).toEqual(first)
      const { slug, version = 1 } = created.json.pack
      const replaced = await host.put(slug, second)
      fc.pre(isNoSlur(replaced))
      expect(decided((await host.get(`/packs/${slug}`)).json.pack)).toEqual(second)
      const old = await host.get(`/packs/${slug}/history/${version}`)
      const { slots, ...fields } = decided(old.json.version) as typeof first
      const { slots: sent, ...others } = first
      expect(fields).toEqual(others)
      expect(new Set(slots)).toEqual(new Set(sent))
    })
    await fc.assert(property, { numRuns: 40 })
  })

  it('each field by itself makes a version and a difference of its own (D-71, D-72)', async () => {
    const property = fc.asyncProperty(anyPack, anyPack, async (before, other) => {
      for (const field of packFieldNames) {
        const after = { ...before, [field]: other[field] }
        if (JSON.stringify(after[field]) === JSON.stringify(before[field])) continue
        const host = await house.host()
        const created = await host.post(before)
        fc.pre(isNoSlur(created))
        const { slug } = created.json.pack
        fc.pre(isNoSlur(await host.put(slug, after)))
        const { versions } = (await host.get(`/packs/${slug}/history`)).json
        expect(versions[0]).toMatchObject({ version: 2, [field]: after[field] })
        expect(versions[0].changes).toEqual([
          { kind: field, from: before[field], to: after[field] },
        ])
      }
    })
    await fc.assert(property, { numRuns: 20 })
  })
})

it('a version keeps the fields that have no column of their own', async () => {
  const host = await house.host()
  const slug = await host.save(aPack())
  await house.alter(`update pack set other_fields = '{"motto":"play"}' where slug = '${slug}'`)
  expect(await house.ports.packs.read(slug)).toMatchObject({ motto: 'play' })
  await host.put(slug, aPack({ name: 'Finals' }))
  const history = await house.ports.packs.readHistory(slug)
  expect(history?.versions).toMatchObject([{ version: 2 }, { version: 1, motto: 'play' }])
  expect(history?.versions[0]).not.toHaveProperty('motto')
})

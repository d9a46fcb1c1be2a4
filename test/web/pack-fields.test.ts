import * as fc from 'fast-check'
import type { Browser as Chromium } from 'playwright-core'
import { h } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PackInput, SitePack } from '../../src/contract/packs.ts'
import type { PackVersion } from '../../src/contract/history.ts'
import { changesBetween, withChanges } from '../../src/web/editing/changes.ts'
import { readDraft, writeDraft } from '../../src/web/editor/draft/draft.ts'
import { editOf, inputOf, isSameEdit } from '../../src/web/editor/edit.ts'
import { planOf } from '../../src/web/history/versions.tsx'
import { copyOf } from '../../src/web/pack/create-pack.ts'
import { PackFields } from '../../src/web/pack/pack-fields.tsx'
import { encodePackKey } from '../../src/pool/pack-key/pack-key.ts'
import { packFieldNames, packInputOf } from '../../src/pool/pack-fields.ts'
import { slotsInPoolOrder } from '../../src/pool/slots.ts'
import { anyPack, decided, withOneOther } from '../support/any-pack.ts'
import { launchChromium } from '../support/chromium.ts'
import { openRealPage } from '../support/real-page.ts'
import { openSiteHouse, type SiteHouse } from '../support/site-house.ts'

/** As pages receive it. */
const asPage = (pack: PackInput, isMine = true) => ({ ...pack, isMine }) as SitePack
/** As editors save it: slots in pool order. */
const inOrder = (pack: PackInput): PackInput => ({ ...pack, slots: slotsInPoolOrder(pack) })

describe('what an owner decides', () => {
  it('is saved by the editor as it was opened, also from a draft in the browser', () => {
    const property = fc.property(anyPack, (pack) => {
      const edit = editOf(asPage(pack))
      expect(inputOf(edit)).toEqual(inOrder(pack))
      const draft = readDraft(
        writeDraft({ edit, base: edit, sent: [edit], basedOn: null, changedAt: 1 }),
      )
      expect(draft && inputOf(draft.edit)).toEqual(inOrder(pack))
      expect(draft?.base && inputOf(draft.base)).toEqual(inOrder(pack))
      expect(draft?.sent.map(inputOf)).toEqual([inOrder(pack)])
    })
    fc.assert(property)
  })

  it('is made of any other pack by the changes of the editors', () => {
    const property = fc.property(anyPack, anyPack, (pack, other) => {
      const [before, after] = [editOf(asPage(pack)), editOf(asPage(other))]
      const changed = withChanges(before, changesBetween(before, after))
      expect(inputOf(changed)).toEqual(inOrder(other))
    })
    fc.assert(property)
  })

  it('is a change of the editor by itself', () => {
    const property = fc.property(anyPack, anyPack, (pack, other) => {
      for (const changed of withOneOther(pack, other)) {
        expect(isSameEdit(editOf(asPage(pack)), editOf(asPage(changed)))).toBe(
          JSON.stringify(inputOf(editOf(asPage(pack)))) ===
            JSON.stringify(inputOf(editOf(asPage(changed)))),
        )
      }
    })
    fc.assert(property)
  })

  it('survives another visibility of many packs (spec 4.1 rule 3)', () => {
    const property = fc.property(anyPack, (pack) => {
      const read = { slug: 'q7Jm2_xT0a', ...pack, packKey: 'pk1.', ownerName: 'Ada' }
      expect(packInputOf({ ...read, visibility: 'private' })).toEqual({
        ...pack,
        visibility: 'private',
      })
    })
    fc.assert(property)
  })

  it('is restored from a version, but for who may see it', () => {
    const property = fc.property(anyPack, anyPack, (old, now) => {
      const version = { ...decided(old), packKey: encodePackKey({ buckets: null, ...old }) }
      const { input, change } = planOf(version as PackVersion, asPage(now))
      expect(input).toEqual({ ...inOrder(old), visibility: now.visibility })
      const kinds = change.differences.map(({ kind }) => kind)
      for (const field of packFieldNames) {
        const isOther = JSON.stringify(old[field]) !== JSON.stringify(now[field])
        expect(kinds.includes(field)).toBe(isOther && field !== 'visibility')
      }
    })
    fc.assert(property)
  })

  it('is shown by the pages of the pack and of its versions, but for who may see it', () => {
    const property = fc.property(anyPack, (pack) => {
      for (const field of packFieldNames) {
        const html = renderToString(h(PackFields, { of: { [field]: pack[field] } }))
        expect(html !== '').toBe(field !== 'visibility' && pack[field] !== undefined)
      }
    })
    fc.assert(property)
  })

  it('is in a copy of an own pack; of another owner, the pool alone', () => {
    const property = fc.property(anyPack, (pack) => {
      const { name: _, visibility: __, ...rest } = pack
      const copy = copyOf(asPage(pack))
      expect(copy).toEqual({ ...rest, name: copy.name, visibility: copy.visibility })
      const { name, slots, buckets } = pack
      expect(copyOf(asPage(pack, false))).toEqual({
        name,
        slots,
        ...(buckets && { buckets }),
        visibility: copy.visibility,
      })
    })
    fc.assert(property)
  })
})

describe('in the browser', () => {
  let house: SiteHouse
  let chromium: Chromium
  beforeAll(async () => {
    ;[house, chromium] = await Promise.all([
      openSiteHouse({ hasRealPages: true }),
      launchChromium(),
    ])
  })
  afterAll(async () => {
    await chromium.close()
    await house.close()
  })

  it('the editor saves another name, and everything else as it was', async () => {
    const [pack] = fc.sample(anyPack, { numRuns: 1, seed: 26 }) as [PackInput]
    const from = await house.signedIn(7001)
    const slug = await house.save(from, pack)
    const { page } = await openRealPage(chromium, house, { from, path: `/p/${slug}/edit` })
    await page.getByLabel('Name', { exact: true }).fill('Edited')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.waitForURL(`**/p/${slug}`)
    const saved = (await from.ask('GET', `/session/packs/${slug}`)).json.pack
    expect(decided(saved)).toEqual({ ...inOrder(pack), name: 'Edited' })
  })
})

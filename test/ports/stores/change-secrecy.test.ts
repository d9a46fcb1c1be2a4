import * as fc from 'fast-check'
import { afterEach, describe, expect, inject, it } from 'vitest'
import type { Stores } from '../../../src/adapters/storage/stores.ts'
import { AppError } from '../../../src/contract/errors.ts'
import { DAY_MS } from '../../../src/contract/quotas.ts'
import { changeFor, type FeedEntry } from '../../../src/domain/changes.ts'
import { tournamentChangeFor } from '../../../src/domain/tournament-feed.ts'
import { ChangeHub, type FeedParts } from '../../../src/operations/changes.ts'
import type { Feed } from '../../../src/ports/changes.ts'
import { aTournament } from '../../domain/a-tournament.ts'
import { HandClock } from '../../support/hand-clock.ts'
import { aNewPack } from '../sample-pack.ts'
import { addOwners, tempStore, type TempStore } from '../temp-store.ts'

const atOnce = { waitMs: 0, whenClosed: () => {}, readmit: () => {} }

/** What may happen; only `save` in public is for strangers to know. */
const anyStep = fc.oneof(
  fc.record({ act: fc.constant('save' as const), at: fc.nat({ max: 2 }) }),
  fc.record({ act: fc.constant('save in secret' as const), at: fc.nat({ max: 2 }) }),
  fc.record({ act: fc.constant('wait' as const), days: fc.constantFrom(1, 12, 29, 31) }),
  fc.record({ act: fc.constant('forget' as const) }),
  fc.record({ act: fc.constant('start again' as const) }),
)
type Step = typeof anyStep extends fc.Arbitrary<infer Each> ? Each : never

/** How a feed is written, in public or not. */
type Writing = {
  readonly feedOf: (stores: Stores) => Pick<Feed<FeedEntry>, 'forget'>
  readonly hubOf: (stores: Stores, clock: HandClock) => Pick<ChangeHub<FeedEntry, unknown>, 'read'>
  readonly begin: (stores: Stores, slug: string, isPublic: boolean) => Promise<unknown>
  readonly save: (stores: Stores, slug: string, now: number) => Promise<unknown>
}

const hubOf = <Entry extends FeedEntry, Change>(parts: FeedParts<Entry, Change>) =>
  new ChangeHub(parts, () => () => {})

const packs: Writing = {
  feedOf: ({ changes }) => changes,
  hubOf: ({ changes: feed }, clock) => hubOf({ feed, changeFor, clock }),
  begin: (stores, slug, isPublic) =>
    stores.packs.create(aNewPack({ slug, visibility: isPublic ? 'public' : 'private' }), null),
  save: (stores, slug, updatedAt) =>
    stores.packs.replace(slug, 'owner', (saved) => ({ ...saved, updatedAt })),
}

const tournaments: Writing = {
  feedOf: ({ tournamentChanges }) => tournamentChanges,
  hubOf: ({ tournamentChanges: feed }, clock) =>
    hubOf({ feed, changeFor: tournamentChangeFor, clock }),
  begin: (stores, slug, isPublic) => {
    const visibility = isPublic ? 'public' : 'private'
    const { rounds: _, staff: __, ...facts } = aTournament({ slug, visibility })
    return stores.tournaments.create(facts, 'owner', 20)
  },
  save: (stores, slug, now) =>
    stores.tournaments.change(slug, null, 20, now, (saved) => ({
      ...saved,
      year: 2000 + ((saved.year ?? 0) % 100) + 1,
    })),
}

describe.each([
  ['packs', packs],
  ['tournaments', tournaments],
])('GET /changes of %s', (_, writing) => {
  const opened: TempStore[] = []
  afterEach(async () => {
    for (const store of opened.splice(0)) await store.remove()
  })

  /**
   * All that a stranger is answered after each step, after every cursor that they ever got and without one. Cursors
   * are random: each is named by when the stranger first got it.
   */
  async function heard(steps: readonly Step[], isSecretSaved: boolean): Promise<readonly string[]> {
    const store = await tempStore()
    opened.push(store)
    const stores = await store.open()
    await addOwners(stores)
    const slugs = [
      'public__00',
      'public__01',
      'public__02',
      'secret__00',
      'secret__01',
      'secret__02',
    ]
    for (const slug of slugs) await writing.begin(stores, slug, slug.startsWith('public'))
    const clock = new HandClock()
    let hub = writing.hubOf(stores, clock)
    const cursors: string[] = []
    const answers: string[] = []
    const nameAll = (text: string): string =>
      text.replaceAll(/[\w-]{22}/g, (cursor) => {
        if (!cursors.includes(cursor)) cursors.push(cursor)
        return `cursor ${cursors.indexOf(cursor)}`
      })
    const ask = async (after: string | null): Promise<void> => {
      const request = { accountId: 'other', after, ...atOnce }
      const answer = await hub.read(request).then(
        ({ page }) => JSON.stringify(page),
        (error: unknown) => {
          if (error instanceof AppError) return `${error.code}: ${error.message}`
          throw error
        },
      )
      answers.push(nameAll(answer))
    }
    await ask(null)
    for (const step of steps) {
      if (step.act === 'wait') clock.advance(step.days * DAY_MS)
      else if (step.act === 'start again') hub = writing.hubOf(stores, clock)
      else if (step.act === 'forget') {
        const before = clock.now() - 30 * DAY_MS
        while (await writing.feedOf(stores).forget(before)) continue
      } else if (step.act === 'save') {
        clock.advance(1)
        await writing.save(stores, `public__0${step.at}`, clock.now())
      } else if (isSecretSaved) await writing.save(stores, `secret__0${step.at}`, clock.now())
      for (const cursor of [...cursors, null]) await ask(cursor)
    }
    return answers
  }

  it('is gone for who could know of what is forgotten, and for nobody else; of an account that is gone, nothing is kept', async () => {
    const store = await tempStore()
    opened.push(store)
    const stores = await store.open()
    await addOwners(stores)
    const clock = new HandClock()
    const readFrom = async (accountId: string, after: string | null) => {
      const request = { accountId, after, ...atOnce }
      return (await writing.hubOf(stores, clock).read(request)).page
    }
    await writing.begin(stores, 'secret__00', false)
    const [mine, others] = [await readFrom('owner', null), await readFrom('other', null)]
    for (const _ of [0, 1]) await writing.save(stores, 'secret__00', clock.now())
    clock.advance(31 * DAY_MS)
    await writing.save(stores, 'secret__00', clock.now())
    while (await writing.feedOf(stores).forget(clock.now() - 30 * DAY_MS)) continue
    await expect(readFrom('owner', mine.cursor)).rejects.toMatchObject({ code: 'gone' })
    expect(await readFrom('other', others.cursor)).toEqual(others)
    const kept = () => store.query("select seq from forgotten_change where reader = 'owner'")
    expect(await kept()).toHaveLength(1)
    await stores.accounts.remove('owner', clock.now())
    expect(await kept()).toEqual([])
    expect(await readFrom('other', others.cursor)).toEqual(others)
  })

  it('answers a stranger the same, byte for byte, whatever is saved in secret, old and forgotten (D-74)', async () => {
    const steps = fc.array(anyStep, { minLength: 4, maxLength: 14 })
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        expect(await heard(sequence, true)).toEqual(await heard(sequence, false))
      }),
      {
        numRuns: inject('engine') === 'postgres' ? 4 : 12,
        examples: [
          [
            [
              { act: 'save', at: 0 },
              { act: 'save in secret', at: 0 },
              { act: 'wait', days: 31 },
              { act: 'save in secret', at: 0 },
              { act: 'forget' },
              { act: 'start again' },
              { act: 'save', at: 1 },
              { act: 'wait', days: 31 },
              { act: 'save in secret', at: 0 },
              { act: 'save in secret', at: 0 },
              { act: 'forget' },
            ],
          ],
        ],
      },
    )
  })
})

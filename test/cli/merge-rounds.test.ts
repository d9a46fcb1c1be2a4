import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mergeRound, rebaseRound } from '../../src/cli/user/tournament/merge-rounds.ts'
import { compareRounds, type RoundDraft } from '../../src/cli/user/tournament/round-text.ts'
import { isDefaultTable, placeKey, wholeTable } from '../../src/pool/slots.ts'

const nm = (...ids: readonly number[]) =>
  ids.map((beatmapId, at) => ({ mod: 'NM', index: at + 1, beatmapId }))
const base: RoundDraft = { name: 'Finals', bestOf: 11, slots: nm(75, 76, 77) }
const rc = { code: 'RC', color: 3, mods: { kind: 'forced', set: ['HD'] } } as const
const order = ['NM', 'HD', 'HR', 'DT', 'FM'].map((code) => ({ code }) as { code: 'NM' })
const withBucket = (draft: RoundDraft): RoundDraft => ({
  ...draft,
  slots: [...draft.slots, { mod: 'RC', index: 1, beatmapId: 5 }],
  buckets: [...order, rc, { code: 'TB' }] as never,
})

describe('D-83: a round that has changed in a folder and on the service', () => {
  it('has what either changed: other slots, other fields, buckets', () => {
    const own = withBucket({ ...base, bans: 2, slots: nm(80, 76, 77) })
    const theirs = { ...base, name: 'Grand Finals', bestOf: 13, slots: nm(75, 76) }
    const { sent, kept, conflicts } = mergeRound(base, own, theirs)
    expect(conflicts).toEqual([])
    expect(compareRounds(sent, kept)).toEqual([])
    expect(sent).toMatchObject({ name: 'Grand Finals', bestOf: 13, bans: 2 })
    expect(sent.slots).toEqual([...nm(80, 76), { mod: 'RC', index: 1, beatmapId: 5 }])
    expect(sent.buckets?.at(-2)).toEqual(rc)
  })

  it('keeps both sides where both changed the same slot or field, and names it', () => {
    const own = { ...base, bestOf: 13, slots: nm(80, 76, 77) }
    const theirs = { ...base, bestOf: 9, slots: nm(81, 76, 78) }
    const { sent, kept, conflicts } = mergeRound(base, own, theirs)
    expect(conflicts).toEqual([
      'Best of was changed on both sides: here 13, on the service 9',
      'NM1 was changed on both sides: here 80, on the service 81',
    ])
    expect(sent).toMatchObject({ bestOf: 9, slots: nm(81, 76, 78) })
    expect(kept).toMatchObject({ bestOf: 13, slots: nm(80, 76, 78) })
  })

  it('is no conflict where both made the same of it', () => {
    const both = { ...base, slots: nm(80, 76, 77) }
    expect(mergeRound(base, both, both).conflicts).toEqual([])
  })

  it('tells a slot that was removed from one that was emptied (D-79)', () => {
    const own = { ...base, slots: nm(75, 76) }
    const theirs = { ...base, slots: [...nm(75, 76), { mod: 'NM', index: 3 }] }
    expect(mergeRound(base, own, theirs).conflicts).toEqual([
      'NM3 was changed on both sides: here no slot, on the service empty',
    ])
  })

  it('keeps a bucket, with its mods, into which the other side has put a slot', () => {
    const was = withBucket(base)
    const other = { mod: 'RC', index: 2, beatmapId: 6 }
    const { sent, conflicts } = mergeRound(was, base, { ...was, slots: [...was.slots, other] })
    expect(conflicts).toEqual([])
    expect(sent.slots).toEqual([...base.slots, other])
    expect(sent.buckets?.at(-2)).toEqual(rc)
  })

  it('leaves out what a file does not say of buckets: their colours are not in conflict', () => {
    const added = (...codes: string[]): RoundDraft => ({
      ...base,
      slots: [...base.slots, ...codes.map((mod) => ({ mod, index: 1, beatmapId: 5 }))],
    })
    const theirs = { ...added('RC'), buckets: withBucket(base).buckets! }
    const { sent, conflicts } = mergeRound(base, added('XX', 'RC'), theirs)
    expect(conflicts).toEqual([])
    expect(sent.buckets).toContainEqual(rc)
  })

  it('takes an order of buckets that one side has changed, and names one that both have', () => {
    const turned = (...codes: string[]): RoundDraft => ({
      ...base,
      buckets: codes.map((code) => ({ code })) as never,
    })
    const own = turned('HD', 'NM', 'HR', 'DT', 'FM', 'TB')
    expect(mergeRound(base, own, base).sent.buckets?.[0]).toEqual({ code: 'HD' })
    expect(mergeRound(base, base, own).sent.buckets?.[0]).toEqual({ code: 'HD' })
    const theirs = turned('HR', 'NM', 'HD', 'DT', 'FM', 'TB')
    expect(mergeRound(base, own, theirs).conflicts).toEqual([
      'Order of buckets was changed on both sides: here HD NM HR DT FM TB, on the service HR NM HD DT FM TB',
    ])
  })

  it('of which is not known what both were is in conflict wherever they differ', () => {
    const other = { ...base, slots: nm(80, 76, 77) }
    expect(mergeRound(null, base, other).conflicts).toHaveLength(1)
    expect(rebaseRound(null, base, other)).toBeNull()
    expect(rebaseRound(null, base, base)).toEqual(base)
  })
})

const places = [
  { mod: 'NM', index: 1 },
  { mod: 'NM', index: 2 },
  { mod: 'HD', index: 1 },
  { mod: 'RC', index: 1 },
  { mod: 'RC', index: 2 },
  { mod: 'XX', index: 1 },
] as const

const anySlots = fc
  .tuple(...places.map(() => fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined })))
  .map((ids) =>
    places.flatMap((place, at) =>
      ids[at] === undefined ? [] : [{ ...place, beatmapId: ids[at] }],
    ),
  )
const anyDraft = fc
  .record({
    name: fc.constantFrom('Finals', 'Grand Finals'),
    bestOf: fc.constantFrom(9, 11, 13),
    bans: fc.constantFrom(1, 2),
    slots: anySlots,
  })
  .map((draft): RoundDraft => asSaved(draft))

/** As the service has it: with the whole table, unless that is the default one. */
function asSaved(draft: RoundDraft): RoundDraft {
  const buckets = wholeTable(draft)
  return isDefaultTable(buckets) ? draft : { ...draft, buckets }
}

type Edit = (draft: RoundDraft) => RoundDraft

/** One thing that somebody changes. */
const anyEdit: fc.Arbitrary<Edit> = fc.oneof(
  fc
    .tuple(fc.constantFrom(...places), fc.option(fc.integer({ min: 1, max: 9 })))
    .map(([place, beatmapId]): Edit => (draft) => {
      const others = draft.slots.filter((slot) => placeKey(slot) !== placeKey(place))
      return { ...draft, slots: beatmapId === null ? others : [...others, { ...place, beatmapId }] }
    }),
  fc.constantFrom(9, 11, 13).map((bestOf): Edit => (draft) => ({ ...draft, bestOf })),
  fc.constantFrom(1, 2, 3).map((bans): Edit => (draft) => ({ ...draft, bans })),
  fc.constantFrom('Finals', 'Last').map((name): Edit => (draft) => ({ ...draft, name })),
)

/** A folder and the service, with nothing between them but the merge. */
class Folder {
  own: RoundDraft
  base: RoundDraft | null
  readonly service: { round: RoundDraft }

  constructor(service: { round: RoundDraft }) {
    this.service = service
    this.own = service.round
    this.base = service.round
  }

  pull(): readonly string[] {
    const { kept, conflicts } = mergeRound(this.base, this.own, this.service.round)
    this.own = kept
    this.base = rebaseRound(this.base, this.own, this.service.round)
    return conflicts
  }

  push(): readonly string[] {
    const { sent, conflicts } = mergeRound(this.base, this.own, this.service.round)
    this.service.round = asSaved(sent)
    this.base = rebaseRound(this.base, this.own, this.service.round)
    return conflicts
  }

  /** As `pull --force`. */
  giveIn(): void {
    this.own = this.service.round
    this.base = this.service.round
  }

  get isEven(): boolean {
    return compareRounds(this.own, this.service.round).length === 0
  }
}

const anyStep = fc.oneof(
  fc.record({ who: fc.nat(1), edit: anyEdit }),
  fc.record({ who: fc.nat(1), act: fc.constantFrom('push', 'pull') }),
)

describe('two folders of one tournament', () => {
  it('end equal in any order of edits, pushes and pulls, and nobody has to go round twice', () => {
    const property = fc.property(anyDraft, fc.array(anyStep, { maxLength: 12 }), (first, steps) => {
      const service = { round: first }
      const folders = [new Folder(service), new Folder(service)] as const
      for (const step of steps) {
        const folder = folders[step.who]!
        if ('edit' in step) folder.own = step.edit(folder.own)
        else if (step.act === 'push') folder.push()
        else folder.pull()
      }
      for (const folder of folders) {
        const open = folder.push()
        expect(folder.pull()).toEqual(open)
        // Nothing is left but what is named.
        expect(folder.isEven).toBe(open.length === 0)
        if (open.length > 0) folder.giveIn()
        expect(folder.push()).toEqual([])
        expect(folder.isEven).toBe(true)
      }
      expect(folders[0].pull()).toEqual([])
      expect(folders[0].isEven).toBe(true)
    })
    fc.assert(property, { numRuns: 1000 })
  })

  it('lose nothing of what they changed in different slots and fields, whoever is first', () => {
    const property = fc.property(
      anyDraft,
      fc.array(anyEdit, { maxLength: 4 }),
      fc.array(anyEdit, { maxLength: 4 }),
      fc.boolean(),
      (first, mine, others, isFirst) => {
        const service = { round: first }
        const [a, b] = [new Folder(service), new Folder(service)]
        a.own = mine.reduce((draft, edit) => edit(draft), first)
        b.own = others.reduce((draft, edit) => edit(draft), first)
        const both = [...changesOf(first, a.own), ...changesOf(first, b.own)]
        const isDisjoint = new Set(both.map(([key]) => key)).size === both.length
        fc.pre(isDisjoint)
        for (const folder of isFirst ? [a, b] : [b, a]) expect(folder.push()).toEqual([])
        const now = contentsOf(service.round)
        for (const [key, value] of both) expect([key, now.get(key)]).toEqual([key, value])
        for (const folder of [a, b]) {
          expect(folder.pull()).toEqual([])
          expect(folder.isEven).toBe(true)
        }
      },
    )
    fc.assert(property, { numRuns: 1000 })
  })
})

/** What is in each slot and field, by the schema alone. */
const contentsOf = ({ name, bestOf, bans, slots }: RoundDraft) =>
  new Map<string, unknown>([
    ['name', name],
    ['bestOf', bestOf],
    ['bans', bans],
    ...slots.map((slot) => [placeKey(slot), slot.beatmapId] as const),
  ])

function changesOf(before: RoundDraft, after: RoundDraft): [string, unknown][] {
  const [was, is] = [contentsOf(before), contentsOf(after)]
  return [...new Set([...was.keys(), ...is.keys()])].flatMap((key) =>
    was.get(key) === is.get(key) ? [] : [[key, is.get(key)] as [string, unknown]],
  )
}

import { signal } from '@preact/signals'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { PageData } from '../../src/contract/page-data.ts'
import type { RoundSlot } from '../../src/contract/rounds.ts'
import { asServed } from '../../src/web/page-data.ts'
import { rightsOf } from '../../src/web/tournament-staff/roles.ts'
import { RoundModel } from '../../src/web/tournament-edit/round-model.ts'

const planned = {
  mod: 'TB',
  index: 1,
  placeholder: 'custom map',
  details: { title: 'Tidal Clock' },
  link: 'https://files.example/tidal.osz',
}

let count = 0
/** Each of another round: what is not saved of one is kept for the next page that shows it. */
const modelOf = (...slots: RoundSlot[]) => {
  const [createdAt, updatedAt] = ['2026-11-01T10:00:00.000Z', '2026-11-01T10:00:00.000Z']
  const round = { id: `round-${count++}`, name: 'Finals', slots, createdAt, updatedAt }
  const rights = signal(rightsOf('host', false))
  const make = () => new RoundModel('dG91cm5hbW', { round, tag: '"1"' }, rights)
  return asServed({} as PageData, make)
}
const only = (model: RoundModel) => {
  const { key: _, ...slot } = model.store.slots[0]!
  return slot
}

// Nothing is sent: there is no site to answer.
beforeAll(() => void vi.useFakeTimers())
afterAll(() => void vi.useRealTimers())

describe('what is typed into a slot of a round (D-77)', () => {
  const { read } = modelOf()

  it.each<[string, object]>([
    ['', {}],
    ['129891', { beatmapId: 129891 }],
    ['https://osu.ppy.sh/beatmaps/129891', { beatmapId: 129891 }],
    ['custom map, due Sunday', { placeholder: 'custom map, due Sunday' }],
    [' https://files.example/tidal.osz ', { link: 'https://files.example/tidal.osz' }],
  ])('%j means %j', (text, value) => {
    expect(read(text)).toEqual({ value })
  })

  it.each([
    'https://osu.ppy.sh/users/7',
    'https://assets.ppy.sh/x.osz',
    'http://files.example/a.osz',
    'files.example/a.osz',
    `https://files.example/${'a'.repeat(500)}`,
    'x'.repeat(101),
  ])('%s means nothing', (text) => {
    expect(read(text)).toHaveProperty('reason')
  })

  it('leaves details and link as they are', () => {
    const model = modelOf(planned)
    const fill = (text: string, seen: string): void => {
      const reading = model.read(text)
      if ('value' in reading) model.fill(model.store.slots[0]!, reading.value, seen)
    }
    const { placeholder: _, ...rest } = planned
    fill('129891', 'custom map')
    expect(only(model)).toEqual({ ...rest, beatmapId: 129891 })
    fill('', '129891')
    expect(only(model)).toEqual(rest)
    fill('https://files.example/v2.osz', '')
    expect(only(model)).toEqual({ ...rest, link: 'https://files.example/v2.osz' })
    expect(model.store.stuck.value).toEqual([])
  })

  it('is a conflict where another person has filled the slot meanwhile (D-62)', () => {
    const model = modelOf({ ...planned, placeholder: 'now theirs' })
    model.fill(model.store.slots[0]!, { beatmapId: 75 }, 'custom map')
    expect(only(model)).toMatchObject({ placeholder: 'now theirs' })
    expect(model.store.stuck.value).toHaveLength(1)
  })
})

describe('details and link of a slot (D-77)', () => {
  it('are set by themselves, and are a conflict where another person has changed them', () => {
    const model = modelOf(planned)
    const { details: _, ...seen } = planned
    model.plan(planned, planned, { link: 'https://files.example/v2.osz' })
    expect(only(model)).toEqual({ ...seen, link: 'https://files.example/v2.osz' })
    model.plan(planned, planned, { details: { title: 'Another' } })
    expect(only(model)).toEqual({ ...seen, link: 'https://files.example/v2.osz' })
    expect(model.store.stuck.value).toHaveLength(1)
  })

  it('stay when a candidate is put into the slot', () => {
    const model = modelOf(planned)
    model.put(planned, 75)
    const { placeholder: _, ...rest } = planned
    expect(only(model)).toEqual({ ...rest, beatmapId: 75 })
  })
})

describe('what was said of slots that are gone', () => {
  it('is left over until the slot is there again', () => {
    const model = modelOf(planned)
    const remarkFields = {
      writtenBy: null,
      settled: false,
      createdAt: 'x',
      updatedAt: 'x',
      text: 'Hm',
    }
    const remarks = [
      { ...remarkFields, id: '1', mod: 'NM', index: 4 },
      { ...remarkFields, id: '2', mod: 'TB', index: 1 },
      { ...remarkFields, id: '3' },
    ]
    model.discussion.value = { candidates: [], remarks: remarks as never }
    expect(model.leftOver.value).toEqual(['slot NM 4'])
    model.actions.add('NM', {})
    model.actions.renumber(model.store.slots.at(-1)!.key, 4)
    expect(model.leftOver.value).toEqual([])
  })
})

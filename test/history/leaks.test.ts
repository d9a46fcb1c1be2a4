import * as fc from 'fast-check'
import { afterAll, describe, expect, inject, it } from 'vitest'
import { countFrom } from '../../scripts/arguments.ts'
import { follow, LISTED, look, placesOf } from './looks.ts'
import { conditions, type ModelPack } from './model.ts'
import { openScene, type Scene } from './scene.ts'
import { type Sequence, sequences } from './sequences.ts'

const SEQUENCES = countFrom('HISTORY_SEQUENCES', 480)
/** On PostgreSQL a statement takes longer, and the rules are the same. */
const [BLOCKS, EACH] = inject('engine') === 'sqlite' ? [8, Math.ceil(SEQUENCES / 8)] : [2, 20]

const scene = await openScene()
// Before anything has happened.
for (const reader of scene.readers.readers) if (reader.door === 'api') await follow(scene, reader)
afterAll(() => scene.house.close())

const parts = Array.from({ length: BLOCKS }, (_, at) => at + 1)
const played = new Map<number, Promise<void>>()

/** Plays the sequences of a part, once, for every test that asks for it: one after the other, in one scene. */
function playPart(seed: number): Promise<void> {
  const known = played.get(seed)
  if (known !== undefined) return known
  const before = Promise.allSettled(played.values())
  const property = fc.asyncProperty(sequences, (sequence) => play(scene, sequence))
  const part = before.then(() => fc.assert(property, { numRuns: EACH, seed }))
  played.set(seed, part)
  return part
}

describe('D-70 to D-73: nobody reads of a history what it denies', () => {
  it.each(parts)(
    `${EACH} random sequences of saves, hiding, visibilities and the switch: part %i`,
    playPart,
  )

  it.each([
    ...Object.keys(conditions),
    'the total is of what may be read',
    'changes are against a version that may be read',
    LISTED,
  ])('would have noticed otherwise: %s', async (what) => {
    await Promise.allSettled(parts.map(playPart))
    expect(scene.decided.get(what)).toBeGreaterThan((BLOCKS * EACH) / 10)
  })
})

const play = async (scene: Scene, sequence: Sequence): Promise<void> => {
  const packs = await scene.begin(sequence)
  try {
    for (const step of sequence.steps) {
      const pack = packs[step.of] ?? packs[0]!
      await scene.take(pack, step)
      for (const choice of step.looks) await lookAt(scene, packs, pack, choice)
    }
    await lookAround(scene, packs, sequence.turn)
  } finally {
    await scene.end(packs)
  }
}

/** The number chooses who looks where. */
const lookAt = async (
  scene: Scene,
  packs: readonly ModelPack[],
  pack: ModelPack,
  number: number,
): Promise<void> => {
  const all = scene.readers.readers
  const reader = all[number % all.length]!
  const { ofPack, lists } = placesOf(reader)
  const places = [...ofPack, ...lists]
  const at = Math.floor(number / all.length)
  const place = places[at % (places.length + 1)]
  if (place !== undefined) {
    await look(scene, place, { pack, packs, reader, choice: Math.floor(at / places.length) })
  } else if (reader.door === 'api') {
    await follow(scene, reader)
  }
}

/**
 * Every reader at a third of the places, another third each time; and in another order, because what one
 * gets may be cached for another.
 */
const lookAround = async (
  scene: Scene,
  packs: readonly ModelPack[],
  turn: number,
): Promise<void> => {
  const { readers } = scene.readers
  const pack = packs[0]!
  scene.house.clock.nextMinute()
  for (let at = 0; at < readers.length; at += 1) {
    const reader = readers[(at * (1 + (turn % 6)) + turn) % readers.length]!
    const { ofPack, lists } = placesOf(reader)
    const on = { pack, packs, reader, choice: turn }
    for (const [number, place] of ofPack.entries()) {
      if (((turn >> at) + number) % 3 === 0) await look(scene, place, on)
    }
    if (at === 0) for (const place of lists) await look(scene, place, on)
    if (reader.door === 'api') await follow(scene, reader)
  }
}

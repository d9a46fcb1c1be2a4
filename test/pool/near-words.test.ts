import { describe, expect, it } from 'vitest'
import { likelyName, nearNames, nearWords } from '../../src/pool/near-words.ts'

describe('names of rounds that are near', () => {
  const near: [string, string][] = [
    ['Semifinals', 'Semi Finals'],
    ['semi-final', 'Semi Finals'],
    ['Semis Final', 'Semi Finals'],
    ['SEMIFINALS', 'semifinals'],
    ['Grand Finals', 'Grand Finals '],
    ['Quaterfinals', 'Quarterfinals'],
    ['Round of 16', 'Round Of-16'],
    ['RO16', 'RO 16'],
    ['Qualifier', 'Qualifiers'],
    ['Finale', 'Finalé'],
    ['Ｓｅｍｉｆｉｎａｌｓ', 'Semifinals'],
    ['準決勝', '準決勝!'],
  ]
  it.each(near)('%j and %j', (one, other) => {
    expect(nearNames(one, ['Nothing', other])).toEqual([other])
    expect(nearNames(other, [one])).toEqual([one])
  })

  const far: [string, string][] = [
    ['Semifinals', 'Finals'],
    ['Semifinals', 'Quarterfinals'],
    ['Grand Finals', 'Finals'],
    ['Round of 16', 'Round of 32'],
    ['Week 1', 'Week 2'],
    ['Week II', 'Week III'],
    ['Group A', 'Group B'],
    ['Upper Bracket', 'Lower Bracket'],
    ['Winners Final', 'Losers Final'],
    ['East', 'West'],
    ['準決勝', '決勝'],
    ['!!!', '???'],
  ]
  it.each(far)('but not %j and %j', (one, other) => {
    expect(nearNames(one, [other])).toEqual([])
    expect(nearNames(other, [one])).toEqual([])
  })
})

describe('words that were meant', () => {
  const commands = ['login', 'logout', 'list', 'export', 'import', 'delete', 'me']
  it.each([
    ['exprot', ['export']],
    ['Export', ['export']],
    ['dele', ['delete']],
    ['logn', ['login']],
    ['frobnicate', []],
    ['my', []],
  ])('by %j', (word, meant) => {
    expect(nearWords(word, commands)).toEqual(meant)
  })
})

describe('the likely name of a missing field (D-88)', () => {
  it.each([
    ['beatmapId', 'beatmap_id'],
    ['beatmapId', 'BeatmapID'],
    ['beatmapId', 'beatmap-id'],
    ['beatmapId', 'beatmaId'],
    ['beatmapId', 'id'],
    ['beatmapId', 'map_id'],
    ['mod', 'mods'],
    ['mod', 'Mod'],
    ['index', 'idx'],
    ['index', 'indx'],
    ['slots', 'slot'],
    ['slots', 'beatmaps'],
    ['name', 'nmae'],
    ['name', 'title'],
    ['text', 'message'],
    ['changes', 'change'],
    ['role', 'roles'],
    ['role', 'type'],
    ['index', 'i'],
    ['index', 'num'],
    ['name', 'packName'],
    ['name', 'tournament_name'],
    ['at', 'when'],
    ['text', 'body'],
  ])('%s: %s', (missing, sent) => {
    expect(likelyName(missing, ['comment_of_mine', sent, 'xyz'])).toBe(sent)
  })

  it.each([
    ['beatmapId', 'index'],
    ['beatmapId', 'setId'],
    ['mod', 'no'],
    ['name', 'slots'],
    ['to', 'x'],
    ['constructor', 'a'],
    ['at', 'type'],
    ['name', 'body'],
    ['mod', 'i'],
  ])('%s: not %s', (missing, sent) => {
    expect(likelyName(missing, [sent])).toBeUndefined()
  })

  it('the same letters come before another word, and that before a slip', () => {
    expect(likelyName('beatmapId', ['beatmapIdd', 'id', 'beatmap_id'])).toBe('beatmap_id')
    expect(likelyName('beatmapId', ['beatmapIdd', 'id'])).toBe('id')
  })
})

import { describe, expect, it } from 'vitest'
import {
  bucketCounted,
  bucketNamed,
  bucketsHeaded,
  codeOfBits,
  countsBuckets,
  knownBucket,
  readHeading,
  usualCode,
} from '../../src/formats/import/words/bucket-names.ts'
import { BucketCodes, readWords } from '../../src/formats/import/words/labels.ts'
import { emptyDraft, withBuckets } from './pasted-text.ts'

const codes = new BucketCodes(withBuckets('RC1', 'Mix'))

describe('the name of a bucket', () => {
  it.each([
    ['Long Notes', 'LN'],
    ['ライス', 'RC'],
    ['Slider-Velocity', 'SV'],
    ['EXTREME', 'EX'],
    ['mixed_mod', 'MM'],
    ['Hybrid:', 'HB'],
    ['Long Notes 2', null],
    ['Hidden', null],
    ['extremely', null],
    ['', null],
  ])('may be usual without any mod: “%s”', (text, code) => {
    expect(usualCode(text)).toBe(code)
  })

  const label = (code: string, index: number | null = null) => ({ code, index })

  it.each([
    ['5 NoMod', label('NM')],
    ['3x Hidden', label('HD')],
    ['[2× Hard Rock]', label('HR')],
    ['4 NM', label('NM')],
    ['2 mix', label('mix')],
    ['50 NoMod', null],
    ['0 NoMod', null],
    ['5 Kestrels', null],
    ['5 NM1', null],
    ['Hidden (5)', label('HD')],
    ['Hidden <5>', label('HD')],
    ['Hard Rock x2', label('HR')],
    ['Hard Rock 2x', label('HR')],
    ['Double Time 2/3', label('DT')],
    ['Double Time: 3 maps', label('DT')],
    ['Double Time: 3 days', null],
    ['**Free Mod** – 2 picks:', label('FM')],
    ['Double Time - 64', label('DT', 64)],
    ['NoMod 2', label('NM', 2)],
    ['No Mod no. 2', label('NM', 2)],
    ['Long Notes 2', label('LN', 2)],
    ['Rice2', null],
    ['Kestrels (5)', null],
    ['Hidden', null],
    ['Hidden 1234', null],
    [`${' '.repeat(50)}Hidden (5)`, label('HD')],
    [`${' '.repeat(51)}Hidden (5)`, null],
  ])('may have a count or a number beside it: “%s”', (text, bucket) => {
    expect(bucketCounted(text, codes)).toEqual(bucket)
  })

  it.each([
    ['NM', label('NM')],
    ['nm 2', label('nm', 2)],
    ['Mix', label('Mix')],
    ['**Hard Rock** (2 maps):', label('HR')],
    ['Hidden [played in order]', label('HD')],
    ['Long Notes', label('LN')],
    ['Double Time x3', label('DT')],
    ['HDHR', label('HDHR')],
    ['ezhd2', label('ezhd', 2)],
    ['Kestrel', null],
    ['Kestrel 2', null],
    ['(2 maps)', null],
    ['', null],
    [`Hidden${' '.repeat(194)}`, label('HD')],
    [`Hidden${' '.repeat(195)}`, null],
  ])('is known, whatever is around it: “%s”', (text, bucket) => {
    expect(knownBucket(text, codes)).toEqual(bucket)
  })

  it.each([
    ['Hard Rock', label('HR')],
    ['Kestrel', label('Kestrel')],
    ['Speed & Aim', label('SpeedAim')],
    ['Stamina and Finger Control', label('SAFC')],
    ['Reading Comprehension', label('RC')],
    ['Incomprehensible', label('Incomprehens')],
    ['Abcdef-Ghijkl', label('AbcdefGhijkl')],
    ['one two three four five six', label('OTTFFS')],
    ['one two three four five six seven', null],
    ['曲 - !', label('曲')],
    ['!', null],
    ['x'.repeat(60), label('x'.repeat(12))],
    ['x'.repeat(61), null],
  ])('makes a bucket by its place, if it is short: “%s”', (text, bucket) => {
    expect(bucketNamed(text, codes)).toEqual(bucket)
  })

  it.each([
    ['NM: 5, HD: 2', true],
    ['5 NM, 2 HD', true],
    ['Pool (5 NM, 2 HD)', true],
    ['Maps: NM 5 maps, HD 2 maps', true],
    ['Mix 5, Rice 2', true],
    ['Pool 5 NM, 2 HD', false],
    ['NM: 5', false],
    ['NM: 5, HD', false],
    ['NM: 5, NM: 2', false],
    ['NM: 5, Kestrel: 2', false],
    ['NM: 5, HD: 50', false],
    ['NM: 05, HD: 2', false],
    ['NM: five, HD: two', false],
  ])('has a count beside each of several in “%s”: %s', (text, counts) => {
    expect(countsBuckets(readWords(text), codes)).toBe(counts)
  })

  it.each([
    ['NM', label('NM')],
    ['NM1:', label('NM', 1)],
    ['Hidden (2 maps)', label('HD')],
    ['Hidden (5.8*)', label('HD')],
    ['NoMod [5.8 - 6.1★]:', label('NM')],
    ['DT - 5.8*', label('DT')],
    ['Hard Rock 5,8–6,1★', label('HR')],
    ['Hidden (2 maps):', label('HD')],
    ['Long Notes', label('LN')],
    ['Rice', null],
    ['RC', label('RC')],
    ['[Tech]', label('Tech')],
    ['Tech:', label('Tech')],
    ['Tech', null],
    ['TECH', label('TECH')],
    ['TECH 2', label('TECH', 2)],
    ['seed = 4', null],
    ['SEED: 4', null],
    ['曲:', null],
    ['Low Tide', null],
    [`[NM]${' '.repeat(196)}`, label('NM')],
    [`[NM]${' '.repeat(197)}`, null],
  ])('is a heading of its own line: “%s”', (line, bucket) => {
    expect(readHeading(line, readWords(line), codes)?.label ?? null).toEqual(bucket)
  })

  it('may end in a digit above labels that have a number behind it', () => {
    expect(bucketsHeaded('RC1\nRC1 1: 75\n## LN2\n\n- LN2 1: 76')).toEqual(['RC1', 'LN2'])
    expect(bucketsHeaded('RC1\nRC2 1: 75\nRC1 1 75')).toEqual([])
    expect(knownBucket('RC1', codes)).toEqual(label('RC1'))
    expect(knownBucket('RC1', new BucketCodes(emptyDraft))).toBeNull()
  })
})

describe('the bits in which the game has mods', () => {
  it.each([
    [0, 'NM'],
    [1, 'NM'],
    [2, 'EZ'],
    [8, 'HD'],
    [16, 'HR'],
    [64, 'DT'],
    [64 + 512, 'DT'],
    [256, 'HT'],
    [1024, 'FL'],
    [1 + 8 + 16, 'HDHR'],
    [8 + 64 + 512, 'HDDT'],
    // What the game does not put together, or no bucket can force.
    [2 + 16, null],
    [64 + 256, null],
    [512, null],
    [4, null],
    [8 + 32, null],
    [2 + 8 + 64 + 1024, null],
  ])('%i is the bucket %s', (bits, code) => {
    expect(codeOfBits(bits)).toBe(code)
  })
})

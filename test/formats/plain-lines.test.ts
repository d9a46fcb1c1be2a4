import { describe, expect, it } from 'vitest'
import { readPlannedLine } from '../../src/formats/import/lines/plans.ts'
import type { Plan, Reading } from '../../src/formats/import/readings.ts'
import { BucketCodes, type Label } from '../../src/formats/import/words/labels.ts'
import { slotWords } from '../../src/pool/round-fields.ts'
import { emptyDraft } from './pasted-text.ts'

const codes = new BucketCodes(emptyDraft)

const join = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join(' ')
const slot = (label: Label | null): string => `${label?.code ?? ''}${label?.index ?? ''}`
const at = ({ ordinal }: { readonly ordinal?: number }): string =>
  ordinal === undefined ? '' : `at ${ordinal}`
/** Everything that is true of it: `isTitled`, `endsHeading`. */
const marks = (reading: Reading | Plan): string =>
  join(...Object.entries(reading).map(([name, value]) => (value === true ? name : '')))

/** What a line says, all of it: `NM1=75 at 3`, `HD: isSoft`, the choices of a question, a refusal and what is planned. */
const told = (reading: Reading): string => {
  if (reading.kind === 'skipped') return 'nothing'
  if (reading.kind === 'heading') return join(`${slot(reading.label)}:`, marks(reading))
  if (reading.kind === 'asked')
    return reading.choices.map((choice) => told(choice.reading)).join(' | ')
  if (reading.kind === 'slot')
    return join(`${slot(reading.label)}=${reading.beatmapId}`, at(reading), marks(reading))
  const { reason, links = [], plan } = reading
  const own = join(reason, marks(reading), ...links.map(({ kind }) => kind))
  if (plan === undefined) return own
  const filling = slotWords(plan.filling).replaceAll(/^“|”$|”(?=,)/g, '')
  return join(own, 'plans', slot(plan.label), `“${filling}”`, at(plan), marks(plan))
}
const says = (text: string): string => told(readPlannedLine(text, codes))

describe('a line by itself', () => {
  it.each([
    ['NM1 129891', 'NM1=129891'],
    ['nm 2 129891', 'nm2=129891'],
    ['129891', '=129891'],
    ['129891 - NM1', 'NM1=129891'],
    ['129891 NM1', 'NM1=129891'],
    ['129891 - NM1 - Cirrus - Low Tide', 'NM1=129891'],
    ['129891 | NM1', '=129891'],
    ['NM1: 129891 - Cirrus - Low Tide', 'NM1=129891'],
    ['NM1: 129891 (warm-up)', 'NM1=129891'],
    ['NM1: 129891, alt: 8', 'NM1=129891'],
    ['NM1 129891 NF', 'NM1=129891'],
    ['[13:15] Ada: NM1 129891', 'NM1=129891'],
    ['Ada > NM1 129891', 'NM1=129891'],
    ['Kestrel 2 129891', 'Kestrel2=129891'],
    ['NM 129891', 'NM=129891'],
    ['TB 129891', 'TB=129891'],
    ['NoMod 129891', 'NM=129891'],
    ['NM1 Cirrus - Low Tide id 129891', 'NM1=129891'],
    ['NM1 (HD) 129891', 'NM1=129891'],
    ['NM1: map 129891', 'NM1=129891'],
    ['osu.ppy.sh/b/129891', '=129891'],
    ['NM1 osu.ppy.sh/b/129891', 'NM1=129891'],
    ['osu.ppy.sh/b/129891 NM1', 'NM1=129891'],
    ['osu.ppy.sh/b/129891 NM1 Cirrus - Low Tide', 'NM1=129891'],
    ['osu.ppy.sh/b/129891 - Hidden', 'HD=129891'],
    ['osu.ppy.sh/b/129891 Low Tide', '=129891'],
    ['Low Tide osu.ppy.sh/b/129891', '=129891 isTitled'],
    ['2. Low Tide osu.ppy.sh/b/129891', '=129891 at 2 isTitled'],
    ['2. NM1 osu.ppy.sh/b/129891', 'NM1=129891'],
    ['[NM1](osu.ppy.sh/b/129891)', 'NM1=129891'],
    ['[NM1 Low Tide](osu.ppy.sh/b/129891)', 'NM1=129891'],
    ['[NM1 - Low Tide](osu.ppy.sh/b/129891)', 'NM1=129891 isTitled'],
    ['[Hidden](osu.ppy.sh/b/129891)', 'HD=129891 isTitled'],
    ['[Low Tide](osu.ppy.sh/b/129891) NM1', 'NM1=129891'],
    ['[Low Tide](osu.ppy.sh/b/129891) NM1 Low', '=129891'],
    ['[Low Tide](osu.ppy.sh/b/129891) NM1 - Low', 'NM1=129891'],
    ['[KES1](osu.ppy.sh/b/129891)', 'KES1=129891 isTitled'],
    ['[url=osu.ppy.sh/b/129891]NM1[/url]', 'NM1=129891'],
    ['[url=osu.ppy.sh/b/129891]Low Tide[/url] NM1', 'NM1=129891'],
    ['12:30 Ada: NM1 osu.ppy.sh/b/129891', 'NM1=129891'],
    ['Ada NM1: osu.ppy.sh/b/129891', 'NM1=129891'],
    ['NM1 Low Tide: osu.ppy.sh/b/129891', 'NM1=129891'],
    ['TB Low Tide: osu.ppy.sh/b/129891', 'TB=129891'],
    ['NM: Low Tide osu.ppy.sh/b/129891', 'NM=129891'],
    ['Low Tide NM1 osu.ppy.sh/b/129891', 'NM1=129891'],
    ['#2 osu.ppy.sh/b/129891', '2=129891'],
    ['# 2: 129891', '2=129891'],
    ['Pick 2 - NM1 129891', 'NM1=129891'],
    ['Seed 1 - 129891', '=129891'],
    ['!mp map 129891 0', '=129891'],
    ['NM1 12345 Cirrus - Low Tide', 'NM1=12345'],
    ['NM1: set 1234 129891', 'NM1=129891'],
    ['TB - Low Tide id 129891', 'TB1=129891'],
    ['<@123456789> NM1 129891', 'NM1=129891'],
    ['HD: 75', 'HD=75'],
    ['HD 75', 'HD=75'],
    ['4392 NM1', 'NM1=4392'],
    ['Kestrel 129891', 'Kestrel=129891'],
    ['KES 75', 'KES=75'],
    ['NM1 (Low Tide - Ada) 129891', 'NM1=129891'],
    ['NM1 129891 | Low Tide', 'NM1=129891'],
    ['NM1 1234 - Low Tide', 'NM1=1234'],
    ['- 129891', '=129891'],
    ['5) NM2 129891', 'NM2=129891'],
    ['3. 129891', '=129891 at 3'],
    ['B) 129891', '=129891'],
    ['NM1 Low Tide = 129891', 'NM1=129891'],
    ['NM1 | Cirrus - Low Tide | 129891', 'NM1=129891'],
    ['NM1: 129891 - 5 - Low', 'NM1=129891'],
    ['[NM1] Low Tide: osu.ppy.sh/b/129891', 'NM1=129891'],
    ['Hidden + Hard Rock 1: osu.ppy.sh/b/129891', 'HDHR1=129891'],
    ['osu.ppy.sh/b/129891 [NM1] Low Tide', 'NM1=129891'],
    ['osu.ppy.sh/b/129891 KES1', 'KES1=129891'],
    ['osu.ppy.sh/b/129891 Kestrel', '=129891'],
    ['Beatmap ID: osu.ppy.sh/b/129891', '=129891'],
    ['NM Low Tide osu.ppy.sh/b/129891', '=129891 isTitled'],
    ['NM1 1234 Low Tide osu.ppy.sh/b/129891', 'NM1=129891'],
    ['[url=osu.ppy.sh/b/129891]NM2 - NM2[/url]', 'NM2=129891 isTitled'],
    ['osu.ppy.sh/b/129891 osu.ppy.sh/b/129891 NM1', 'NM1=129891'],
    ['warm-up 1 - TB 129891', 'TB=129891'],
    ['TB: mapped by Ada id 129891', 'TB1=129891'],
  ])('is a slot: %s', (text, slot) => {
    expect(says(text)).toBe(slot)
  })

  it.each([
    ['NM1: 129891, alt: 129892', 'NM1=129891 | NM1=129892 | nothing'],
    ['NM1 129891 - 1388042 Team', 'NM1=129891 | NM1=1388042 | nothing'],
    ['NM1 129891 - 129892', 'NM1=129891 | NM1=129892 | nothing'],
    ['NM1 75 76', 'NM1=75 | NM1=76 | nothing'],
    ['NM1 5 129891', 'NM1=129891 | NM1=5 | nothing'],
    [
      'NM1 Cirrus - Low Tide 129891',
      'noBeatmap plans NM1 “Cirrus - Low Tide 129891” isSure | NM1=129891',
    ],
    ['NM1 (Ada) 129891', 'nothing | NM1=129891'],
    ['NM1 Low Tide 129891 129892', 'NM1=129891 | NM1=129892 | nothing'],
    ['NM1 Low Tide 5 129892', 'noBeatmap plans NM1 “Low Tide 5 129892” isSure | NM1=129892'],
    ['NM1 HD2 129891', 'NM1=129891 | HD2=129891 | nothing'],
    ['NM1 & HD2: 129891', 'NM1=129891 | HD2=129891 | nothing'],
    ['129891 NM1 and NM2', 'NM1=129891 | NM2=129891 | nothing'],
    ['NM1 osu.ppy.sh/b/129891 osu.ppy.sh/b/129892', 'NM1=129891 | NM1=129892 | nothing'],
    ['NM1 1234 osu.ppy.sh/b/129891', 'NM1=129891 | NM1=1234 | nothing'],
    ['1234 osu.ppy.sh/b/129891', '=129891 | =1234 | nothing'],
    ['NM1/HD2 osu.ppy.sh/b/129891', 'NM1=129891 | HD2=129891 | nothing'],
    ['NM1 osu.ppy.sh/b/75 osu.ppy.sh/b/76 HD2', 'NM1=75 | NM1=76 | nothing'],
    ['NM1 5550 12345', 'NM1=12345 | NM1=5550 | nothing'],
    [
      'NM1 10000 Maniacs - Low Tide',
      'noBeatmap plans NM1 “10000 Maniacs - Low Tide” isSure | NM1=10000',
    ],
    ['NM1 wins 500000', 'nothing | NM1=500000'],
    ['NM1 [Ada] (129891)', 'nothing | NM1=129891'],
    ['129891 - NM1 - HD2 - Low Tide', 'NM1=129891 | HD2=129891 | nothing'],
    ['NM2 - 12345 - 12346 - Low', 'NM2=12345 | NM2=12346 | nothing'],
    ['HD1 NM1 Low 129891', 'HD1=129891 | NM1=129891 | nothing'],
    ['NM1 75 Low Tide 129891', 'NM1=129891 | NM1=75 | nothing'],
    ['NM1 won by Ada 129891', 'nothing | NM1=129891'],
    ['HD1 Ada gets 129891', 'noBeatmap plans HD1 “Ada gets 129891” isSure | HD1=129891'],
  ])('is asked about: %s', (text, choices) => {
    expect(says(text)).toBe(choices)
  })

  it.each([
    ['KES2', 'KES2:'],
    ['히든 (2)', 'HD:'],
    ['NM:', 'NM:'],
    ['- NoMod', 'NM:'],
    ['### NoMod', 'NM: isSoft'],
    ['### NM1', 'NM1: isSoft'],
    ['# NM1', 'NM1: isSoft'],
    ['Ban 1: NM2', 'NM2: isSoft'],
    ['Hidden (5)', 'HD:'],
    ['seed #4: HD', 'HD: isSoft'],
  ])('is a heading: %s', (text, label) => {
    expect(says(text)).toBe(label)
  })

  it.each([
    [
      'NM1 https://osu.ppy.sh/beatmapsets/12',
      'wholeSet isItem plans NM1 “https://osu.ppy.sh/beatmapsets/12” isSure',
    ],
    [
      'HD2 Low Tide https://osu.ppy.sh/beatmapsets/12',
      'wholeSet isItem plans HD2 “Low Tide, https://osu.ppy.sh/beatmapsets/12” isSure',
    ],
    [
      '3. Low Tide https://osu.ppy.sh/beatmapsets/12',
      'wholeSet isItem plans “Low Tide, https://osu.ppy.sh/beatmapsets/12” at 3 isSure',
    ],
    ['NM1 TBA', 'noBeatmap endsHeading plans NM1 “TBA” isSure'],
    [
      'NM1: Cirrus - Low Tide [Extra] (Ada)',
      'noBeatmap plans NM1 “Cirrus - Low Tide [Extra] by Ada” isSure',
    ],
    ['NM1 Cirrus - Low Tide', 'noBeatmap plans NM1 “Cirrus - Low Tide” isSure'],
    ['NM1 Low Tide', 'noBeatmap endsHeading plans NM1 “Low Tide” isSure'],
    ['NM1 custom map, due Sunday', 'noBeatmap plans NM1 “custom map, due Sunday” isSure'],
    ['TB Low Tide', 'noBeatmap endsHeading isProse plans TB “Low Tide”'],
    ['TB ???', 'noBeatmap endsHeading plans TB “???” isSure'],
    ['TBA', 'noBeatmap endsHeading isProse isItem plans “TBA” isSure'],
    ['2. ???', 'noBeatmap endsHeading isProse isItem plans “???” at 2 isSure'],
    ['2. Low Tide', 'noBeatmap endsHeading isProse isItem plans “Low Tide” at 2'],
    [
      '2. Cirrus - Low Tide',
      'noBeatmap endsHeading isProse isItem plans “Cirrus - Low Tide” at 2 isSure',
    ],
    ['Cirrus - Low Tide', 'noBeatmap endsHeading isProse plans “Cirrus - Low Tide” isSure'],
    ['KES1 Cirrus - Low Tide', 'noBeatmap isProse plans KES1 “Cirrus - Low Tide”'],
    ['RO16 Cirrus - Low Tide', 'noBeatmap isProse plans “RO16 Cirrus - Low Tide” isSure'],
    ['NM1 Low Tide 99', 'unclearSlot plans NM1 “Low Tide 99” isSure'],
    [
      'NM1 Low Tide https://drive.google.com/file/d/x',
      'otherLink file plans NM1 “Low Tide, https://drive.google.com/file/d/x” isSure',
    ],
    [
      '2. Cirrus - Low Tide https://a.example/x',
      'otherLink isProse isItem other plans “Cirrus - Low Tide, https://a.example/x” at 2 isSure',
    ],
    ['NM1 tbd, Low', 'noBeatmap endsHeading plans NM1 “tbd, Low” isSure'],
    ['NM1 - custom', 'noBeatmap endsHeading plans NM1 “custom” isSure'],
    ['1. tba', 'noBeatmap endsHeading isProse isItem plans “tba” at 1 isSure'],
    [
      '3. Cirrus - Low Tide [Extra] (Ada)',
      'noBeatmap isProse isItem plans “Cirrus - Low Tide [Extra] by Ada” at 3 isSure',
    ],
    ['NM1 Low Tide 5', 'unclearSlot plans NM1 “Low Tide 5” isSure'],
    ['ezhd1 Low Tide', 'noBeatmap endsHeading isProse plans ezhd1 “Low Tide” isSure'],
    ['hd2 low tide', 'noBeatmap endsHeading plans hd2 “low tide” isSure'],
    ['Kes2 Cirrus - Low Tide', 'noBeatmap isProse plans “Kes2 Cirrus - Low Tide” isSure'],
    [
      'osu.ppy.sh/beatmapsets/12',
      'wholeSet isItem plans “https://osu.ppy.sh/beatmapsets/12” isSure',
    ],
    ['KES1 Low', 'noBeatmap endsHeading isProse plans KES1 “Low”'],
    ['RC1 2 Low', 'unclearSlot isProse plans RC12 “Low”'],
    ['NM 2 NM Low', 'unclearSlot plans NM2 “NM Low” isSure'],
  ])('plans a slot (D-77): %s', (text, plan) => {
    expect(says(text)).toBe(plan)
  })

  it.each([
    ['NM1: 129891 warm-up', 'unclearSlot'],
    ['NM1 129891 NF x', 'unclearSlot'],
    ['12:30 129891', 'severalNumbers'],
    ['129892: NM1 129891', 'severalNumbers'],
    ['Kestrel 21 129891', 'severalNumbers'],
    ['phone 040 5550123', 'unclearSlot isProse'],
    ['Chapter 2', 'unclearSlot isProse'],
    ['NM1 60 Low 70', 'severalNumbers'],
    ['NM1 / NM2 / NM3 129891', 'unclearSlot'],
    ['NM1: 1 map', 'unclearSlot'],
    ['TB: 1 map', 'unclearSlot'],
    ['10 Kestrels 2 Low', 'severalNumbers isProse'],
    ['NM1 osu.ppy.sh/b/129891 HD1 75', 'severalBeatmaps'],
    ['NM1 osu.ppy.sh/b/129891 NM2 osu.ppy.sh/b/129892', 'severalBeatmaps'],
    ['Low osu.ppy.sh/b/129891 osu.ppy.sh/b/129892', 'severalBeatmaps'],
    ['NM1 osu.ppy.sh/b/1 osu.ppy.sh/b/2 osu.ppy.sh/b/3', 'severalBeatmaps'],
    ['NM1/HD2/DT1 osu.ppy.sh/b/129891', 'unclearSlot'],
    ['NM1 https://osu.ppy.sh/users/7', 'otherLink other'],
    ['https://youtu.be/x', 'otherLink isProse showcase'],
    ['- [Map pack](https://a.example/x.zip)', 'otherLink isProse mapPack'],
    ['Map 2 of the pool', 'noBeatmap endsHeading isProse'],
    ['DT = 1<<6', 'noBeatmap'],
    ['Low Tide', 'noBeatmap endsHeading isProse'],
    ['one two three four', 'noBeatmap isProse'],
    ['one two three four 1999', 'unclearSlot isProse'],
    ['call 040 5550123 now', 'unclearSlot isProse'],
    ['NM1 is too hard', 'noBeatmap'],
    ['HD2 banned by Blue', 'noBeatmap'],
    ['NM1 and HD2', 'noBeatmap endsHeading'],
    ['2. Play only one of the maps here', 'noBeatmap isProse isItem'],
    ['BO7 Low Tide', 'noBeatmap endsHeading isProse'],
    ['NM1 2 TBA', 'unclearSlot'],
    ['NM1 Low Tide 100', 'unclearSlot'],
    ['NM0 Low Tide', 'noBeatmap endsHeading'],
    ['NM100 Low Tide', 'noBeatmap endsHeading'],
    ['2. Low Tide https://a.example/x', 'otherLink isProse isItem other'],
    ['2095112 Cirrus - Low Tide.osz', 'setFile'],
    ['HD1: Ada (host) 1234567', 'unclearSlot'],
    ['NM1 1234567 by Ada Bo', 'unclearSlot'],
    ['TB 1234567 by Ada', 'unclearSlot'],
    ['TB 500000 by Ada', 'unclearSlot'],
    ['NM1 500000 Ada wins', 'unclearSlot'],
    ['kes 75', 'unclearSlot isProse'],
    ['NM1 129891 - HD1 75', 'severalNumbers'],
    ['game 3 - https://a.example/12345', 'otherLink isProse other'],
    ['AR9 Low Tide', 'noBeatmap endsHeading isProse'],
    ['NM1 5 Low Tide', 'unclearSlot'],
    ['NM1 the map of HD2', 'noBeatmap'],
    ['kes2 tba', 'noBeatmap endsHeading isProse'],
    ['NM1 osu.ppy.sh/beatmapsets/12 osu.ppy.sh/beatmapsets/13', 'wholeSet'],
  ])('is none, and is refused with a reason: %s', (text, reason) => {
    expect(says(text)).toBe(reason)
  })

  it.each([
    '### Kestrels',
    '# a remark 129891',
    'Ban 1',
    '!mp mods HD',
    'division 2',
    'best of 7',
    '#NM1 TBA',
  ])('says nothing of a slot: %s', (text) => {
    expect(says(text)).toBe('nothing')
  })
})

import * as fc from 'fast-check'
import { readImport } from '../../src/formats/import/read-import.ts'
import { describe, expect, it } from 'vitest'
import { emptyDraft, pasted, withBuckets, readPaste } from './pasted-text.ts'
import { readingCases, wholeReading } from './whole-readings.ts'

describe('plain lines', () => {
  it.each([
    ['NM1 129891', 'NM1=129891'],
    ['hd2: https://osu.ppy.sh/b/75', 'HD2=75'],
    ['RC1 2 555', 'RC1 2=555'],
    ['RC1 555', 'RC1=555'],
    ['4K1 555', '4K1=555'],
    ['春 555', '春1=555'],
    ['NM 129891', 'NM1=129891'],
    ['NM 3 129891', 'NM3=129891'],
    ['NM01 129891', 'NM1=129891'],
    ['NM1:129891', 'NM1=129891'],
    ['NM1 = 129891', 'NM1=129891'],
    ['NM1 - 129891', 'NM1=129891'],
    ['NM1 – 129891', 'NM1=129891'],
    ['NM1 → 129891', 'NM1=129891'],
    ['NM1\t129891', 'NM1=129891'],
    ['  NM1   129891  ', 'NM1=129891'],
    ['NM1\u00a0\u200b129891\u200b', 'NM1=129891'],
    ['[NM1] 129891', 'NM1=129891'],
    ['(NM1) 129891', 'NM1=129891'],
    ['**NM1** `129891`', 'NM1=129891'],
    ['- NM1 129891', 'NM1=129891'],
    ['• NM1: 129891', 'NM1=129891'],
    ['1. NM4 129891', 'NM4=129891'],
    ['> NM1 129891', 'NM1=129891'],
    ['TB 129891', 'TB=129891'],
    ['tb2 129891', 'TB2=129891'],
    ['129891', '1=129891'],
    ['#129891 is a comment, 2. is not', null],
    ['2. 129891', '1=129891'],
    ['3 129891', '3=129891'],
    ['Beatmap ID: 129891', '1=129891'],
    ['129891 NM4', 'NM4=129891'],
    ['NM1 129891 - Artist - Title [Insane]', 'NM1=129891'],
    ['NM1 129891 (Artist - 1000 Words)', 'NM1=129891'],
    ['NM1 129891 # the easy one', 'NM1=129891'],
    ['NM1 129891, warm-up', 'NM1=129891'],
    ['129891 | Artist - Title', '1=129891'],
    ['Ada: NM1 129891', 'NM1=129891'],
    ['[12:03] Ada: RC1 129891', 'RC1=129891'],
    ['20:15 <Peridot> HD2 129891', 'HD2=129891'],
    ['!mp map 129891', '1=129891'],
    ['!mp map 129891 0', '1=129891'],
    ['Ada: NM1 !mp map 129891 3', 'NM1=129891'],
  ])('%s', (text, slot) => {
    expect(pasted(text)).toEqual(slot === null ? [] : [slot])
  })

  it('without a number take the lowest one that is free', () => {
    expect(pasted('NM2 75\nNM 76\nnm 77')).toEqual(['NM2=75', 'NM1=76', 'NM3=77'])
  })

  it('that are blank, comments or rules are skipped', () => {
    const text = '\n# pool\n   \n-----\n```\nNM1 75\n\n!mp mods NF HD\n!mp timer 90'
    expect(readPaste(text, emptyDraft).lines.map((line) => line.outcome)).toEqual([
      'skipped',
      'skipped',
      'skipped',
      'skipped',
      'skipped',
      'slot',
      'skipped',
      'skipped',
      'skipped',
    ])
  })

  it.each(['\n', '\r\n', '\r'])('may end with %j', (end) => {
    const { lines } = readPaste(`NM1 1${end}${end}HD1 2${end}`, emptyDraft)
    expect(lines).toEqual([
      { line: 1, text: 'NM1 1', outcome: 'slot', mod: 'NM', index: 1, beatmapId: 1 },
      { line: 2, text: '', outcome: 'skipped' },
      { line: 3, text: 'HD1 2', outcome: 'slot', mod: 'HD', index: 1, beatmapId: 2 },
    ])
  })

  it('may follow a byte order mark', () => {
    expect(pasted('\ufeffNM1 1')).toEqual(['NM1=1'])
  })
})

describe('codes', () => {
  it('match those of the draft ignoring case', () => {
    expect(pasted('rc1 75\nFREE 76', withBuckets('RC', 'Free'))).toEqual(['RC1=75', 'Free1=76'])
  })

  it('that end in a digit are a bucket and a number, unless the draft has only such a bucket', () => {
    expect(pasted('RC1 555')).toEqual(['RC1=555'])
    expect(readPaste('RC1 555', withBuckets('RC1')).draft.slots).toEqual([
      { mod: 'RC1', index: 1, beatmapId: 555 },
    ])
    expect(readPaste('RC1 555', withBuckets('RC1', 'RC')).draft.slots).toEqual([
      { mod: 'RC', index: 1, beatmapId: 555 },
    ])
  })

  it('that are unknown become custom buckets before TB, in the lowest free colours', () => {
    const { draft } = readPaste('RC1 75\nEZ 76\nrc2 77', withBuckets('ZZ'))
    expect(draft.buckets?.slice(5)).toEqual([
      { code: 'ZZ', color: 0 },
      { code: 'RC', color: 1 },
      { code: 'EZ', color: 2, mods: { kind: 'forced', set: ['EZ'] } },
      { code: 'TB' },
    ])
    expect(draft.slots.map(({ mod, index }) => `${mod} ${index}`)).toEqual(['RC 1', 'EZ 1', 'RC 2'])
  })
})

describe('what is refused says what to do', () => {
  it.each([
    ['NM1 is some title', 'No beatmap id or link found. Example: “NM1 129891”.'],
    [
      'NM9 Artist - Title 2000',
      'It is not clear which slot this is for. Start the line with the slot, like “NM1 129891”.',
    ],
    [
      'NM1 129891 HD1 75',
      'It is not clear which number is the beatmap id. Write it like “NM1 129891”, or paste a link.',
    ],
    ['NM1 -5', 'No beatmap id or link found. Example: “NM1 129891”.'],
    ['NM1 1.5', 'No beatmap id or link found. Example: “NM1 129891”.'],
    ['NM1 0', 'The beatmap id must be from 1 to 2147483647. Check the id.'],
    ['NM1 2147483648', 'The beatmap id must be from 1 to 2147483647. Check the id.'],
    ['NM1 99999999999999999999', 'The beatmap id must be from 1 to 2147483647. Check the id.'],
    ['NM0 75', 'The slot number must be from 1 to 99.'],
    ['NM100 75', 'The slot number must be from 1 to 99.'],
  ])('%s', (text, reason) => {
    expect(pasted(`${text}\nDT1 7`)).toEqual([`1: ${reason}`, 'DT1=7'])
  })

  it('prose is skipped, but what may be an unknown heading of beatmaps is not', () => {
    expect(pasted('good luck\nDT1 7\nsee you on 12 July 2026')).toEqual(['DT1=7'])
    const reason = 'No beatmap id or link found. Example: “NM1 129891”.'
    expect(pasted('Mixed things\n75')).toEqual([`1: ${reason}`, '1=75'])
  })

  it('an id with an invisible character in it is one id, also among ids alone', () => {
    const { beatmapIds } = readImport('4393042 4392958 43\ufeff84665 725198')
    expect(beatmapIds).toEqual([4_393_042, 4_392_958, 4_384_665, 725_198])
  })

  it('numbers of schedules, seeds and tables of teams are no beatmaps (shape 17)', () => {
    const schedule = 'Match,Date,Time\n1,2026-07-12,18:00\n2,2026-07-13,19:00'
    expect(pasted(schedule).filter((line) => line.includes('='))).toEqual([])
    expect(pasted('Ban 1\nSeed 2 - HD1\nLobby 3, 18:00 UTC\nNM1 75')).toEqual(['NM1=75'])
  })

  it.each([
    ['nomod 1: 129891', 'NM1=129891'],
    ['Hidden 1 75', 'HD1=75'],
    ['hard rock 2 - 76', 'HR2=76'],
    ['Double Time 1: https://osu.ppy.sh/b/77', 'DT1=77'],
    ['Tiebreaker: 77', 'TB=77'],
    ['Freemod1 129892', 'FM1=129892'],
    ['ＨＤＨＲ２ 129893', 'HDHR2=129893'],
  ])('%s names its bucket in full (shape 13)', (text, slot) => {
    expect(pasted(text)).toEqual([slot])
  })

  it.each([
    ['NM1 129891, HD1 75', ['NM1=129891', 'HD1=75']],
    ['NM1: 129891; NM2: 75; TB1: https://osu.ppy.sh/b/76', ['NM1=129891', 'NM2=75', 'TB=76']],
    ['NM: 129891, 75\nHidden: 76 77', ['NM1=129891', 'NM2=75', 'HD1=76', 'HD2=77']],
    ['NM1 129891 | hd1=tba | TB 76', ['NM1=129891', 'HD1: “tba”', 'TB=76']],
    [
      'No Mod - https://osu.ppy.sh/b/75 https://osu.ppy.sh/b/76\nHR - https://osu.ppy.sh/b/77 78',
      ['NM1=75', 'NM2=76', 'HR1=77', 'HR2=78'],
    ],
    ['HDHR = https://osu.ppy.sh/b/75, https://osu.ppy.sh/b/76', ['HDHR1=75', 'HDHR2=76']],
  ])('%j has several slots on a line', (text, slots) => {
    expect(pasted(text)).toEqual(slots)
  })

  it.each([
    ['NM1 129891 Artist - Title', 'NM1=129891'],
    ['ＴＢ１　129891　Artist - 曲', 'TB=129891'],
    ['NM1：Artist - Title（b129891）', 'NM1=129891'],
    ['!commands add !nm1 NM1: Artist - Title https://osu.ppy.sh/b/75', 'NM1=75'],
    ['!addcom -ul=mod !hd2 b129891', 'HD2=129891'],
    ['~~NM1 129891~~ NM1 129892', 'NM1=129892'],
    ['NM1 [s]https://osu.ppy.sh/b/75[/s] https://osu.ppy.sh/b/76', 'NM1=76'],
  ])('%j names the slot and its beatmap', (text, slot) => {
    expect(pasted(text)).toEqual([slot])
  })

  it.each(['NM1 523411 Team A', 'NM1 523411 HD1 - 75', 'Artist - https://osu.ppy.sh/b/75 76'])(
    '%j may be about something else',
    (text) => {
      expect(pasted(text).filter((line) => /[0-9]=/.test(line))).toEqual([])
    },
  )

  it('a line of more than 1,000 characters has not several slots', () => {
    const slots = (length: number): string[] => pasted('NM: 129891,75'.padEnd(length))
    expect(slots(1000)).toEqual(['NM1=129891', 'NM2=75'])
    expect(slots(1001)).not.toEqual(slots(1000))
  })

  it('what may hold an id is never skipped in silence', () => {
    for (const line of ['Pick 1: Artist - Title 129891', 'Hard Rock - 76', 'HD Artist 75']) {
      expect(pasted(`NM1 77\n${line}`), line).toHaveLength(2)
    }
  })

  it('prose around labelled slots is no reason to ask; around bare numbers it is', () => {
    const prose = 'Welcome to our cup\nHave fun, everybody\nThe rules are below\n'
    expect(readImport(`${prose}NM1 129891`).questions).toEqual([])
    expect(readImport(`${prose}129891`).questions).toMatchObject([{ id: 'half' }])
    // Where half of the slots or more are labelled, the others are meant as well.
    const longer = `${prose}Good luck\nNM1 129891\n75123`
    expect(readImport(longer).questions).toEqual([])
    expect(readImport(`${longer}\n75124`).questions).toMatchObject([{ id: 'half' }])
  })

  it('the number of something else that is linked is no beatmap', () => {
    const property = fc.property(fc.integer({ min: 50, max: 99_999 }), (number) => {
      const link = `[#${number}](https://git.example/pull/${number})`
      expect(pasted(`- PR ${link} Fix a typo\n- PR ${link} by Ada`)).not.toContain(`PR1=${number}`)
    })
    fc.assert(property, { examples: [[104]] })
  })

  it('prose around slots without a beatmap is a reason to ask, if it is more than they are', () => {
    const prose = fc.constantFrom(
      'Welcome to our cup',
      'Have fun, everybody',
      '- Shows the pool of each round',
      '1. Each team bans two maps.',
    )
    const plan = fc.constantFrom(
      'TBA',
      'Shows only the maps',
      'may not be banned twice',
      'A - B [C]',
    )
    const property = fc.property(
      fc.array(prose, { maxLength: 6 }),
      fc.array(plan, { minLength: 1, maxLength: 6 }),
      fc.boolean(),
      (others, plans, isAbove) => {
        const slots = plans.map((text, at) => `NM${at + 1} ${text}`)
        const text = (isAbove ? [...others, ...slots] : [...slots, ...others]).join('\n')
        const isAsked = readImport(text).questions.some(({ id }) => id === 'half')
        expect(isAsked, text).toBe(plans.length < others.length)
      },
    )
    fc.assert(property)
    const rules =
      'Rules\n\n1. NM1 may not be banned twice.\n2. Each team bans 2 maps.\n3. Be on time.'
    expect(readImport(rules).questions).toMatchObject([{ id: 'half' }])
  })

  it('a line with two ids, or two slots, is asked (shape 20)', () => {
    expect(pasted('NM1 129891 39804')).toEqual([
      '1? NM1 is 129891 | NM1 is 39804 | Leave this line out',
    ])
    expect(pasted('NM2 T2 7891011')).toEqual([
      '1? NM2 is 7891011 | T2 is 7891011 | Leave this line out',
    ])
    expect(pasted('NM1 129891 39804 7891011')).toEqual([
      '1: It is not clear which number is the beatmap id. Write it like “NM1 129891”, or paste a link.',
    ])
  })

  it('the minutes of a time are no beatmap', () => {
    expect(pasted('NM3 75\n00:00 intro\n01:24 NM1\n00:04:10 NM2\n18:47 TB')).toEqual(['NM3=75'])
    expect(pasted('21:30 Kestrel: NM1 75')).toEqual(['NM1=75'])
  })

  it('scores of both teams behind a slot are asked', () => {
    expect(pasted('NM1 1402117 - 1388042 Team A')).toEqual([
      '1? NM1 is 1402117 | NM1 is 1388042 | Leave this line out',
    ])
    expect(pasted('NM1 1402117 - 39 Steps')).toEqual(['NM1=1402117'])
  })

  it('a number of a word that is higher than those of slots makes no bucket', () => {
    expect(pasted('NM1 75\nphone 040 5550123, room 204')).toEqual(['NM1=75'])
    expect(pasted('NM1 75\nphone 40 5550123')[1]).toMatch(/^2: It is not clear which number/)
    expect(pasted('Stream 2 5550123')).toEqual(['Stream2=5550123'])
  })

  it('the value of a setting is asked, unless labels show that it is a slot', () => {
    expect(pasted('[server]\nport = 8080\ntimeout = 30000')).toEqual([
      '3? No, leave them out | Yes, such as 30000',
    ])
    expect(pasted('nm1 = 129891\nmx = 129892')).toEqual(['NM1=129891', 'mx1=129892'])
  })

  it.each(['EDIT: NM2 is now 129892 (sorry)', 'NM2 changed to https://osu.ppy.sh/b/129892'])(
    'a slot that is corrected below is asked: %s',
    (line) => {
      const text = `NM1 75\nNM2 129891\nHD1 76\n\n${line}`
      expect(pasted(text)).toEqual([
        'NM1=75',
        '2? It is 129892 | It is 129891',
        'HD1=76',
        '5? It is 129892 | It is 129891',
      ])
      const answered = (answer: string) =>
        readImport(text, { answers: new Map([['1', answer]]) }).pools[0]?.draft.slots.map(
          ({ beatmapId }) => beatmapId,
        )
      expect([answered('a'), answered('b')].map((ids) => ids?.toSorted())).toEqual([
        [129892, 75, 76],
        [129891, 75, 76],
      ])
    },
  )

  it('a slot that is corrected above is asked, too, and a word of a title corrects none', () => {
    expect(pasted('NM2 has been changed to 129892\nNM1 75\nNM2 129891')).toEqual([
      '1? It is 129892 | It is 129891',
      'NM1=75',
      '3? It is 129892 | It is 129891',
    ])
    const edit = (id: number): string =>
      `NM2 Artist - Title (Radio Edit) https://osu.ppy.sh/b/${id}`
    expect(pasted(`Finals\n${edit(129891)}\nSemifinals\n${edit(129892)}`)).toEqual([
      'NM2=129891',
      'NM2=129892',
    ])
  })

  it.each([
    '(changed to 129892)|(now 129892)|(swapped with 129892)|→ 129892|=> 129892|- changed to 129892',
    '(ersetzt durch 129892)|(cambiado por 129892)|(remplacé par 129892)|(заменено на 129892)',
    '(改成 129892)|(129892 に変更)|(129892 로 교체)|(diganti jadi 129892)',
  ])('a beatmap that is said to be replaced behind it is asked: %s', (remarks) => {
    for (const remark of remarks.split('|')) {
      expect(pasted(`NM1 129891 ${remark}`), remark).toEqual([
        '1? NM1 is 129891 | NM1 is 129892 | Leave this line out',
      ])
      expect(pasted(`NM1 https://osu.ppy.sh/b/129891 ${remark}`), remark).toEqual([
        '1? It is 129891 | It is 129892 | Leave this line out',
      ])
    }
  })

  it('a beatmap that was replaced, once or more, is not read unasked, with commas or without', () => {
    const changes = fc.record({
      link: fc.constantFrom('', 'https://osu.ppy.sh/b/'),
      says: fc.constantFrom('changed to', 'replaced by', 'now', 'ersetzt durch', '→'),
      between: fc.constantFrom(' then ', ' / ', ' → ', ', then '),
      behind: fc.constantFrom('', ', sorry', ' - Ada'),
      others: fc.uniqueArray(fc.integer({ min: 129_892, max: 139_999 }), {
        minLength: 1,
        maxLength: 3,
      }),
    })
    fc.assert(
      fc.property(changes, ({ link, says, between, behind, others }) => {
        const text = `NM1 ${link}129891 (${says} ${others.join(between)}${behind})`
        expect(readImport(text).pools.flatMap(({ draft }) => draft.slots)).toEqual([])
      }),
    )
    const twice = 'NM1 129891 - Tin Larks - Oak [Hard] (changed to 129892, then to 129893)'
    expect(pasted(`${twice}\nNM2 129894`)).toEqual([
      '1: No beatmap id or link found. Example: “NM1 129891”.',
      'NM2=129894',
    ])
    expect(pasted('NM1 https://osu.ppy.sh/b/129891 (now 129892 → 129893)')).toEqual([
      '1: There is more than one beatmap here. Put each on its own line.',
    ])
    expect(pasted('NM1 https://osu.ppy.sh/b/129891 (changed to 129892, sorry)')).toEqual([
      '1? It is 129891 | It is 129892 | Leave this line out',
    ])
  })

  it('a beatmap that is said to be replaced by a number in one word with what says so is refused', () => {
    for (const remark of ['(129892に変更)', '(129892로 교체)'])
      expect(pasted(`NM1 129891 ${remark}`)[0]).toMatch(/^1: It is not clear/)
  })

  it('of a change in version control, what is taken out is not read', () => {
    expect(pasted('@@ -1,3 +1,3 @@\n NM1 75\n-NM2 76\n+NM2 77\n HD1 78')).toEqual([
      'NM1=75',
      'NM2=77',
      'HD1=78',
    ])
  })

  it('of a change in version control, each line is shown as it is in the file', () => {
    const lines = ['@@ -1,3 +1,3 @@', ' NM1 75', '-NM2 76', '+NM2 77', '', ' HD1 78']
    const { pools, others } = readImport(lines.join('\n'))
    const shown = [...pools.flatMap((pool) => pool.lines), ...others]
    expect(shown.length).toBeGreaterThanOrEqual(5)
    for (const { line, text } of shown) expect(text).toBe(lines[line - 1])
  })

  it('a number between a slot and a link is asked; among the words of a title it is not (shape 20)', () => {
    const link = 'https://osu.ppy.sh/b/75'
    expect(pasted(`NM1 1234 ${link}`)).toEqual([
      '1? The link, 75 | The id 1234 | Leave this line out',
    ])
    expect(pasted(`NM1 Title 1234 ${link}`)).toEqual(['NM1=75'])
  })

  it('a taken slot, the same line twice, and a beatmap without a number twice', () => {
    expect(pasted('NM1 75\nNM1 76\nNM1 75\nNM 75\n79\n79')).toEqual([
      'NM1=75',
      '2: NM1 already has beatmap 75. Use another slot number.',
      '4: NM1 already has this beatmap. To add it twice, give this line another slot.',
      '1=79',
      '6: Slot 1 without a bucket already has this beatmap. To add it twice, give this line another slot.',
    ])
  })

  it('but a beatmap may stand in two slots', () => {
    expect(pasted('NM1 5\nNM2 5\nHD1 5')).toEqual(['NM1=5', 'NM2=5', 'HD1=5'])
  })

  it('a ninth custom bucket', () => {
    const codes = ['QA', 'QB', 'QC', 'QD', 'QE', 'QG', 'QH', 'QI', 'QJ']
    expect(pasted(codes.map((code) => `${code}1 5`).join('\n')).slice(7)).toEqual([
      'QI1=5',
      '9: QJ would exceed the limit of 8 custom buckets. Use an existing bucket.',
    ])
  })

  it('a 65th slot', () => {
    const text = Array.from({ length: 65 }, (_, at) => `NM${at + 1} ${at + 1}`).join('\n')
    const { lines, draft } = readPaste(text, emptyDraft)
    expect(draft.slots).toHaveLength(64)
    expect(lines.at(-1)).toEqual({
      line: 65,
      text: 'NM65 65',
      outcome: 'refused',
      reason: 'A pool can have at most 64 slots. Remove one, then paste this line again.',
    })
  })
})

describe('the draft', () => {
  it('keeps what it has, and what else it carries', () => {
    const into = { name: 'Finals', slots: [{ mod: 'NM', index: 1, beatmapId: 1 }], extra: true }
    expect(readPaste('NM 75', into).draft).toEqual({
      ...into,
      slots: [...into.slots, { mod: 'NM', index: 2, beatmapId: 75 }],
    })
  })

  it('is the same when nothing was understood', () => {
    expect(readPaste('hello\n\n', emptyDraft).draft).toBe(emptyDraft)
  })
})

describe('all that is read of a text with numbers on lines of their own', () => {
  it.each(readingCases((file) => file === 'cell-lines.txt'))('$name', ({ text, reading }) => {
    expect(wholeReading(text)).toBe(reading)
  })
})

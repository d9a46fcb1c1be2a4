import { readdirSync, readFileSync } from 'node:fs'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Import, readImport } from '../../src/formats/import/read-import.ts'
import { slotLabel } from '../../src/pool/slots.ts'
import { bytesOf, readCorpus } from './corpus-cases.ts'
import { expectLinear } from '../support/linear.ts'
import { wholeReading } from './whole-reading.ts'

const readOf = ({ pools, others, questions }: Import) => ({
  pools: pools.map(({ name, round }) => [name, round.slots]),
  questions: questions.map(({ text }) => text),
  refused: [...pools.flatMap(({ lines }) => lines), ...others].filter(
    ({ outcome }) => outcome === 'refused',
  ).length,
})
const read = (text: string) => readOf(readImport(text))
const slotsIn = (text: string): string[] =>
  readImport(text).pools.flatMap(({ draft }) =>
    draft.slots.map((slot) => `${slotLabel(slot)} ${slot.beatmapId}`),
  )
const named = (text: string) =>
  readImport(text).pools.map(({ name, draft }) => [
    name,
    draft.slots.map(slotLabel),
    draft.slots.map(({ beatmapId }) => beatmapId),
  ])
const corpus = new URL('../corpus/', import.meta.url)

/** The texts of the corpus, of every shape. */
const texts = readCorpus().flatMap(({ id, files }) =>
  [...files.keys()]
    .filter((file) => /\.(?:txt|csv|tsv|json|md|ya?ml|toml)$/.test(file))
    .map((file) => new TextDecoder('utf-8', { fatal: false }).decode(bytesOf(id, file)))
    .filter((text) => !/[\0\ufffd<`~]/.test(text)),
)
const anyText = fc.constantFrom(...texts)
/** Objects and lists of objects, none of which is a list of numbers alone. */
const data = texts.filter((text) => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && /"[^"]*"\s*:/.test(text)
  } catch {
    return false
  }
})
const anyData = fc.constantFrom(...data)
const language = fc.oneof(
  fc.constantFrom('', 'json', 'txt', 'js', 'python3', 'csv', 'C++'),
  fc.stringMatching(/^[a-z]{4,8}$/).filter((word) => !/final|qual|group|swiss|stage/.test(word)),
)
const fences: Record<string, (text: string, language: string) => string> = {
  'of Markdown': (text, own) => `\`\`\`${own}\n${text}\n\`\`\``,
  'of tildes': (text, own) => `~~~ ${own}\n${text}\n~~~`,
  'of a page': (text, own) => `<pre>\n<code class="language-${own}">${text}</code>\n</pre>`,
  'of a post': (text) => `[code]\n${text}\n[/code]`,
}

describe('a block of code is what is in it', () => {
  it.each(Object.entries(fences))('%s', (_, write) => {
    fc.assert(
      fc.property(anyText, language, (text, own) => {
        expect(read(write(text, own))).toEqual(read(text))
      }),
    )
  })

  it('also in one line with its data, and where the first word can only be a heading', () => {
    const list = '[{"code":"NM1","id":129891},{"code":"HD1","id":75}]'
    for (const fenced of [`\`${list}\``, `\`\`\`${list}\`\`\``, `\`\`\`json ${list}\`\`\``]) {
      expect(read(fenced)).toEqual(read(list))
    }
    expect(read('```HD\n129891\n```')).toEqual(read('HD\n129891'))
    expect(read('```129891\n75```').pools).toEqual(read('129891\n75').pools)
  })
})

describe('data in a text', () => {
  const sentences: Record<string, (text: string) => string> = {
    'after a sentence': (text) => `Here is the pool:\n${text}`,
    'in the line of one': (text) => `Here is the pool: ${text}`,
    'before a sentence': (text) => `${text}\nGood luck everyone!`,
    'in a block between two': (text) => `Hello all\n\n\`\`\`json\n${text}\n\`\`\`\nHave fun!`,
  }

  it.each(Object.entries(sentences))('is read as data, or refused or asked: %s', (_, write) => {
    fc.assert(
      fc.property(anyData, (text) => {
        const alone = read(text)
        const { refused, questions, pools } = read(write(text))
        if (refused + questions.length <= alone.refused + alone.questions.length) {
          expect(pools).toEqual(alone.pools)
        }
      }),
    )
  })

  it('is read with the labels of each slot, also below the headings of rounds', () => {
    const one = '[{"code":"NM1","id":129891},{"code":"HD1","id":75}]'
    const other = '[{"code":"NM2","id":76}]'
    const names = (text: string) =>
      readImport(text).pools.map(({ name, draft }) => [name, draft.slots.length])
    expect(read(`Here it is:\n${one}\nGood luck!`)).toEqual(read(one))
    expect(names(`Finals\n${one}\nSemifinals\n${other}`)).toEqual([
      ['Finals', 2],
      ['Semifinals', 1],
    ])
    expect(names(`This one\n${one}\nor that one\n${other}`).length).toBe(2)
  })

  const values: Readonly<Record<string, (ids: readonly number[]) => unknown>> = {
    'a list of objects': (ids) => ids.map((id, at) => ({ slot: `NM${at + 1}`, id })),
    'an object of ids': (ids) => Object.fromEntries(ids.map((id, at) => [`NM${at + 1}`, id])),
    'an object of objects': (ids) =>
      Object.fromEntries(ids.map((id, at) => [`NM${at + 1}`, { id, title: 'Low Tide' }])),
  }
  it.each(Object.entries(values))('behind the name of a round on its line: %s', (_, write) => {
    const ids = fc.uniqueArray(fc.integer({ min: 1_000_000, max: 6_000_000 }), {
      minLength: 2,
      maxLength: 5,
    })
    const names = fc.shuffledSubarray(
      ['Qualifiers', 'RO16', 'Quarterfinals', 'Semifinals', 'Finals'],
      {
        minLength: 2,
      },
    )
    fc.assert(
      fc.property(names, fc.array(ids, { minLength: 5, maxLength: 5 }), (rounds, pools) => {
        const lines = rounds.map((name, at) => `${name}: ${JSON.stringify(write(pools[at]!))}`)
        const found = readImport(lines.join('\n')).pools
        expect(
          found.map(({ name, draft }) => [name, draft.slots.map(({ beatmapId }) => beatmapId)]),
        ).toEqual(rounds.map((name, at) => [name, pools[at]]))
      }),
    )
  })

  const marks = [',', ' ✅', ' 2:31', ' // x', ' \\']
  it.each(marks)(
    'of the corpora with %j behind each line makes no slot that is not in it',
    (mark) => {
      for (const folder of ['brackets', 'json']) {
        for (const file of readdirSync(new URL(`${folder}/`, corpus))) {
          const text = readFileSync(new URL(`${folder}/${file}`, corpus), 'utf8')
          if (!/^\s*[[{]/.test(text) || text.length > 40_000) continue
          const damaged = text.replaceAll(/\S(?=\r?$)/gm, (last) => last + mark)
          const whole = new Set(slotsIn(text))
          expect(
            slotsIn(damaged).filter((slot) => !whole.has(slot)),
            file,
          ).toEqual([])
        }
      }
    },
  )

  it('that is damaged is refused, and not read by its lines', () => {
    fc.assert(
      fc.property(anyData, fc.double({ min: 0.5, max: 0.99, noNaN: true }), (text, share) => {
        const cut = text.slice(0, Math.floor(text.trimEnd().length * share))
        fc.pre(/^\s*[[{(\s]*"[\w .-]+"\s*:/.test(cut))
        expect(read(`Here is the pool\n${cut}`).refused).toBeGreaterThan(0)
      }),
    )
  })

  it.each([
    ['between words in one line', '', 'a: [{"slot":"NM1","id":75}] ', ''],
    ['in front of a word', 'Finals: [', '{"slot":"NM1","id":75},', '{}] x'],
  ])('takes time linear in the text %s', (_, before, unit, after) => {
    expectLinear(unit.repeat(4_000), (part) => readImport(before + part + after))
  })
})

describe('a text is the same pool however it is set apart', () => {
  const ways: Readonly<Record<string, (text: string) => string>> = {
    'as a quotation': (text) => text.replaceAll(/^/gm, '> '),
    'as a quotation in one': (text) => text.replaceAll(/^/gm, '>> '),
    'below empty lines': (text) => `\n\n${text}\n\n`,
    'as a block of code': (text) => `\`\`\`\n${text}\n\`\`\``,
  }
  const files = ['brackets', 'json', 'text', 'wiki'].flatMap((folder) =>
    readdirSync(new URL(`${folder}/`, corpus)).map((file) =>
      readFileSync(new URL(`${folder}/${file}`, corpus), 'utf8'),
    ),
  )
  // A change in version control is no longer one behind other marks.
  const all = [...texts, ...files].filter(
    (text) => text.length < 40_000 && !/`{3}|\r(?!\n)|^@@ |^\+\w/m.test(text),
  )

  it.each(Object.entries(ways))('%s', (_, write) => {
    expect(all.length).toBeGreaterThan(400)
    const isOther = (text: string) =>
      JSON.stringify(named(write(text))) !== JSON.stringify(named(text))
    expect(all.filter(isOther).map((text) => text.slice(0, 200))).toEqual([])
  })
})

it('what is assigned to several names is what an object with these keys holds', () => {
  const roots = data.flatMap((text): object[] => {
    const root = JSON.parse(text) as unknown
    const isNamed =
      typeof root === 'object' &&
      root !== null &&
      !Array.isArray(root) &&
      Object.keys(root).length > 1 &&
      Object.keys(root).every((key) => /^[A-Za-z_]\w*$/.test(key)) &&
      Object.values(root).some((value) => typeof value === 'object' && value !== null)
    return isNamed ? [root] : []
  })
  expect(roots.length).toBeGreaterThan(20)
  const ways = fc.record({
    root: fc.constantFrom(...roots),
    before: fc.constantFrom('const ', 'export const ', 'let ', 'var '),
    type: fc.constantFrom('', ': Pool[]', ': Record<string, Slot[]>'),
    end: fc.constantFrom('', ';', ' as const;', ' satisfies Pool;'),
  })
  fc.assert(
    fc.property(ways, ({ root, before, type, end }) => {
      const lines = Object.entries(root).map(
        ([key, value]) => `${before}${key}${type} = ${JSON.stringify(value, null, 1)}${end}`,
      )
      expect(named(lines.join('\n'))).toEqual(named(JSON.stringify(root, null, 1)))
    }),
  )
})

describe('sentences around data say nothing of it', () => {
  const notes = [
    'Hello all, here is our pool (enjoy)!',
    'Guten Abend, hier sind die Maps (vorläufig).',
    'こんにちは、プールを公開しました。',
    'Hola a todos, este es el mappool:\n',
    'Good luck and have fun! 🎉',
    '¡Buena suerte! Any questions? Ask @Ada.',
  ]
  const anyNotes = fc
    .array(fc.constantFrom(...notes), { maxLength: 3 })
    .map((all) => all.join('\n'))
  const isNotation = (text: string) =>
    ['json', 'yaml', 'toml'].includes(readImport(text).shape.id) && !/\r/.test(text)
  const files = ['brackets', 'json', 'text'].flatMap((folder) =>
    readdirSync(new URL(`${folder}/`, corpus)).map((file) =>
      readFileSync(new URL(`${folder}/${file}`, corpus), 'utf8'),
    ),
  )
  const notations = [...texts, ...files].filter((text) => text.length < 40_000 && isNotation(text))

  it('whatever they are, and in whatever notation it is', () => {
    expect(notations.length).toBeGreaterThan(150)
    fc.assert(
      fc.property(fc.constantFrom(...notations), anyNotes, anyNotes, (text, above, below) => {
        expect(named(`${above}\n\n${text}\n\n${below}`)).toEqual(named(text))
      }),
      { numRuns: 400 },
    )
  })

  it.each([
    ['a section of an .ini', '[Finals]\nNM1 = 129891\nNM2 = 129892'],
    ['YAML', 'name: Finals\nslots:\n  NM1: 129891\n  NM2: 129892'],
  ])('%s is known by its name', (_, text) => {
    const whole = [['Finals', ['NM1', 'NM2'], [129_891, 129_892]]]
    expect(named(text)).toEqual(whole)
    expect(named(`Hello all, here is our pool:\n\n${text}\n\nHave fun!`)).toEqual(whole)
  })
})

describe('a part of data is what it is in the whole', () => {
  const inner = (text: string): string => text.trim().slice(1, -1)
  const parts: Record<string, (text: string) => string> = {
    'without what opens and closes it': inner,
    'without what opens it': (text) => text.trim().slice(1),
    'with a comma behind it': (text) => `${inner(text)},\n`,
  }
  it.each(Object.entries(parts))('%s', (_, copy) => {
    fc.assert(
      fc.property(anyData, (text) => {
        expect(read(copy(text))).toEqual(read(text))
      }),
    )
  })

  it('also of what is in other lists and objects, of which the text has the end', () => {
    fc.assert(
      fc.property(anyData, (text) => {
        const member = `"pool": ${text.trim()}}]`
        expect(read(member)).toEqual(read(`[{${member}`))
      }),
    )
  })

  it('and shown as it was copied', () => {
    const plain = (text: string) => text.replaceAll(/[\s…]/g, '')
    const song = '"Freedom Dive": 1234567, "Blue Zenith": 1234568'
    const property = fc.property(fc.oneof(anyData, fc.constant(`{${song}}`)), (text) => {
      for (const part of [inner(text), text.trim().slice(1)]) {
        const { pools, others } = readImport(part)
        const lines = [...pools.flatMap((pool) => pool.lines), ...others]
        for (const line of lines) expect(plain(part)).toContain(plain(line.text))
      }
    })
    fc.assert(property)
  })

  it('unless a key has no quotes: then it is a list of lines, and asked about', () => {
    expect(read('"Song": 1234567, NM2: 33').questions).toEqual(['Are these numbers beatmap ids?'])
  })

  it('also among other lines', () => {
    const finals = '"Finals": [{"code":"NM1","id":129891}]'
    const both = `${finals},\n"Semifinals": [{"code":"NM1","id":75}]`
    expect(read(`Here are the pools:\n${both}`)).toEqual(read(`{${both}}`))
    expect(read('Here are the maps.\n"maps": [129891, 75]')).toEqual(read('{"maps": [129891, 75]}'))
    expect(read('"mappool": [{"beatmap_id": 129891, "picks": 5}]').pools).toEqual([
      [null, [{ mod: null, index: 1, beatmapId: 129891 }]],
    ])
  })
})

it('white space that does not show is nothing around lines of data', () => {
  const hidden = fc.constantFrom('\u200b', '\u00a0', '\u200e', '\u2060', '\u00ad')
  fc.assert(
    fc.property(anyData, hidden, (text, sign) => {
      const plain = text.replace(/^\ufeff/, '')
      const alone = read(plain)
      expect(read(plain.replaceAll(/(?=\r?\n)/g, sign))).toEqual(alone)
      expect(read(plain.replaceAll(/(?<=\n) */g, sign))).toEqual(alone)
      expect(read(`${sign}${plain}`)).toEqual(alone)
    }),
  )
})

describe('data in a text of lines', () => {
  it.each<[string, string, string[]]>([
    [
      'is read with what is around it, each at its line',
      'Finals\n{"NM1":75001}\nSemifinals\n[{"slot":"NM1","id":75002}]\nHD1 75003',
      ['Finals: NM1 75001', 'Semifinals: NM1 75002, HD1 75003'],
    ],
    [
      'is one pool where objects follow each other, and several where lists do',
      '{"NM1":75001}\nx\n{"HD1":75002}',
      ['NM1 75001, HD1 75002'],
    ],
    [
      'is one pool where objects follow each other, and several where lists do',
      '[{"slot":"NM1","id":75001}]\n\n[{"slot":"HD1","id":75002}]',
      ['NM1 75001', 'HD1 75002'],
    ],
    [
      'is one pool where objects follow each other, and several where lists do',
      '[{"slot":"NM1","id":75001}]\nand\n[{"slot":"NM1","id":75002}]',
      ['NM1 75001', 'NM1 75002'],
    ],
    [
      'is one pool where objects follow each other, and several where lists do',
      '{"NM1":75001},\n{"HD1":75002};',
      ['NM1 75001, HD1 75002'],
    ],
    [
      'may be behind a colon, and in a quotation',
      'The pool: {"NM1":75001}\nhave fun',
      ['NM1 75001'],
    ],
    [
      'may be behind a colon, and in a quotation',
      '> {"NM1":75001,\n> "HD1":75002}\n> bye',
      ['NM1 75001, HD1 75002'],
    ],
    [
      'that is damaged is refused at its line, with what was read before it',
      'Finals\n{"NM1":75001}\n{"NM1":75002,\n"HD1" 75003}\nHR1 75004',
      [
        'Finals: NM1 75001',
        '! 4: This is JSON with a mistake. line 4, column 7: expected a colon, found 7',
      ],
    ],
    [
      'without a beatmap is refused at its own line',
      'Finals:\nNM1 75001\n{"name":"x","seeds":[1,2]}',
      [
        'Finals: NM1 75001',
        '! 3: No beatmap was found in this data. Each needs its slot and its id.',
      ],
    ],
    [
      'is none where brackets are around labels or numbers',
      '[NM1] 75001\n[HD1] 75002',
      ['NM1 75001, HD1 75002'],
    ],
    [
      'is none where brackets are around labels or numbers',
      '[75001, 75002]\nhello',
      ['? Are these numbers beatmap ids? | No, leave them out | Yes, such as 75002'],
    ],
  ])('%s', (_, text, read) => expect(wholeReading(text)).toEqual(read))
})

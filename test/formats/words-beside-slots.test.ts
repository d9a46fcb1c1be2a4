import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readImport } from '../../src/formats/import/read-import.ts'
import { codesByWord } from '../../src/formats/import/words/labels.ts'

const link = (id: number): string => `https://osu.ppy.sh/b/${id}`
const titled = (id: number): string => `[Artist - Title (mapper) \\[Diff\\]](${link(id)})`

/** The slots of a text by round, what is asked or refused, and the notes. */
const read = (text: string) => {
  const { pools, others, questions, notes } = readImport(text)
  const lines = [...pools.flatMap((pool) => pool.lines), ...others]
  const refused = lines.filter(({ outcome }) => outcome === 'refused')
  const slots = pools.flatMap(({ name, draft }) =>
    draft.slots.map((slot) => `${name ?? ''}:${slot.mod ?? ''}${slot.index}=${slot.beatmapId}`),
  )
  return { slots, notes, isOpen: questions.length > 0 || refused.length > 0 }
}
const ofNoRound = (...slots: readonly string[]): string[] => slots.map((slot) => `:${slot}`)
const word = fc.stringMatching(/^[A-Z][a-z]{4,9}$/).filter((each) => {
  const label = readImport(`${each} 129891`).pools[0]?.draft.slots[0]?.mod ?? ''
  return label === each
})

describe('a heading with how many beatmaps its bucket has', () => {
  const counts: readonly ((name: string, count: number) => string)[] = [
    (name, count) => `${name} (${count})`,
    (name, count) => `${name} [${count}]`,
    (name, count) => `**${name}** (${count})`,
    (name, count) => `**${name} (${count})**`,
    (name, count) => `- ${name} (${count})`,
    (name, count) => `[b]${name} (${count})[/b]`,
    (name, count) => `${name} - ${count}`,
    (name, count) => `${name} – ${count}`,
    (name, count) => `${name} ${count}`,
    (name, count) => `${name}: ${count}`,
    (name, count) => `${name} x${count}`,
    (name, count) => `${name} ${count}x`,
    (name, count) => `${name} ${count} maps`,
    (name, count) => `${name} (${count} total)`,
    (name, count) => `${name} (${count}/${count})`,
    (name, count) => `${name} → ${count}`,
  ]

  it('is of that bucket, by any word for its mods', () => {
    const words = fc.constantFrom(...codesByWord.keys())
    const many = fc.integer({ min: 2, max: 9 })
    fc.assert(
      fc.property(words, fc.constantFrom(...counts), many, (name, write, count) => {
        const ids = Array.from({ length: count }, (_, at) => 129_891 + at)
        const { slots } = read([write(name, count), ...ids.map(link)].join('\n'))
        const code = codesByWord.get(name)!
        expect(slots).toEqual(ofNoRound(...ids.map((id, at) => `${code}${at + 1}=${id}`)))
      }),
      { numRuns: 500 },
    )
  })

  it('is that of a slot where each has its own', () => {
    const text = `NoMod 2\n${link(10)}\nNoMod 1\n${link(11)}`
    expect(read(text).slots).toEqual(ofNoRound('NM2=10', 'NM1=11'))
  })
})

describe('the number in front of an item', () => {
  const ordinals = ['First', 'Second', 'Third', 'Fourth']
  const writings: readonly ((number: number) => string)[] = [
    (number) => `${number}.`,
    (number) => `${number})`,
    (number) => `(${number})`,
    (number) => `[${number}]`,
    (number) => `#${number}`,
    (number) => `#${number}:`,
    (number) => `No. ${number}`,
    (number) => `Nº ${number}`,
    (number) => `Map #${number}`,
    (number) => `Song ${number} -`,
    (number) => ['1st', '2nd', '3rd', '4th'][number - 1]!,
    (number) => `${ordinals[number - 1]!}:`,
    (number) => `Map ${['one', 'two', 'three', 'four'][number - 1]!}:`,
    (number) => '①②③④'.charAt(number - 1),
    (number) => '⑴⑵⑶⑷'.charAt(number - 1),
    (number) => `${['I', 'II', 'III', 'IV'][number - 1]!} -`,
    (number) => 'ABCD'.charAt(number - 1),
    (number) => `第${number}`,
    (number) => `${number}/4`,
    (number) => `**${number}**`,
  ]
  const forms: readonly ((lines: readonly string[]) => string)[] = [
    (lines) => `NoMod\n${lines.join('\n')}\nHidden\n${link(75)}`,
    (lines) => `- NoMod\n${lines.map((line) => `  - ${line}`).join('\n')}`,
    (lines) => `## NoMod\n\n${lines.join('\n')}`,
  ]
  const order = fc.shuffledSubarray([1, 2, 3, 4], { minLength: 4 })

  it('names its slot, however it is written, and in whatever order', () => {
    const writing = fc.constantFrom(...writings)
    const beatmap = fc.constantFrom(link, titled)
    fc.assert(
      fc.property(
        order,
        writing,
        fc.constantFrom(...forms),
        beatmap,
        (numbers, write, form, of) => {
          const lines = numbers.map((number) => `${write(number)} ${of(129_890 + number)}`)
          const { slots } = read(form(lines))
          const own = slots.filter((slot) => slot.startsWith(':NM')).toSorted()
          expect(own).toEqual(
            ofNoRound(...[1, 2, 3, 4].map((number) => `NM${number}=${129_890 + number}`)),
          )
        },
      ),
      { numRuns: 500 },
    )
  })
})

describe('a word that names no bucket', () => {
  const signs = fc.constantFrom(': ', ' - ', ' = ', ' ')

  it('is asked once beside a pool, wherever it stands', () => {
    fc.assert(
      fc.property(word, signs, fc.nat({ max: 3 }), (name, sign, at) => {
        const pool = ['NM1 129891', 'HD1 129892', 'HR1 129893']
        const { slots, isOpen } = read(pool.toSpliced(at, 0, `${name}${sign}123456`).join('\n'))
        expect(slots).toEqual(ofNoRound('NM1=129891', 'HD1=129892', 'HR1=129893'))
        expect(isOpen).toBe(true)
      }),
    )
  })

  it('is asked in front of the title of a beatmap in a list', () => {
    fc.assert(
      fc.property(word, fc.constantFrom(':', ' -', ''), fc.boolean(), (name, sign, isArticle) => {
        const own = [titled(129_891), `${name}${sign} ${titled(129_892)}`]
        const text = isArticle
          ? `### Finals\n- NoMod\n${own.map((each) => `  - ${each}`).join('\n')}`
          : `NoMod\n${own.join('\n')}`
        const { slots, isOpen } = read(text)
        expect(slots).toEqual([`${isArticle ? 'Finals' : ''}:NM1=129891`])
        expect(isOpen).toBe(true)
      }),
    )
  })

  it('is asked with a number that is beside the lists of an article', () => {
    fc.assert(
      fc.property(word, fc.constantFrom('- ', '* ', ''), signs, (name, mark, sign) => {
        const text = `- NoMod\n  1. ${titled(129_891)}\n\n${mark}${name}${sign}1380940`
        expect(read(text)).toMatchObject({ slots: [':NM1=129891'], isOpen: true })
      }),
    )
  })

  it.each(['Warmups', 'Banned maps', 'Showcase', 'Alternatives', 'Not used'])(
    'is asked as a heading of lists: %s',
    (name) => {
      const own = `- NoMod\n  1. ${titled(129_891)}`
      expect(read(`### Finals\n${own}\n- ${name}\n  1. ${titled(129_892)}`)).toMatchObject({
        slots: ['Finals:NM1=129891'],
        isOpen: true,
      })
    },
  )
})

describe('the heading of a round', () => {
  it('may say that it is none', () => {
    const text = `### Finals\n- NoMod\n  1. ${titled(10)}\n### Banned maps\n- NoMod\n  1. ${titled(11)}`
    expect(read(text)).toMatchObject({ slots: ['Finals:NM1=10'], isOpen: true })
  })
})

describe('a bucket in front of the title of an item', () => {
  it.each(['HR:', 'Hard Rock -', '**HR**:', '(HR)'])('is the bucket of the item: %s', (name) => {
    const text = `### Finals\n- NoMod\n  - ${titled(10)}\n  - ${name} ${titled(11)}`
    expect(read(text).slots).toEqual(['Finals:NM1=10', 'Finals:HR1=11'])
  })
})

describe('a slot that is out', () => {
  const outs = fc.constantFrom('removed', 'cut', 'dropped', 'unused', 'not used', 'banned', 'old')
  const marks: readonly ((slot: string, out: string) => string)[] = [
    (slot, out) => `${slot} (${out})`,
    (slot, out) => `${slot} [${out.toUpperCase()}]`,
    (slot, out) => `${slot} - ${out}`,
    (slot, out) => `${slot} — ${out}`,
    (slot, out) => `${slot} ${out}`,
    (slot, out) => `${slot} (${out} on 3 May)`,
    (slot, out) => `- ${slot} -> *${out}*`,
    (slot, out) => `${out}: ${slot}`,
    (slot, out) => `${out} maps: ${slot}`,
    (slot) => `${slot} ❌`,
    (slot) => `Warmup: ${slot}`,
  ]
  it('is asked, however its line says so', () => {
    fc.assert(
      fc.property(outs, fc.constantFrom(...marks), fc.boolean(), (out, mark, isLinked) => {
        const slot = `NM2 ${isLinked ? link(129_892) : 129_892}`
        const { slots, isOpen } = read(['NM1 129891', mark(slot, out), 'HD1 129893'].join('\n'))
        expect(slots).toEqual(ofNoRound('NM1=129891', 'HD1=129893'))
        expect(isOpen).toBe(true)
      }),
    )
  })

  it.each(['- Artist - Cut', 'Artist - Out', '- Artist - Title (Old Version)'])(
    'is none by the words of its title: %s',
    (title) => {
      expect(read(`NM1 129891\nNM2 129892 ${title}`)).toMatchObject({
        slots: [':NM1=129891', ':NM2=129892'],
        isOpen: false,
      })
    },
  )

  it.each([
    '#NM2 129892',
    '// NM2 129892',
    '%% NM2 129892 %%',
    '{# NM2 129892 #}',
    '[//]: # (NM2 129892)',
    '[del]NM2 129892[/del]',
    '-NM2 129892-',
    '--NM2 129892--',
  ])('is left out with a note: %s', (line) => {
    const { slots, notes, isOpen } = read(`NM1 129891\n${line}\nHD1 129893`)
    expect(slots).toEqual(ofNoRound('NM1=129891', 'HD1=129893'))
    expect({ notes: notes.length, isOpen }).toEqual({ notes: 1, isOpen: false })
  })
})

describe('a change in version control', () => {
  it('needs more than bullets of both signs', () => {
    expect(read(`NoMod:\n- ${link(10)}\nHidden:\n+ ${link(11)}`).slots).toEqual(
      ofNoRound('NM1=10', 'HD1=11'),
    )
    expect(read('-NM1 129891\n+HD1 129892')).toMatchObject({ slots: [], isOpen: true })
  })

  it('is noted in what it takes out', () => {
    const { slots, notes } = read(' NM1 129891\n-NM2 129892\n+NM2 129893\n HD1 129894')
    expect(slots).toEqual(ofNoRound('NM1=129891', 'NM2=129893', 'HD1=129894'))
    expect(notes).toEqual(['“-NM2 129892” was left out.'])
  })
})

describe('elements of a page in a text of Markdown', () => {
  const finals = `### Finals\n- NoMod\n  1. ${titled(129_891)}\n- Hidden\n  1. ${titled(129_892)}`
  const tables: readonly ((rows: readonly (readonly string[])[]) => string)[] = [
    (rows) =>
      `<table>${rows.map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('')}</table>`,
    (rows) =>
      `<table>\n${rows.map((cells) => `<tr>\n${cells.map((cell) => `<td>${cell}</td>`).join('\n')}\n</tr>`).join('\n')}\n</table>`,
    (rows) => `<ul>\n${rows.map((cells) => `<li>${cells.join(' ')}</li>`).join('\n')}\n</ul>`,
  ]

  it('are read, and so is what is around them', () => {
    fc.assert(
      fc.property(fc.constantFrom(...tables), fc.boolean(), (write, isAbove) => {
        const semifinals = `### Semifinals\n${write([
          ['NM1', '129893'],
          ['HD1', '129894'],
        ])}`
        const { slots } = read((isAbove ? [semifinals, finals] : [finals, semifinals]).join('\n'))
        expect(slots.toSorted()).toEqual([
          'Finals:HD1=129892',
          'Finals:NM1=129891',
          'Semifinals:HD1=129894',
          'Semifinals:NM1=129893',
        ])
      }),
    )
  })

  it('hide no pool', () => {
    for (const write of tables) {
      expect(read(`${write([['Host', 'Ada']])}\n${finals}`).slots).toEqual([
        'Finals:NM1=129891',
        'Finals:HD1=129892',
      ])
    }
  })

  it('may be around it', () => {
    const text = `<details>\n<summary>Semifinals</summary>\n\n- NoMod\n  1. ${titled(10)}\n</details>`
    expect(read(`${finals}\n\n${text}`).slots).toContain('Semifinals:NM1=10')
  })
})

describe('labels in letters of other scripts', () => {
  it('are those of the buckets that they look like', () => {
    expect(read('НМ1 75\nХД1 76\nТБ 77').slots).toEqual(ofNoRound('NM1=75', 'HD1=76', 'TB1=77'))
  })
})

describe('the name of a round', () => {
  it('has nothing at its ends that cannot be seen', () => {
    for (const name of ['Finals\u200b', '\u200bFinals', 'Finals\u00a0', '\u200b Finals \u200b']) {
      for (const text of [
        `## ${name}\n- NoMod\n  1. ${titled(10)}`,
        `Round,Slot,ID\n${name},NM1,129891\n${name},NM2,129892`,
        JSON.stringify([{ round: name, slot: 'NM1', id: 129_891 }]),
      ])
        expect(readImport(text).pools.map((pool) => pool.name)).toEqual(['Finals'])
    }
  })
})

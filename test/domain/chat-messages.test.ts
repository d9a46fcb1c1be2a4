import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AnnouncedRound, News } from '../../src/domain/announcements.ts'
import {
  type ChatFacts,
  type ChatMessage,
  chatMessagesOf,
  escapeMarkdown,
} from '../../src/domain/chat-messages.ts'
import { slotLabel } from '../../src/pool/slots.ts'

const facts: ChatFacts = {
  id: 'q7Jm2_xT0a',
  nameOf: (id) => `Artist ${id} – Title [Insane]`,
  siteName: 'Harbour Cups',
  tournamentUrl: 'https://pools.test/t/dG91cm5hbW',
  packUrl: 'https://packs.test/p/q7Jm2_xT0a',
  pictureUrl: 'https://packs.test/p/q7Jm2_xT0a/pool.png',
}

/** Of a message: https://discord.com/developers/docs/resources/message, limits of embeds. */
const chatBounds = {
  embeds: 10,
  total: 6_000,
  title: 256,
  description: 4_096,
  author: 256,
  footer: 2_048,
}

const slot = (mod: string, index: number, beatmapId: number) => ({ mod, index, beatmapId })

const finals: AnnouncedRound = {
  name: 'Finals',
  slots: [slot('HD', 1, 76), slot('NM', 1, 75), { mod: 'TB', index: 1, placeholder: 'custom map' }],
  packSlug: 'q7Jm2_xT0a',
  bestOf: 11,
  bans: 1,
}

const news = (before: AnnouncedRound | null, after: AnnouncedRound | null): News => ({
  kind: after === null ? 'withdrawal' : before === null ? 'release' : 'change',
  roundId: 'b3JkZXIgbX',
  content: { tournament: 'Harbour Lights Cup', before, after },
})

const textOf = (messages: readonly ChatMessage[]): string =>
  messages.map(({ embeds }) => embeds.map(({ description }) => description).join('\n')).join('\n')

/** As Discord shows a text: a backslash before punctuation is not seen. */
const asShown = (markdown: string): string => markdown.replaceAll(/\\([^0-9A-Za-z\s])/g, '$1')

describe('chatMessagesOf', () => {
  it('names the links that are new, both in one message', () => {
    const links = { mapPackUrl: 'https://host.test/a(1).zip', showcaseUrl: 'https://video.test/x' }
    const of = (before: object, after: object) => {
      const content = { ...news(finals, finals).content }
      const both = { before: { ...finals, ...before }, after: { ...finals, ...after } }
      const [message] = chatMessagesOf(
        { kind: 'links', roundId: 'b3JkZXIgbX', content: { ...content, ...both } },
        facts,
      )
      const { title, description } = message!.embeds[0]!
      return [title, description]
    }
    expect(of({}, links)).toEqual([
      'Finals: map pack and showcase',
      '[Map pack](https://host.test/a%281%29.zip) · [Showcase](https://video.test/x)',
    ])
    expect(of({ mapPackUrl: links.mapPackUrl }, links)).toEqual([
      'Finals: showcase',
      '[Showcase](https://video.test/x)',
    ])
    expect(of({}, { mapPackUrl: 'https://host.test/<a>\\' })).toEqual([
      'Finals: map pack',
      '[Map pack](https://host.test/%3Ca%3E%5C)',
    ])
  })

  it('shows a release with its slots in pool order, what is planned, and where it is', () => {
    const links = { mapPackUrl: 'https://host.test/a(1).zip', showcaseUrl: 'https://video.test/x' }
    const [message, ...more] = chatMessagesOf(news(null, { ...finals, ...links }), facts)
    expect(more).toEqual([])
    expect(message).toEqual({
      embeds: [
        {
          author: { name: 'Harbour Lights Cup', url: facts.tournamentUrl },
          title: 'Finals released',
          url: facts.packUrl,
          description: [
            'Best of 11 · 1 ban · 3 slots',
            String.raw`**NM1** Artist 75 – Title \[Insane\]`,
            String.raw`**HD1** Artist 76 – Title \[Insane\]`,
            '**TB** *custom map*',
            '[Map pack](https://host.test/a%281%29.zip) · [Showcase](https://video.test/x)',
          ].join('\n'),
          image: { url: facts.pictureUrl },
          footer: { text: 'Harbour Cups · q7Jm2_xT0a' },
        },
      ],
    })
  })

  it('shows the slots of a release in the order of its own buckets', () => {
    const buckets = (['TB', 'HD', 'NM', 'HR', 'DT', 'FM'] as const).map((code) => ({ code }))
    const text = textOf(chatMessagesOf(news(null, { ...finals, buckets }), facts))
    expect(text.match(/^\*\*\w+/gm)).toEqual(['**TB', '**HD1', '**NM1'])
  })

  it('shows a change by a line for each difference', () => {
    const after = {
      ...finals,
      name: 'Grand Finals',
      bestOf: 13,
      slots: [slot('NM', 1, 75), slot('HD', 1, 99), slot('TB', 1, 80), slot('NM', 2, 76)],
    }
    const [message] = chatMessagesOf(news(finals, after), facts)
    expect(message!.embeds[0]!.title).toBe('Grand Finals changed')
    expect(asShown(message!.embeds[0]!.description).split('\n')).toEqual([
      'Best of: 11 → 13',
      'Name: Finals → Grand Finals',
      'Artist 76 – Title [Insane]: **HD1** → **NM2**',
      '**HD1** Artist 76 – Title [Insane] → Artist 99 – Title [Insane]',
      '**TB** *custom map* → Artist 80 – Title [Insane]',
    ])
  })

  it.each<[string, Partial<AnnouncedRound>, Partial<AnnouncedRound>, string]>([
    ['is added', {}, { slots: [slot('NM', 1, 75)] }, '**NM1** added: Artist 75 – Title [Insane]'],
    [
      'is removed',
      { slots: [slot('NM', 1, 75)] },
      {},
      '**NM1** removed: Artist 75 – Title [Insane]',
    ],
    [
      'has no beatmap yet',
      {},
      { slots: [{ mod: 'NM', index: 1 }] },
      '**NM1** added: *to be announced*',
    ],
    [
      'has another link',
      { slots: [{ ...slot('NM', 1, 75), link: 'https://a.test' }] },
      { slots: [{ ...slot('NM', 1, 75), link: 'https://b.test' }] },
      '**NM1** Artist 75 – Title [Insane]: details changed',
    ],
    ['counts are given', {}, { bestOf: 9, bans: 0 }, 'Best of: none → 9\nBans: none → 0'],
    ['counts are taken', { bestOf: 9, bans: 1 }, {}, 'Best of: 9 → none\nBans: 1 → none'],
  ])('shows that a slot or a fact %s', (_what, before, after, text) => {
    const bare = { name: 'Finals', slots: [], packSlug: 'q7Jm2_xT0a' }
    const messages = chatMessagesOf(news({ ...bare, ...before }, { ...bare, ...after }), facts)
    expect(asShown(textOf(messages))).toBe(text)
  })

  it.each<[Partial<AnnouncedRound>, string]>([
    [{ bans: 0, slots: [] }, '0 bans · 0 slots'],
    [{ bestOf: 7, bans: 1, slots: [slot('NM', 1, 75)] }, 'Best of 7 · 1 ban · 1 slot'],
    [{ bans: 2, slots: [slot('NM', 1, 75), slot('NM', 2, 76)] }, '2 bans · 2 slots'],
  ])('counts what a release has: %j', (fields, line) => {
    const [first] = textOf(
      chatMessagesOf(news(null, { name: 'Finals', slots: [], ...fields }), facts),
    ).split('\n')
    expect(first).toBe(line)
  })

  it('names the rounds that a deletion withdraws', () => {
    const content = { tournament: 'Cup', before: null, after: null, rounds: ['Quals', 'Finals'] }
    const [message] = chatMessagesOf({ kind: 'deletion', roundId: null, content }, facts)
    const { title, description, url, image } = message!.embeds[0]!
    expect([title, url, image]).toEqual(['Tournament deleted', undefined, undefined])
    expect(asShown(description).replaceAll(/[\u2068\u2069]/g, '')).toBe(
      'These rounds are no longer public:\n**Quals**\n**Finals**',
    )
  })

  it('is in parts, each with its number, the last with the picture', () => {
    const slots = Array.from({ length: 64 }, (_, at) => slot('NM', at + 1, at))
    const nameOf = () => 'x'.repeat(300)
    const messages = chatMessagesOf(news(null, { ...finals, slots }), { ...facts, nameOf })
    const footers = messages.map(({ embeds }) => embeds[0]!.footer.text)
    expect(footers).toEqual([1, 2, 3].map((part) => `Harbour Cups · q7Jm2_xT0a · ${part}/3`))
    expect(messages.map(({ embeds }) => embeds[0]!.image !== undefined)).toEqual([
      false,
      false,
      true,
    ])
    // Of a name, 120 characters are shown.
    expect(textOf(messages)).toContain(`${'x'.repeat(119)}…`)
    expect(textOf(messages)).not.toContain('x'.repeat(120))
  })

  it('says of a withdrawal and of a trial no more than that', () => {
    const [withdrawn] = chatMessagesOf(news(finals, null), facts)
    expect(JSON.stringify(withdrawn)).not.toMatch(/Artist|pool\.png|\/p\//)
    expect(withdrawn!.embeds[0]!.title).toBe('Finals withdrawn')
    const trial = { tournament: 'Cup', before: null, after: null }
    const [message] = chatMessagesOf({ kind: 'trial', roundId: null, content: trial }, facts)
    expect(message!.embeds[0]).toMatchObject({
      title: 'Trial message',
      description: 'Releases, changes and withdrawals of rounds are announced here.',
    })
  })

  it('uses all that Discord takes of a title, a name and a description', () => {
    const content = { tournament: 'x'.repeat(257), before: null, after: finals }
    const after = { ...finals, name: 'y'.repeat(257) }
    const [message] = chatMessagesOf(
      { ...news(null, after), content: { ...content, after } },
      facts,
    )
    const emoji = { ...finals, name: `${'y'.repeat(254)}🎵🎵` }
    const [half] = chatMessagesOf({ ...news(null, emoji) }, facts)
    expect(half!.embeds[0]!.title).toBe(`${'y'.repeat(254)}…`)
    const { title, author } = message!.embeds[0]!
    expect([title.length, author.name]).toEqual([256, `${'x'.repeat(255)}…`])
    const parts = [4_057, 4_058].map((length) => {
      const gone = { tournament: 'Cup', before: null, after: null, rounds: ['z'.repeat(length)] }
      return chatMessagesOf({ kind: 'deletion', roundId: null, content: gone }, facts)
    })
    expect(parts.map((messages) => messages.length)).toEqual([1, 2])
    expect(textOf(parts[0]!)).toHaveLength(4_096)
  })

  it('has no address where the installation has none', () => {
    const none = { tournamentUrl: null, packUrl: null, pictureUrl: null }
    const text = JSON.stringify(chatMessagesOf(news(null, finals), { ...facts, ...none }))
    expect(text).not.toContain('http')
  })
})

const anyText = (most: number) =>
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: most }).map((text) => text.slice(0, most))
const punctuation = fc.string({
  unit: fc.constantFrom(
    ...'* _ ~ | > # - + [ ] ( ) < : @ . ` a @everyone <@1>'.split(' '),
    ' ',
    '\\',
  ),
  minLength: 1,
  maxLength: 40,
})
/** Of words that are written to the left, and others. */
const bothWays = fc
  .array(fc.constantFrom('מפה', 'نصف', 'النهائي', 'Cup', '7', '*'), { minLength: 1, maxLength: 6 })
  .map((words) => words.join(' '))
const anyName = fc.oneof(anyText(64), punctuation, bothWays)

const anyRound: fc.Arbitrary<AnnouncedRound> = fc.record({
  name: anyName,
  packSlug: fc.constant('q7Jm2_xT0a'),
  slots: fc.uniqueArray(
    fc.record({
      mod: fc.constantFrom('NM', 'HD', 'TB', 'XYZ', '日本', 'אב'),
      index: fc.integer({ min: 1, max: 99 }),
      beatmapId: fc.integer({ min: 1, max: 200 }),
    }),
    { selector: ({ mod, index }) => `${mod} ${index}`, maxLength: 64 },
  ),
})

describe('of any rounds and names', () => {
  const drawn = fc.record({
    before: fc.option(anyRound),
    after: anyRound,
    tournament: anyName,
    names: fc.array(fc.oneof(anyText(300), punctuation, bothWays), { minLength: 1, maxLength: 20 }),
  })

  it('each message is within the bounds of Discord, and no slot is missing', () => {
    fc.assert(
      fc.property(drawn, ({ before, after, tournament, names }) => {
        const content = { tournament, before, after }
        const nameOf = (id: number): string => names[id % names.length]!
        const messages = chatMessagesOf(
          { kind: before ? 'change' : 'release', roundId: 'b3JkZXIgbX', content },
          { ...facts, nameOf },
        )
        expect(messages.length).toBeGreaterThan(0)
        for (const { embeds } of messages) {
          expect(embeds.length).toBeLessThanOrEqual(chatBounds.embeds)
          let total = 0
          for (const { title, description, author, footer } of embeds) {
            expect(title.length).toBeLessThanOrEqual(chatBounds.title)
            expect(description.length).toBeLessThanOrEqual(chatBounds.description)
            expect(author.name.length).toBeLessThanOrEqual(chatBounds.author)
            expect(footer.text.length).toBeLessThanOrEqual(chatBounds.footer)
            expect(footer.text).toContain(facts.id)
            expect(description.isWellFormed()).toBe(true)
            total += title.length + description.length + author.name.length + footer.text.length
          }
          expect(total).toBeLessThanOrEqual(chatBounds.total)
        }
        if (before !== null) return
        const lines = asShown(textOf(messages))
          .replaceAll(/[\u2068\u2069]/g, '')
          .split('\n')
        for (const each of after.slots) {
          const label = `**${slotLabel(each)}** `
          expect(lines.filter((line) => line.startsWith(label))).toHaveLength(1)
        }
        expect(messages.flatMap(({ embeds }) => embeds.filter(({ image }) => image))).toHaveLength(
          1,
        )
      }),
    )
  })

  it('no name turns round what surrounds it: what is written to the left is isolated (D-47)', () => {
    const planned = fc.record({
      mod: fc.constant('NM'),
      index: fc.constant(2),
      placeholder: bothWays,
    })
    const withPlan = fc
      .tuple(anyRound, planned)
      .map(([round, slot]) => ({ ...round, slots: [...round.slots.slice(0, 5), slot] }))
    const isolated = /\u2068[^\u2068\u2069]*\u2069/g
    fc.assert(
      fc.property(
        fc.option(withPlan),
        fc.option(withPlan),
        bothWays,
        bothWays,
        (before, after, tournament, name) => {
          const kind = after === null ? 'withdrawal' : before === null ? 'release' : 'change'
          const content = { tournament, before, after }
          const messages = chatMessagesOf(
            { kind, roundId: 'b3JkZXIgbX', content },
            { ...facts, siteName: name, nameOf: () => name },
          )
          for (const { title, description, footer } of messages.flatMap(({ embeds }) => embeds)) {
            const around = [title, description, footer.text].join('\n').replaceAll(isolated, '')
            expect(around).not.toMatch(/[\u0590-\u08ff\u2068\u2069]/)
          }
        },
      ),
    )
    const slots = (placeholder: string) => ({
      ...finals,
      slots: [{ mod: 'NM', index: 2, placeholder }],
    })
    const [message] = chatMessagesOf(news(slots('ראשונה'), slots('שנייה')), facts)
    expect(message!.embeds[0]!.description).toBe(
      '**NM2** *\u2068ראשונה\u2069* → *\u2068שנייה\u2069*',
    )
  })

  it('nothing in a name is markup, a link or a mention', () => {
    fc.assert(
      fc.property(fc.oneof(punctuation, anyText(80)), (name) => {
        const escaped = escapeMarkdown(name)
        // Without what is escaped, no mark of markdown is left.
        expect(escaped.replaceAll(/\\[!-/:-@[-`{-~]/g, '')).not.toMatch(/[!-/:-@[-`{-~]/)
        expect(escaped).not.toMatch(/\n|(?<!\\)[@<]|https?:\/\//)
      }),
    )
  })
})

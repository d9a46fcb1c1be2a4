import { describe, expect, it } from 'vitest'
import { poolRows } from '../../src/standin/library.ts'
import { emptyDraft, pasted, readPaste } from './pasted-text.ts'

type Row = {
  slot: string
  id: number
  set: number
  artist: string
  title: string
  mapper: string
  version: string
}

/** Real beatmaps, their titles full of what lines are made of, in a pool of ten a bucket. */
const rows = poolRows.slice(0, 50).map(([id, set, artist, title, mapper, version], at): Row => {
  const code = ['NM', 'HD', 'HR', 'DT', 'RC'][Math.floor(at / 10)] ?? ''
  return { slot: `${code}${(at % 10) + 1}`, id, set, artist, title, mapper, version }
})
const slots = rows.map(({ slot, id }) => `${slot}=${id}`)

const song = ({ artist, title, version }: Row): string => `${artist} - ${title} [${version}]`
const ways: Record<string, (row: Row) => string> = {
  'a chat': (row) => `[20:15] Ada: ${row.slot} https://osu.ppy.sh/b/${row.id}`,
  'a post with titles': (row) =>
    `${row.slot}: ${song(row)} https://osu.ppy.sh/beatmapsets/${row.set}#osu/${row.id}`,
  'a forum post': (row) =>
    `[*][b]${row.slot}[/b]: [url=https://osu.ppy.sh/b/${row.id}]${song(row)}[/url]`,
  'Markdown links': (row) => `* **${row.slot}** [${song(row)}](https://osu.ppy.sh/b/${row.id})`,
  'a Markdown table': (row) => `| ${row.slot} | ${song(row)} | ${row.id} |`,
  'ids with remarks': (row) => `${row.slot} ${row.id} - ${song(row)} (${row.mapper})`,
  'a sheet without a header': (row) =>
    [row.slot, song(row), row.mapper, '7.81', '4:18', '222', '4', '9', '8', row.id].join('\t'),
}

describe('a real pool', () => {
  it.each(Object.entries(ways))('is read from %s', (_, write) => {
    expect(pasted(rows.map(write).join('\n'))).toEqual(slots)
  })

  it('is read from a sheet with a header and merged cells', () => {
    const lines = rows.map((row) =>
      [row.slot.endsWith('1') ? row.slot.slice(0, 2) : '', `=${row.title}`, row.set, row.id].join(
        '\t',
      ),
    )
    expect(pasted(['Mod\tTitle\tSet ID\tMap ID', ...lines].join('\n'))).toEqual(slots)
  })

  it('is read from links under headings', () => {
    const lines = rows.flatMap((row) => [
      ...(row.slot.endsWith('1') ? [`[${row.slot.slice(0, 2)}]`] : []),
      `https://osu.ppy.sh/b/${row.id} ${song(row)}`,
    ])
    expect(pasted(lines.join('\n'))).toEqual(slots)
  })

  it('is read from a list of links, without its buckets', () => {
    const text = rows.map((row) => `https://osu.ppy.sh/b/${row.id}`).join('\n')
    expect(readPaste(text, emptyDraft).draft.slots.map(({ mod }) => mod)).toEqual(
      rows.map(() => null),
    )
  })
})

import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { withImports } from '../../scripts/import-doc.ts'
import { emptyDraft, pasted, readPaste, readRoundsPaste } from './pasted-text.ts'

const doc = readFileSync(new URL('../../docs/formats.md', import.meta.url), 'utf8')
const section = (heading: string): string =>
  doc.split(`### ${heading}\n`)[1]?.split(/\n##+ /)[0] ?? ''
const rows = section('Lines')
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .slice(2)
  .map((line) => line.split('|').map((cell) => cell.trim()))
const codeIn = (text = ''): string[] =>
  [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code)

describe('docs/formats.md', () => {
  it.each(rows)('%s is read as it says: %s', (_, paste, gets) => {
    for (const text of codeIn(paste)) {
      const [line] = readPaste(text, emptyDraft).lines
      expect(line?.outcome ?? 'skipped', text).toBe(gets === 'nothing' ? 'skipped' : 'slot')
    }
  })

  it('lists what can be imported as `npm run docs` writes it', () => {
    expect(withImports(doc)).toBe(doc)
  })

  it('shows a paste under headings that is read', () => {
    const [, example = ''] = /```text\n([^`]*)```/.exec(section('Lines')) ?? []
    expect(pasted(example)).toEqual(['NM1=129891', 'NM2=75', 'RC1=1872396'])
  })

  it('shows a paste of rounds that is read', () => {
    const [, example = ''] = /```text\n([^`]*)```/.exec(section('Several rounds')) ?? []
    const { rounds } = readRoundsPaste(example)
    expect(rounds.map(({ name, draft }) => [name, draft.slots.length])).toEqual([
      ['Semifinals', 2],
      ['The Last Stand', 1],
    ])
  })

  it('names headings and columns of rounds that are known', () => {
    const text = section('Several rounds')
    const usual = codeIn(text.split('such as')[1]?.split('; or any')[0])
    expect(usual).toHaveLength(5)
    for (const name of usual) {
      expect(readRoundsPaste(`${name}\nNM1 5`).rounds, name).toMatchObject([{ name }])
    }
    const columns = /headed ([^.]+)\./.exec(text)?.[1]?.split(/, | or /) ?? []
    expect(columns).toHaveLength(4)
    for (const column of columns) {
      const sheet = `${column},Slot,ID\nany,NM1,5`
      expect(readRoundsPaste(sheet).rounds, column).toMatchObject([{ name: 'any' }])
    }
  })

  it('names heads of columns that are known', () => {
    const columns = section('Tables').matchAll(/^\| the (slot|beatmap) +\| ([^|]+)\|$/gm)
    const heads = new Map(
      [...columns].map(([, what, names = '']) => [what, names.trim().split(', ')]),
    )
    for (const slot of heads.get('slot') ?? []) {
      for (const beatmap of heads.get('beatmap') ?? []) {
        expect(pasted(`Title,${beatmap},${slot}\n9,129891,mix`), slot + beatmap).toEqual([
          'mix1=129891',
        ])
      }
    }
    expect(heads.size).toBe(2)
  })
})

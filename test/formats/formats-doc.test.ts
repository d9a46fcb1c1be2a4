import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readPaste } from '../../src/formats/read-paste.ts'
import { emptyDraft, pasted } from './pasted-text.ts'

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

  it('shows a paste under headings that is read', () => {
    const [, example = ''] = /```text\n([^`]*)```/.exec(section('Lines')) ?? []
    expect(pasted(example)).toEqual(['NM1=129891', 'NM2=75', 'RC1=1872396'])
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

import { describe, expect, it } from 'vitest'
import { searchText, searchWords } from '../../src/web/my-packs/view.ts'

describe('text that is searched', () => {
  it.each([
    ['Autumn CUP', 'autumn cup'],
    ['Café Übung', 'cafe ubung'],
    ['Ｗｉｄｅ ﬁnals', 'wide finals'],
    ['ΣΊΣΥΦΟΣ', searchText('σίσυφος')],
    ['決勝', '決勝'],
  ])('%s has neither case nor marks', (text, plain) => {
    expect(searchText(text)).toBe(plain)
  })

  it('falls into words at any white space', () => {
    expect(searchWords('  Cup\t Finals\n')).toEqual(['cup', 'finals'])
    expect(searchWords(' ')).toEqual([])
  })
})

import * as fc from 'fast-check'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { PageData } from '../../src/contract/page-data.ts'
import { Typed, type TypedKey } from '../../src/web/editing/typed.ts'
import { countUnsaved, ownKey } from '../../src/web/kept.ts'
import { asServed } from '../../src/web/page-data.ts'

const content = new Map<string, string>()
let isFull = false
/** What is in it are its keys, too, as in a browser's. */
const storage = new Proxy(
  {
    getItem: (key: string) => content.get(key) ?? null,
    setItem: (key: string, text: string) => {
      if (isFull) throw new DOMException('full', 'QuotaExceededError')
      content.set(key, text)
    },
    removeItem: (key: string) => void content.delete(key),
  },
  {
    ownKeys: () => [...content.keys()],
    getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
  },
)

beforeAll(() => void vi.stubGlobal('sessionStorage', storage))
afterEach(() => {
  content.clear()
  isFull = false
})
afterAll(() => void vi.unstubAllGlobals())

const served = <T>(make: () => T): T => asServed({} as PageData, make)
const key: TypedKey = served(() => ownKey('typed', 'dG91cm5hbW:7'))
const open = (): Typed => served(() => new Typed(key))
const type = (typed: Typed, name: string, text: string): void =>
  void (typed.text(name).value = text)

describe('what is typed and not sent', () => {
  it('is the same in each field on the next page, whatever it is, and blank ones are none', () => {
    const fields = fc.array(
      fc.tuple(
        fc.constantFrom('add NM', 'remark slot NM 1', 'paste', '__proto__'),
        fc.string({ unit: 'grapheme' }),
      ),
    )
    fc.assert(
      fc.property(fields, (typed) => {
        content.clear()
        const page = open()
        for (const [name, text] of typed) type(page, name, text)
        const last = new Map(typed)
        const next = open()
        for (const [name, text] of last) {
          expect(next.text(name).value).toBe(text.trim() === '' ? '' : text)
        }
        expect(content.has(key)).toBe([...last.values()].some((text) => text.trim() !== ''))
      }),
    )
  })

  it('is one text for a field that goes and comes again', () => {
    const page = open()
    type(page, 'remark round', 'Too long')
    expect(page.text('remark round').value).toBe('Too long')
    page.clear()
    expect(page.text('remark round').value).toBe('')
    expect(open().text('remark round').value).toBe('')
  })

  it('is not kept where it does not fit, and nothing older comes back in its place', () => {
    const page = open()
    type(page, 'paste', 'NM1 75')
    isFull = true
    type(page, 'paste', 'NM1 76')
    isFull = false
    expect(open().text('paste').value).toBe('')
    type(page, 'paste', 'NM1 77')
    type(page, 'paste', 'x'.repeat(100_001))
    expect(open().text('paste').value).toBe('')
  })

  it.each(['', 'null', '{"v":1}', '{"v":1,"texts":7}', '{"v":1,"texts":{"paste":7}}', '{"v":2}'])(
    'is none where %j was kept',
    (damaged) => {
      content.set(key, damaged)
      expect(open().text('paste').value).toBe('')
    },
  )

  it('is told of before it is signed out of, once for each pack and round', () => {
    const count = () => served(countUnsaved)
    expect(count()).toBe(0)
    type(open(), 'remark round', 'Too long')
    expect(count()).toBe(1)
    content.set(
      served(() => ownKey('unsaved', 'dG91cm5hbW:7')),
      '{}',
    )
    expect(count()).toBe(1)
    content.set(
      served(() => ownKey('unsaved', 'dG91cm5hbW:8')),
      '{}',
    )
    expect(count()).toBe(2)
  })
})

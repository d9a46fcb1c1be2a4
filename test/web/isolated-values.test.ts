import { globSync, readFileSync } from 'node:fs'
import { array, assert, constantFrom, oneof, pre, property, string } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isolate as poolIsolate } from '../../src/pool/text.ts'

// What people have named in letters that are written to the left turns nothing round in a text around it (D-47).

const built = new URL('../../build/texts/', import.meta.url)
const { isolate } = (await import(new URL('isolate.js', built).href)) as {
  isolate: (value: unknown) => string
}
const folders = globSync('*/account.js', { cwd: built }).map((path) => path.split('/')[0]!)
const NAME = 'גביע 2'

type Made = string | number | readonly Made[]

/** Values for a text by what its declaration asks for: each that is a text is a name. */
const valuesFor = (declared: string) =>
  Object.fromEntries(
    Array.from(declared.matchAll(/readonly "?(\w+)"?: (\w+|\()/g), ([, name, type]) => [
      name,
      type === 'string'
        ? NAME
        : type === 'number'
          ? 2
          : type === '('
            ? (children: Made) => children
            : 'x',
    ]),
  )

const flat = (made: Made): string => (Array.isArray(made) ? made.map(flat).join('') : String(made))

describe.each(folders.filter((name) => name !== 'all'))('in %s', (folder) => {
  it('each value of each text is isolated', async () => {
    let count = 0
    const bare: string[] = []
    for (const section of globSync('*.d.ts', { cwd: new URL('en/', built) })) {
      const name = section.replace('.d.ts', '')
      if (name === 'language') continue
      const texts = (await import(new URL(`${folder}/${name}.js`, built).href)) as Record<
        string,
        string | ((values: object) => Made)
      >
      const declared = readFileSync(new URL(`en/${section}`, built), 'utf8')
      for (const [, key = '', type = ''] of declared.matchAll(
        /^export const (\w+): \(values: (.*)$/gm,
      )) {
        const say = texts[key]
        if (typeof say !== 'function') throw new Error(`${folder}/${name}: ${key}`)
        const shown = flat(say(valuesFor(type)))
        count += shown.split(NAME).length - 1
        if (shown.replaceAll(`\u2068${NAME}\u2069`, '').includes(NAME))
          bare.push(`${name} ${key}: ${shown}`)
      }
    }
    expect(bare).toEqual([])
    expect(count).toBeGreaterThan(300)
  })
})

const characters = oneof(
  constantFrom(...Array.from('\u202a\u202e\u2066\u2067\u2068\u2069ab 1(א\u0627')),
  string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
)

it('as the names outside of texts are', () => {
  assert(
    property(array(characters, { maxLength: 12 }), (all) => {
      const name = all.join('')
      pre(!/\u2068[^\u202a-\u202e\u2066-\u2069]*\u2069/.test(name))
      expect(isolate(name)).toBe(poolIsolate(name))
    }),
    { numRuns: 5_000 },
  )
  const letters = Array.from({ length: 0x11_00_00 }, (_, code) => String.fromCodePoint(code))
  expect(letters.filter((letter) => isolate(letter) !== poolIsolate(letter))).toEqual([])
})

it('what is made of them stays as it is, and nothing that somebody has written passes for it', () => {
  const step = `remove ${poolIsolate(NAME)}`
  expect(isolate(step)).toBe(step)
  expect(isolate(poolIsolate(NAME))).toBe(poolIsolate(NAME))
  for (const name of [
    `\u202e${step}`,
    `${step}\u2069`,
    `\u2068${step}`,
    '\u2068אב',
    '\u2069\u2068',
  ]) {
    expect(isolate(name)).toBe(poolIsolate(name))
  }
})

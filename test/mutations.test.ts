import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { LikelyTests } from '../scripts/likely-tests.ts'
import {
  isEquivalent,
  isProgram,
  mutate,
  mutationsOf,
  readEquivalents,
  shuffled,
} from '../scripts/mutants.ts'
import { nearestTests } from '../scripts/nearest-tests.ts'

const read = (path: string): string =>
  readFileSync(fileURLToPath(new URL(`../${path}`, import.meta.url)), 'utf8')

const mutants = (source: string): string[] =>
  mutationsOf('sample.ts', source)
    .filter((mutation) => isProgram(source, mutation))
    .map((mutation) => mutate(source, mutation))

describe('the mutations of a source', () => {
  it.each([
    ['a < b', ['a <= b', 'a >= b']],
    ['a === b', ['a !== b']],
    ['a && b', ['a || b', 'a', 'b']],
    ['a ?? b', ['a', 'b']],
    ['!a', ['a']],
    ['a + 2', ['a - 2', 'a + 3', 'a + 1']],
    ['[a, b]', ['[b]', '[a]']],
    ['({ a, ...b })', ['({ ...b })', '({ a })']],
    ['a.filter(b)', ['a']],
    ['Math.min(a)', ['Math.max(a)']],
    ['a ? b : c', ['!(a) ? b : c']],
    ["f('word')", ["f('')"]],
    ["f('Words for people.')", []],
    ['f(`${a} + 1`)', []],
    ['a as { b: 1 }', []],
  ])('%s', (source, expected) => {
    const assigned = `x = ${source}`
    const found = mutants(assigned).filter((each) => each !== ';')
    expect(found.toSorted()).toEqual(expected.map((each) => `x = ${each}`).toSorted())
  })

  it.each([
    ['f(a)', [';']],
    ["import { a } from './b.ts'", []],
    ["'use strict'", []],
    ['const f = async () => { await g() }', ['() => { g() }', '() => { ; }']],
    ['const f = () => { if (a) return\n b() }', ['(!(a))', '{ ;\n', '\n ; }']],
  ])('%s', (source, parts) => {
    const found = mutants(source)
    expect(found).toHaveLength(parts.length)
    for (const part of parts) expect(found.join('\n---\n')).toContain(part)
  })

  it('are programs, each another one, and tell the lines that change', () => {
    const source = read('src/domain/tournament-access.ts')
    const all = mutationsOf('src/domain/tournament-access.ts', source)
    const texts = all.map((mutation) => mutate(source, mutation))
    expect(all.length).toBeGreaterThan(50)
    expect(texts).not.toContain(source)
    expect(new Set(texts).size).toBe(texts.length)
    const collapsed = (text: string): string => text.replaceAll(/\s+/g, ' ')
    for (const [at, { before, after, line }] of all.entries()) {
      expect(
        collapsed(
          source
            .split('\n')
            .slice(line - 1)
            .join('\n'),
        ).trim(),
      ).toContain(before)
      expect(collapsed(texts[at]!)).toContain(after)
    }
  })

  it('are drawn in an order that the seed decides, and that other lines do not change', () => {
    const lines = Array.from({ length: 100 }, (_, at) => `f${at}(a)`)
    const order = (seed: number, drawn: readonly string[] = lines): string[] =>
      shuffled(mutationsOf('sample.ts', drawn.join('\n')), seed).map(({ before }) => before)
    expect(order(1)).toEqual(order(1))
    expect(order(1)).not.toEqual(order(2))
    expect(order(1).toSorted()).toEqual(lines.toSorted())
    expect(order(1, lines.slice(1))).toEqual(order(1).filter((line) => line !== lines[0]))
  })
})

describe('the tests of a mutation', () => {
  it('run the file, through others too, and come nearest first', () => {
    const files = new Map([
      ['src/a.ts', ''],
      ['src/b.ts', "import { a } from './a.ts'"],
      ['src/types.ts', "import type { A } from './a.ts'"],
      ['test/far.test.ts', "import {\n  b,\n} from '../src/b.ts'"],
      ['test/near.test.ts', "import { a } from '../src/a.ts'"],
      ['test/types.test.ts', "import { t } from '../src/types.ts'"],
      ['test/thread.test.ts', "new Worker(new URL('../src/b.ts', import.meta.url))"],
    ])
    const found = nearestTests('src/a.ts', files)
    expect(found[0]).toBe('test/near.test.ts')
    expect(found.toSorted()).toEqual([
      'test/far.test.ts',
      'test/near.test.ts',
      'test/thread.test.ts',
    ])
  })

  it('are those of its folder before others, and those that start processes last', () => {
    const run = "import { a } from '../src/domain/slurs/a.ts'\n"
    const files = new Map([
      ['src/domain/slurs/a.ts', ''],
      ['test/support/processes.ts', "import { spawn } from 'node:child_process'\nspawn('node')"],
      ['test/started.test.ts', `${run}import { started } from './support/processes.ts'`],
      ['test/other.test.ts', run],
      ['test/domain/slurs-hidden.test.ts', run.replace('..', '../..')],
    ])
    expect(nearestTests('src/domain/slurs/a.ts', files)).toEqual([
      'test/domain/slurs-hidden.test.ts',
      'test/other.test.ts',
      'test/started.test.ts',
    ])
  })

  it.each([
    ['src/door/router.ts', 'test/api'],
    ['src/adapters/router.ts', 'test/ports'],
    ['src/site/router.ts', 'test/site'],
  ])('of %s are those in %s before others that are nearer by one', (file, folder) => {
    const files = new Map([
      [file, ''],
      ['src/app.ts', `import { router } from '.${file.slice(3)}'`],
      ['test/support/house.ts', "import { app } from '../../src/app.ts'"],
      ['test/other/near.test.ts', "import { app } from '../../src/app.ts'"],
      [`${folder}/packs.test.ts`, "import { house } from '../support/house.ts'"],
    ])
    expect(nearestTests(file, files)).toEqual([
      `${folder}/packs.test.ts`,
      'test/other/near.test.ts',
    ])
  })

  it('are those of its floor that import it before others that are named after it', () => {
    const files = new Map([
      ['src/pool/slots.ts', ''],
      ['test/formats/planned-slots.test.ts', "import { a } from '../../src/pool/slots.ts'"],
      ['test/pool/edits.test.ts', "import { a } from '../../src/pool/slots.ts'"],
    ])
    expect(nearestTests('src/pool/slots.ts', files)).toEqual([
      'test/pool/edits.test.ts',
      'test/formats/planned-slots.test.ts',
    ])
  })
})

describe('the tests that are asked first of a mutation', () => {
  const file = 'src/domain/slurs/a.ts'
  const tests = Array.from({ length: 100 }, (_, at) => `test/${at}.test.ts`)
  const pass = (likely: LikelyTests, some: readonly string[], ms = 1000, of = file): void => {
    for (const test of some) likely.passed(test, of, ms)
  }

  it('are the nearest, as long as nothing is known of any', () => {
    expect(new LikelyTests().first(file, tests, 13)).toEqual(tests.slice(0, 13))
    expect(new LikelyTests().first(file, tests.slice(0, 3), 13)).toEqual(tests.slice(0, 3))
  })

  it('are always with the two nearest, and others in turn when they have noticed nothing', () => {
    const likely = new LikelyTests()
    const asked = new Set<string>()
    for (let trial = 0; trial < 40; trial++) {
      const first = likely.first(file, tests, 13)
      expect(first).toEqual(expect.arrayContaining(tests.slice(0, 2)))
      expect(new Set(first).size).toBe(13)
      pass(likely, first)
      for (const test of first) asked.add(test)
    }
    expect(asked.size).toBe(tests.length)
  })

  it.each([file, 'src/domain/slurs/b.ts', 'src/domain/c.ts'])(
    'are with one that is far and slow, and has noticed two in %s',
    (noticed) => {
      const likely = new LikelyTests()
      const far = tests.at(-1)!
      expect(likely.first(file, tests, 13)).not.toContain(far)
      for (let at = 0; at < 2; at++) likely.noticed(far, noticed)
      pass(likely, [far], 30_000, noticed)
      expect(likely.first(file, tests, 13)).toContain(far)
      expect(likely.first('src/door/d.ts', tests, 13)).not.toContain(far)
    },
  )

  it('are those of its folder before others that have noticed as many on its floor', () => {
    const likely = new LikelyTests()
    for (let at = 0; at < 3; at++) {
      likely.noticed(tests[90]!, 'src/domain/packs.ts')
      likely.noticed(tests[95]!, file)
    }
    expect(likely.first(file, tests, 13)[0]).toBe(tests[95])
    expect(likely.first('src/domain/c.ts', tests, 13)[0]).toBe(tests[90])
  })

  it('come quickest first where they are as likely', () => {
    const likely = new LikelyTests()
    pass(likely, tests.slice(0, 1), 9000)
    pass(likely, tests.slice(1, 2), 10)
    expect(likely.first(file, tests.slice(0, 2), 13)).toEqual([tests[1], tests[0]])
  })
})

describe('mutations that are listed as equivalent', () => {
  it.each(readEquivalents().map((each) => [each.file, each.before, each] as const))(
    '%s: %s',
    (file, _, listed) => {
      const found = mutationsOf(file, read(file)).filter((each) => isEquivalent(each, [listed]))
      expect(found.length, 'the line has changed: is it still equivalent?').toBeGreaterThan(0)
      expect(listed.why).toMatch(/^[A-Z`].{20,}\.$/)
    },
  )

  it('are listed once', () => {
    const keys = readEquivalents().map(({ file, before, after }) =>
      [file, before, after].join('\n'),
    )
    expect(new Set(keys).size).toBe(keys.length)
  })
})

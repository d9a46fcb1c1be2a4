import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { languages } from '#texts/languages'

const root = new URL('../../', import.meta.url).pathname
const read = (path: string): string => readFileSync(root + path, 'utf8')

/** Of the glossary: `osu! / osu!taiko / osu!catch / osu!mania`. */
const namesIn = (language: string): string[] => {
  const [, , names = ''] = read(`src/texts/${language}/glossary.md`)
    .split('\n')
    .find((line) => line.startsWith('| osu! / taiko / catch / mania '))!
    .split('|')
  return names.split('/').map((each) => each.trim())
}

describe.each(Object.keys(languages).filter((each) => each !== 'en'))(
  'the rulesets in %s have the names of the glossary',
  (language) => {
    it('where a page names one', () => {
      const { standard, taiko, catchTheBeat, mania } = JSON.parse(
        read(`src/texts/${language}/common.json`),
      )
      expect([standard, taiko, catchTheBeat, mania]).toEqual(namesIn(language))
    })

    it('and no other in any text or guide', () => {
      const names = namesIn(language).slice(1)
      const paths = globSync([`src/texts/${language}/*.json`, `docs/${language}/*.md`], {
        cwd: root,
      })
      expect(paths.length).toBeGreaterThan(30)
      for (const path of paths) {
        // Keys of texts, values, code and addresses have the names of programs.
        const shown = names.reduce(
          (text, name) => text.replaceAll(name, ''),
          read(path).replaceAll(/^ *"\w+":|`[^`]*`|\]\([^)]*\)|"\w+": *\{|\{\w+\}/gm, ''),
        )
        expect([path, shown.match(/\b(?:taiko|catch|mania|ctb|standard)\b/gi)]).toEqual([
          path,
          null,
        ])
      }
    })
  },
)

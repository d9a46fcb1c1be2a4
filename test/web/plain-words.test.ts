import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { buildPages } from '../support/build-pages.ts'

/** What readers get: the built scripts, without comments. Guides are texts of docs/ and apart. */
const scripts = (): Map<string, string> => {
  const folder = join(buildPages(), 'assets')
  const names = readdirSync(folder).filter((name) => /^(?!docs-|_guide_).*\.js$/.test(name))
  return new Map(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]))
}

/** Words that are not English, or not the English of a product. */
const odd = [
  /\bmend(?:ed|ing)?\b/i,
  /\bwhoever\b/i,
  /\b(?:any|every|some|no)body\b/i,
  /\bany more\b/i,
  /\bby now\b/i,
  /\banew\b/i,
  /\bsent nowhere\b|\blead(?:s)? nowhere\b/i,
  /\bdone again\b/i,
  /\bof you we\b/i,
  /\blook after\b/i,
  /\bload (?:it|this page|the page) again\b/i,
  /\bbeing looked up\b/i,
  /\bis all here\b/i,
  /\b(?:time|rounds) (?:that is )?to come\b/i,
  /\bsaid of\b/i,
  /\bversion here\b/i,
  /\b(?:is|are) to be (?:changed|read|sent)\b/i,
  /\bgo(?:es)? out as planned\b|\bwent out as planned\b/i,
  /\bwrong way round\b/i,
  /\blately\b/i,
  /\b(?:take|taken) (?:a|the) sheet\b|\bTake (?:all|none)\b/i,
  /\bundo takes (?:it )?back\b/i,
]

describe('the words of the site', () => {
  it('are plain English', () => {
    for (const [name, script] of scripts()) {
      for (const word of odd) expect(`${name}: ${word.exec(script)?.[0] ?? ''}`).toBe(`${name}: `)
    }
  })

  it('are those of well-kept products where the old ones were translated', () => {
    const all = [...scripts().values()].join('\n')
    for (const words of [
      'Fix before saving',
      'Redone',
      'We keep your player name and id',
      'This key is incomplete',
      'Anyone with the link',
    ]) {
      expect(all).toContain(words)
    }
  })
})

import { existsSync } from 'node:fs'
import { type Language, languages } from '#texts/languages'

const docs = new URL('../../docs/', import.meta.url)

/** The Markdown of a guide in a language that there is one in. */
export const guideFile = (name: string, language: Language): URL =>
  new URL(`${language === 'en' ? '' : `${language}/`}${name}.md`, docs)

/** Those that there is a guide in. */
export const languagesOfGuide = (name: string): readonly Language[] =>
  (Object.keys(languages) as Language[]).filter((each) => existsSync(guideFile(name, each)))

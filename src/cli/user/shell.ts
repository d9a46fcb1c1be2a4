import { plain } from './screen.ts'

/** A call of `mapcrate` that a shell reads so. Words that look like options are behind all that are. */
export function shellCall(
  command: string,
  words: readonly string[],
  options: readonly string[] = [],
): string {
  const isClear = words.every((word) => word === '-' || !word.startsWith('-'))
  const args = isClear ? [...words, ...options] : [...options, '--', ...words]
  return plain(['mapcrate', command, ...args.map(inShell)].join(' '))
}

function inShell(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
}

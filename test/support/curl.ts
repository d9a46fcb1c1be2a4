import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ask } from './http.ts'

/** The words of a command for a shell, with variables in place of their names. */
const wordsOf = (command: string, env: Readonly<Record<string, string>>): string[] => {
  const words: string[] = []
  const part = /\\\n|\s+|((?:'[^']*'|"[^"]*"|[^\s'"\\])+)/g
  for (const [, word] of command.matchAll(part)) {
    if (word === undefined) continue
    const text = word.replaceAll(
      /'([^']*)'|"([^"]*)"|([^'"]+)/g,
      (_, single, double, bare) =>
        single ??
        String(double ?? bare).replaceAll(/\$(\w+)/g, (_all, name: string) => env[name] ?? ''),
    )
    words.push(text)
  }
  return words
}

/**
 * Does what a `curl` of the docs does, for machines without one; prints what it prints.
 *
 * @throws Error for an option that the docs do not use.
 */
export const curl = async (
  command: string,
  env: Readonly<Record<string, string>>,
  folder: string,
): Promise<string> => {
  const [name, ...words] = wordsOf(command, env)
  if (name !== 'curl') throw new Error(`${name} is not curl`)
  const headers: Record<string, string> = {}
  let [method, url, body, withHead]: [string?, string?, string?, boolean?] = []
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at]!
    if (word === '-H') {
      const [, field = '', value = ''] = /^([^:]+): (.*)$/.exec(words[(at += 1)]!) ?? []
      headers[field.toLowerCase()] = value
    } else if (word === '-X') method = words[(at += 1)]!
    else if (word === '-d') body = await payloadOf(words[(at += 1)]!, folder)
    else if (word === '-i') withHead = true
    else if (word === '--compressed') headers['accept-encoding'] = 'gzip, br'
    else if (word.startsWith('-')) throw new Error(`curl ${word} is not understood here`)
    else url = word
  }
  method ??= body === undefined ? 'GET' : 'POST'
  const answer = await ask(method, url!, { headers, body })
  return withHead ? `HTTP/1.1 ${answer.status} \n\n${answer.text}` : answer.text
}

const payloadOf = async (text: string, folder: string): Promise<string> =>
  text.startsWith('@') ? readFile(join(folder, text.slice(1)), 'utf8') : text

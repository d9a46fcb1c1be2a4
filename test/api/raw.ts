import type { Reply } from '../support/door.ts'
import { beginRequest } from '../support/slow-request.ts'

/** Sends a request as it is written, `Host` aside, and reads the one answer. */
export const sendRaw = async (url: string, lines: readonly string[]): Promise<Reply> => {
  const { answer } = await beginRequest(url, [...lines, 'Connection: close', '', ''])
  const [head = '', text = ''] = (await answer).split('\r\n\r\n')
  const [statusLine = '', ...fields] = head.split('\r\n')
  const headers = new Headers(
    fields.map((field): [string, string] => {
      const colon = field.indexOf(':')
      return [field.slice(0, colon), field.slice(colon + 1).trim()]
    }),
  )
  return {
    status: Number(statusLine.split(' ')[1]),
    headers,
    text,
    json: text === '' ? undefined : JSON.parse(text),
  }
}

import { describe, expect, it } from 'vitest'
import { openService } from '../../src/cli/user/service.ts'
import type { CliContext } from '../../src/cli/user/user-command.ts'

/** What is said at the first wait of a call that is answered so; nothing is waited for. */
async function firstWait(answer: () => Response): Promise<string> {
  const controller = new AbortController()
  const messages: string[] = []
  const wait = (text: string): void => {
    messages.push(text)
    controller.abort(new Error('enough'))
  }
  const context = { screen: { wait }, signal: controller.signal } as unknown as CliContext
  const credentials = { address: 'https://packs.example', key: `packs_${'A'.repeat(43)}` }
  const { client } = openService('packs', credentials, context, async () => answer())
  await expect(client.getMe()).rejects.toThrow('enough')
  expect(messages).toHaveLength(1)
  return messages[0]!
}

const refused = (status: number, body: string) => () =>
  new Response(body, { status, headers: { 'retry-after': '5', 'x-request-id': 'r1' } })
const ours = (code: string, message: string) => JSON.stringify({ error: { code, message } })

describe('the first wait after a failure says why', () => {
  it.each([
    [503, ours('unavailable', 'the data cannot be reached'), 'the data cannot be reached'],
    [500, ours('internal_error', 'something failed'), 'something failed (request r1)'],
    [502, '<html>', 'the service could not be reached'],
  ])('%i with %s', async (status, body, reason) => {
    expect(await firstWait(refused(status, body))).toBe(`waiting 5 s: ${reason}`)
  })
})

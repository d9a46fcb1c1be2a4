import { inspect } from 'node:util'
import { expect, test, vi } from 'vitest'
import { CALLBACK } from '../standin/running.ts'
import { oddPlatform } from './odd-platform.ts'
import { rating, errorOf } from './platform-house.ts'

const SECRETS = ['shh', 'app-token', 'the-code', 'Bearer']

/** A platform that repeats to the caller all that it was told, as some error pages do. */
const repeating = (status: number) =>
  oddPlatform((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const echoed = { error: [request.headers, Buffer.concat(chunks).toString()] }
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(echoed))
    })
  })

const everythingOf = (error: Error): string =>
  [inspect(error, { depth: null, showHidden: true }), error.stack, JSON.stringify(error)].join()

test.each([400, 401, 403, 422, 429, 500])(
  'no error holds a secret, a token or a code when the platform answers %i',
  async (status) => {
    const { platform, budget, clock } = await repeating(status)
    const errors = [
      await errorOf(platform.readBeatmaps([1], 'background')),
      // The account may be one that nobody may use.
      await platform.readPlayer('the-code', CALLBACK).catch((error: Error) => error),
    ].filter((outcome) => outcome instanceof Error)
    for (const error of errors) {
      for (const secret of SECRETS) expect(everythingOf(error)).not.toContain(secret)
    }
    const report = JSON.stringify(await budget.report(clock.now()))
    for (const secret of SECRETS) expect(report).not.toContain(secret)
  },
)

test('nor when the connection breaks, or the token is refused', async () => {
  const broken = await oddPlatform((request) => {
    request.socket.destroy()
  })
  const refused = await oddPlatform(() => undefined, { error: 'app-token shh the-code' })
  const errors = [
    await errorOf(broken.platform.readRating(rating(1), 'background')),
    await errorOf(refused.platform.readRating(rating(1), 'background')),
    await errorOf(refused.platform.readPlayer('the-code', CALLBACK)),
  ]
  for (const error of errors) {
    for (const secret of SECRETS) expect(everythingOf(error)).not.toContain(secret)
  }
})

test('the adapter itself tells nothing, and writes no line', async () => {
  const spies = [
    vi.spyOn(process.stdout, 'write').mockReturnValue(true),
    vi.spyOn(process.stderr, 'write').mockReturnValue(true),
  ]
  const { platform } = await repeating(500)
  await errorOf(platform.readBeatmaps([1], 'background'))
  const written = spies.map((spy) => spy.mock.calls.length)
  for (const spy of spies) spy.mockRestore()
  expect(written).toEqual([0, 0])
  expect(inspect(platform, { depth: null, showHidden: true })).not.toContain('shh')
})

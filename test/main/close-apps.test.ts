import { fastify } from 'fastify'
import { expect, test } from 'vitest'
import { drain } from '../../src/main/drain.ts'

test('what takes too long is cut, so that a shutdown always ends', async () => {
  const app = fastify()
  let begun = () => {}
  const isBegun = new Promise<void>((resolve) => (begun = resolve))
  app.get('/', () => {
    begun()
    return new Promise(() => {})
  })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const isCut = expect(fetch(url)).rejects.toThrow('fetch failed')
  await isBegun
  await drain([app], 100)
  await isCut
})

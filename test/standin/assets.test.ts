import { expect, test } from 'vitest'
import { startStandin, tokenOf } from './running.ts'

const load = async (url: string) => {
  const response = await fetch(url)
  const { status, headers } = response
  return { status, type: headers.get('content-type'), text: await response.text() }
}

test('rows and players can point at pictures of the stand-in', async () => {
  const standin = await startStandin({ assetsUrl: 'http://127.0.0.1:8082/assets' })
  const token = await tokenOf(standin, 7001)
  const rows = await standin.get('/api/v2/beatmaps?ids[]=129891', token)
  expect(rows.body).toMatchObject({
    beatmaps: [
      {
        beatmapset: {
          covers: { card: 'http://127.0.0.1:8082/assets/beatmaps/39804/covers/card.jpg' },
        },
      },
    ],
  })
  const me = await standin.get('/api/v2/me', token)
  expect(me.body).toMatchObject({ avatar_url: 'http://127.0.0.1:8082/assets/avatars/7001' })
})

test('each set has a picture of its own, the same each time', async () => {
  const { url } = await startStandin()
  const address = (set: number, file: string) => `${url}/assets/beatmaps/${set}/covers/${file}`
  const card = await load(address(39804, 'card.jpg'))
  expect(card).toMatchObject({ status: 200, type: 'image/svg+xml' })
  expect(card.text).toContain('width="400" height="140"')
  expect(await load(address(39804, 'card.jpg'))).toEqual(card)
  expect((await load(address(39805, 'card.jpg'))).text).not.toBe(card.text)
  expect((await load(address(39804, 'card@2x.jpg'))).text).toContain('width="800" height="280"')
  expect((await load(address(39804, 'poster.jpg'))).status).toBe(404)
  expect((await load(`${url}/assets/avatars/7001`)).type).toBe('image/svg+xml')
})

test('what the platform does not have is 404', async () => {
  const standin = await startStandin()
  const { status, body } = await standin.get('/api/v2/scores')
  expect([status, body]).toEqual([404, { error: 'The route api/v2/scores could not be found.' }])
})

import { expect, it } from 'vitest'
import { expectError } from '../support/door.ts'
import type { House } from '../support/house.ts'
import { aChange, newScene, type Scene } from './tournament-scene.ts'

/** Tests of `?as=public`, of what is at a path of a scene. */
export const asPublicOf = (house: House, pathOf: (scene: Scene) => string) => ({
  shows() {
    it('is for the staff what everybody reads, byte for byte and with its tag', async () => {
      const scene = await newScene(house, { visibility: 'public' })
      const path = pathOf(scene)
      const stranger = await house.host('pools')
      await scene.release()
      await scene.host.ask('PATCH', `${scene.roundPath}/slots`, { body: aChange })
      const outside = await stranger.get(path)
      for (const who of [scene.host, await scene.staff('referee'), stranger]) {
        const seen = await who.get(`${path}?as=public`)
        expect([seen.status, seen.text]).toEqual([200, outside.text])
        expect(seen.headers.get('etag')).toBe(outside.headers.get('etag'))
      }
      expect((await scene.host.get(path)).text).not.toBe(outside.text)
    })

    it('is nothing of what strangers do not see', async () => {
      const scene = await newScene(house)
      await scene.release()
      expectError(await scene.host.get(`${pathOf(scene)}?as=public`), 'not_found')
    })
  },
  refuses() {
    it('as whom it is read', async () => {
      const scene = await newScene(house)
      for (const wrong of ['host', '', 'PUBLIC']) {
        expectError(await scene.host.get(`${pathOf(scene)}?as=${wrong}`), 'bad_request')
      }
    })
  },
})

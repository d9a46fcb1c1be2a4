import { expect } from 'vitest'
import type { Host, House } from '../support/house.ts'
import type { Scene } from './tournament-scene.ts'

export const deleteRound = async (
  house: House,
  scene: Scene,
  by: Host = scene.host,
  path = scene.roundPath,
) => {
  house.clock.advance(1000)
  const headers = await scene.as(path)
  expect((await by.ask('DELETE', path, { headers })).status).toBe(204)
}
export const restorePath = ({ path, id }: Scene) => `${path}/deleted-rounds/${id}/restore`
export const deletedOf = async ({ host, path }: Scene) =>
  (await host.get(`${path}/deleted-rounds`)).json.rounds

import { afterAll, describe, expect, it } from 'vitest'
import { DISCORD_URL_EXAMPLE } from '../../src/contract/announcements.ts'
import { SECRET_TOKEN } from '../support/chat-scene.ts'
import { expectError, type Reply } from '../support/door.ts'
import { openHouse } from '../support/house.ts'
import { newScene, type Scene } from './tournament-scene.ts'

const house = await openHouse({ settings: { sendsToDiscord: true } })
const closed = await openHouse()
afterAll(async () => {
  await house.close()
  await closed.close()
})

const patch = ({ host, path }: Scene, discordUrl: unknown): Promise<Reply> =>
  host.ask('PATCH', path, { body: { discordUrl } })

describe('discordUrl of PATCH /tournaments/{slug}', () => {
  it('is set by a host, and read back as discord: true, by hosts alone', async () => {
    const scene = await newScene(house)
    const before = (await scene.host.get(scene.path)).json.tournament
    const reply = await patch(scene, `  ${DISCORD_URL_EXAMPLE}\n`.trim())
    expect(reply.status).toBe(200)
    const { updatedAt } = reply.json.tournament
    expect(updatedAt > before.updatedAt).toBe(true)
    expect(reply.json.tournament).toEqual({ ...before, discord: true, updatedAt })
    await scene.publish()
    for (const role of ['pooler', 'tester', 'referee'] as const) {
      const member = await scene.staff(role)
      const seen = (await member.get(scene.path)).json.tournament
      expect(Object.keys(seen)).not.toContain('discord')
    }
    house.clock.nextMinute()
    const stranger = await house.host('pools')
    const seen = (await stranger.get(scene.path)).json.tournament
    expect(Object.keys(seen)).not.toContain('discord')
    const { tournaments } = (await scene.host.get('/me/tournaments')).json
    expect(tournaments[0]).toMatchObject({ discord: true })
  })

  it('that is set again changes nothing, and null removes it (D-86)', async () => {
    const scene = await newScene(house)
    const set = await patch(scene, DISCORD_URL_EXAMPLE)
    const again = await patch(scene, DISCORD_URL_EXAMPLE.replace('discord.com', 'discordapp.com'))
    expect(again.text).toBe(set.text)
    const other = await patch(scene, `${DISCORD_URL_EXAMPLE}?thread_id=998877665544332211`)
    expect(other.json.tournament.updatedAt > set.json.tournament.updatedAt).toBe(true)
    const removed = await patch(scene, null)
    expect(removed.json.tournament).not.toHaveProperty('discord')
    expect((await patch(scene, null)).text).toBe(removed.text)
  })

  it.each([
    'https://evil.test/api/webhooks/112233445566778899/',
    'http://discord.com/api/webhooks/112233445566778899/',
    'https://discord.com.evil.test/api/webhooks/112233445566778899/',
    'https://discord.com@127.0.0.1/api/webhooks/112233445566778899/',
    'https://127.0.0.1/api/webhooks/112233445566778899/',
    'https://discord.com/api/webhooks/x/',
  ])('that begins with %s is refused, and the refusal does not repeat it', async (start) => {
    const scene = await newScene(house)
    const reply = await patch(scene, start + SECRET_TOKEN)
    expectError(reply, 'bad_request', /^discordUrl must be of the form https:\/\/discord\.com/)
    // What is said of the form has the example in it, which is the token that was sent.
    const other = await patch(scene, start + 'q'.repeat(68))
    expect(other.text).not.toContain('qqq')
  })

  it('is a conflict where the operator has not allowed it; null is none (D-98)', async () => {
    const scene = await newScene(closed)
    const before = await scene.read()
    expectError(await patch(scene, DISCORD_URL_EXAMPLE), 'conflict', /sends nothing to Discord/)
    expect(await scene.read()).toBe(before)
    expect((await patch(scene, null)).status).toBe(200)
    const stranger = await closed.host('pools')
    const hidden = await patch({ ...scene, host: stranger }, DISCORD_URL_EXAMPLE)
    expectError(hidden, 'not_found', /./)
    const referee = await scene.staff('referee')
    const refused = await patch({ ...scene, host: referee }, DISCORD_URL_EXAMPLE)
    expect(refused.status).toBe(403)
  })

  it('of POST /tournaments is ignored, and a copy has none', async () => {
    const scene = await newScene(house)
    await patch(scene, DISCORD_URL_EXAMPLE)
    const body = { name: 'Copy', from: scene.slug, discordUrl: DISCORD_URL_EXAMPLE }
    const copy = await scene.host.ask('POST', '/tournaments', { body })
    expect(copy.status).toBe(201)
    expect(copy.headers.get('x-ignored-fields')).toBe('discordUrl')
    expect(copy.json.tournament).not.toHaveProperty('discord')
    // Whatever it is, as any other field that is unknown.
    for (const discordUrl of ['nonsense', '', 5, null, ['x']]) {
      const made = await scene.host.ask('POST', '/tournaments', { body: { ...body, discordUrl } })
      expect(made.status).toBe(201)
      expect(made.headers.get('x-ignored-fields')).toBe('discordUrl')
    }
  })

  it('is in no answer of the API', async () => {
    const scene = await newScene(house)
    await patch(scene, DISCORD_URL_EXAMPLE)
    await scene.publish()
    await scene.release()
    const pooler = await scene.staff('pooler')
    const paths = [
      scene.path,
      `${scene.path}?as=public`,
      scene.roundPath,
      `${scene.roundPath}/history`,
      `${scene.roundPath}/history/1`,
      `${scene.path}/staff`,
      `${scene.path}/checks`,
      `${scene.path}/deleted-rounds`,
      '/tournaments',
      '/me/tournaments',
      '/changes',
      '/openapi.json',
    ]
    const secret = await patch(scene, DISCORD_URL_EXAMPLE.replace(/token/g, 'kneot'))
    expect(secret.text).not.toContain('kneot')
    for (const path of paths) {
      for (const who of [scene.host, pooler]) {
        house.clock.nextMinute()
        const reply = await who.get(path)
        expect([path, reply.text.includes('kneot')]).toEqual([path, false])
      }
    }
  })
})

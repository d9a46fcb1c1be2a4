import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { ChatAddress } from '../src/domain/chat-address.ts'
import { newSlug } from '../src/domain/keys.ts'
import { systemClock, systemRandom } from '../src/adapters/system.ts'
import { createStandin } from '../src/standin/create-standin.ts'
import { aBeatmap } from '../test/support/a-beatmap.ts'
import { aRound, someFacts } from '../test/ports/sample-tournament.ts'
import type { ReleaseGround } from './release-grounds.ts'

/** Tournaments of each cycle, and their rounds: all are due at about one moment. */
const TOURNAMENTS = 3
const ROUNDS = 4
/** From when a server is expected to be ready until that moment. */
const AHEAD_MS = 150
/** Within it the rounds become due. */
const SPREAD_MS = 100
/** The kill comes within so much after the first is due. */
const KILL_WITHIN_MS = 1_500
/** So long the chat takes for an answer, at most, ms. */
const CHAT_DELAY_MS = 20
/** A lease, and so much as a busy machine may take for what is still to be sent. */
const PATIENCE_MS = 180_000
/** All rounds have these beatmaps, whose names are known. */
const BEATMAPS = [75, 76]

/** What the kills met. */
export type AnnouncementCount = {
  readonly kills: number
  /** Kills while something was released and not yet known to be sent. */
  readonly interrupted: number
  readonly released: number
  /** Announcements that a channel has, whatever their copies. */
  readonly told: number
  /** Releases that no channel has. */
  readonly lost: number
  /** Copies beyond the first; each has the id of the one before it. */
  readonly doubled: number
  /** Channels in which announcements stand in another order than that of the releases. */
  readonly unordered: number
}

/** Plays Discord for the servers. */
export const openChat = async () => {
  const app = createStandin({ clock: () => systemClock.now() })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const control = async (method: string, body?: object) => {
    const answer = await fetch(`${url}/standin/chat`, {
      method,
      ...(body && {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    })
    return answer.status === 204 ? null : ((await answer.json()) as { messages: Told[] })
  }
  return {
    env: { DISCORD: 'on', DISCORD_URL: url },
    behave: (input: object) => control('POST', input),
    messages: async () => (await control('GET'))?.messages ?? [],
    close: () => app.close(),
  }
}

type OpenChat = Awaited<ReturnType<typeof openChat>>

type Told = {
  readonly webhook: string
  readonly body: { readonly embeds: readonly { readonly footer: { readonly text: string } }[] }
}

const idOf = ({ body }: Told): string =>
  / · ([\w-]{10})/.exec(body.embeds[0]?.footer.text ?? '')?.[1] ?? ''

type Row = Readonly<Record<string, unknown>>

/** Kills a server with SIGKILL between releases and what is told of them, again and again over one store. */
export const announcementCycles = async (
  ground: ReleaseGround,
  chat: OpenChat,
  kills: number,
  onCycle: (count: AnnouncementCount) => void = () => {},
): Promise<AnnouncementCount> => {
  /** The webhook of each tournament. */
  const webhooks = new Map<string, string>()
  const count = {
    kills: 0,
    interrupted: 0,
    released: 0,
    told: 0,
    lost: 0,
    doubled: 0,
    unordered: 0,
  }
  /** How long a server takes until it is ready. */
  let startMs = 500

  const plan = async (): Promise<number> => {
    const dueAt = Math.round(Date.now() + startMs + AHEAD_MS)
    await ground.withStores(async ({ tournaments }) => {
      for (let made = 0; made < TOURNAMENTS; made += 1) {
        const slug = newSlug(systemRandom)
        const id = String(10n ** 17n + BigInt(webhooks.size))
        const token = slug.repeat(7).slice(0, 68)
        const address = ChatAddress.parse(`https://discord.com/api/webhooks/${id}/${token}`)
        if (address === null) throw new Error('the address is not one')
        const rounds = Array.from({ length: ROUNDS }, (_, at) =>
          aRound({
            name: `Round ${at + 1}`,
            slots: BEATMAPS.map((beatmapId, place) => ({ mod: 'NM', index: place + 1, beatmapId })),
            releaseAt: dueAt + randomInt(SPREAD_MS),
          }),
        )
        const host = ground.hosts[webhooks.size % ground.hosts.length]!
        const facts = { ...someFacts, discord: { address, off: null }, slug, createdAt: 0 }
        await tournaments.create(facts, host.accountId, Infinity)
        await tournaments.change(slug, null, Infinity, 0, (saved) => ({ ...saved, rounds }))
        webhooks.set(slug, `${id}/${token}`)
      }
    })
    return dueAt
  }

  const start = async () => {
    const begun = Date.now()
    const service = await ground.startService()
    startMs = (startMs + Date.now() - begun) / 2
    return service
  }

  const waiting = async (): Promise<number> => {
    const [row] = await ground.query(WAITING)
    return Number(row?.['waiting'])
  }

  const killOnce = async (): Promise<void> => {
    const dueAt = await plan()
    const { child } = await start()
    await pause(Math.max(0, dueAt - Date.now()) + randomInt(KILL_WITHIN_MS))
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
    count.kills += 1
    if ((await waiting()) > 0) count.interrupted += 1
  }

  await ground.withStores(async ({ beatmapCache }) => {
    const found = BEATMAPS.map((id) => aBeatmap(id))
    await beatmapCache.keepBeatmaps(found, [], Date.now())
  })
  await ground.query('update beatmap set is_public = 1')
  await chat.behave({ delay: CHAT_DELAY_MS })
  for (let cycle = 0; cycle < kills; cycle += 1) {
    await killOnce()
    onCycle(count)
  }
  const { child } = await start()
  for (let waited = 0; waited < PATIENCE_MS; waited += 500) {
    const [row] = await ground.query(UNRELEASED)
    if (Number(row?.['rounds']) === 0 && (await waiting()) === 0) break
    await pause(500)
  }
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone

  const announced = Map.groupBy(await ground.query(ANNOUNCED), ({ tournament }) =>
    String(tournament),
  )
  const told = Map.groupBy(await chat.messages(), ({ webhook }) => webhook)
  const released = Map.groupBy(await ground.query(RELEASED), ({ tournament }) => String(tournament))
  for (const [slug, webhook] of webhooks) {
    const wanted = (announced.get(slug) ?? []).map(({ name }) => String(name))
    const ids = (told.get(webhook) ?? []).map(idOf)
    const first = [...new Set(ids)]
    const rounds = new Set((announced.get(slug) ?? []).map((row: Row) => row['round_id']))
    count.released += (released.get(slug) ?? []).length
    count.told += first.length
    count.doubled += ids.length - first.length
    count.lost += wanted.filter((id) => !first.includes(id)).length + (ROUNDS - rounds.size)
    const isInOrder = ids.filter((id, at) => id !== ids[at - 1]).join() === wanted.join()
    if (!isInOrder) count.unordered += 1
  }
  return count
}

const WAITING = `select count(*) as waiting from tournament_message where state = 'waiting'`
const UNRELEASED = `select count(*) as rounds from tournament_round where release_at is not null`
const RELEASED = `select tournament, id from tournament_round where pack_slug is not null`
const ANNOUNCED = `select tournament, name, round_id from tournament_message order by id`

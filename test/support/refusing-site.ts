import { vi } from 'vitest'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import type { serviceNames } from '../../src/contract/services.ts'
import { sessionEndpointsOf } from '../../src/contract/session-api.ts'
import type * as failures from '../../src/web/site-failure.ts'
import { aPack } from './samples.ts'
import { openSiteHouse } from './site-house.ts'

type Failures = typeof failures
export type Texts = Readonly<Record<string, string>>
type ServiceName = (typeof serviceNames)[number]

const sections = ['common', 'fields', 'input-names', 'inputs', 'language', 'refusals', 'remedies']

/** What pages of this language load when a call fails. */
export async function speak(language: string): Promise<Failures> {
  vi.resetModules()
  for (const section of sections) {
    vi.doMock(`#texts/${section}`, () => import(`../../build/texts/${language}/${section}.js`))
  }
  const inLanguage = await import('../../src/web/site-failure.ts')
  // While its texts are those of this language.
  await import('../../src/web/refused-input.ts')
  return inLanguage
}

/** The endpoint of a page's call, and which site it is of. */
export function endpointOf(name: string): { service: ServiceName; endpoint: Endpoint } {
  const service = name in sessionEndpointsOf.packs ? 'packs' : 'pools'
  return { service, endpoint: sessionEndpointsOf[service][name]! }
}

/** A moderator with a pack, and a tournament with a round and a remark, before both sites. */
export async function openRefusingSite() {
  const house = await openSiteHouse({ sendsToDiscord: true })
  const pages = { packs: await house.signedIn(7001), pools: await house.signedIn(7001, 'pools') }
  await house.ports.accounts.setModerator(7001, true, 0)
  const made = async (path: string, body: object) => {
    const reply = await pages.pools.ask('POST', path, body)
    if (reply.status !== 201) throw new Error(`${reply.status} ${reply.text}`)
    return reply.json
  }
  const pack = await house.save(pages.packs, aPack())
  const { packKey } = (await pages.packs.ask('GET', `/session/packs/${pack}`)).json.pack
  const { slug } = (await made('/session/tournaments', { name: 'Harbour Lights Cup' })).tournament
  const path = `/session/tournaments/${slug}`
  const slots = [{ mod: 'NM', index: 1, beatmapId: 75 }]
  const round: string = (await made(`${path}/rounds`, { name: 'Finals', slots })).round.id
  const { id } = (await made(`${path}/rounds/${round}/remarks`, { text: 'Long.' })).remark
  const names: Readonly<Record<string, string>> = { round, id, gameId: '7002', version: '1' }

  /** What a page says of a refusal; null where the site takes what is sent. */
  const told = async ({ request }: Failures, name: string, sent: object, of?: ServiceName) => {
    house.clock.nextMinute()
    const { service = of!, endpoint } = of
      ? { endpoint: sessionEndpointsOf[of][name]! }
      : endpointOf(name)
    const { method, conditional } = endpoint
    const at = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, each: string) =>
      each === 'slug' ? { packs: pack, pools: slug }[service] : names[each]!,
    )
    const isQuery = endpoint.query !== undefined
    const query = isQuery ? `?${new URLSearchParams(sent as Texts).toString()}` : ''
    const tag: Record<string, string> = conditional ? { 'if-match': '*' } : {}
    const body = isQuery ? undefined : sent
    const reply = await pages[service].ask(method, at + query, body, tag)
    if (reply.status < 300) return null
    vi.stubGlobal('fetch', async () => new Response(reply.text, reply))
    try {
      const init = { method, ...(body !== undefined && { body: JSON.stringify(body) }) }
      const error = (await request(at, init).catch(
        (failure: unknown) => failure,
      )) as failures.CallFailure
      return { status: reply.status, error, english: reply.json.error.message as string }
    } finally {
      vi.unstubAllGlobals()
    }
  }

  const close = async (): Promise<void> => {
    for (const section of sections) vi.doUnmock(`#texts/${section}`)
    vi.resetModules()
    await house.close()
  }
  return { house, packKey: packKey as string, told, close }
}

export type RefusingSite = Awaited<ReturnType<typeof openRefusingSite>>

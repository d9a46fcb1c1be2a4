import type { FastifyInstance } from 'fastify'
import type { Language } from '#texts/languages'
import { MAX_BEATMAP_ID } from '../../contract/bounds.ts'
import { refusal } from '../../contract/errors.ts'
import type { BeatmapPage, OwnerPage } from '../../contract/page-data.ts'
import { pageIn } from '../../domain/reading/requests.ts'
import { readBeatmapPage } from '../../operations/beatmap-page.ts'
import { readOwnerPage } from '../../operations/owner-page.ts'
import { isolate } from '../../pool/text.ts'
import type { SiteContext } from '../site-context.ts'
import { ownerIn, type SiteTexts } from '../language.ts'
import type { PageHead } from './html.ts'
import { homeward, type Notice } from './notice-html.ts'
import { answer, sendNotFound, sendPage } from './send-page.ts'
import { beatmapData, ownerData } from './structured-data.ts'

/** Adds the pages of beatmaps and of owners: what is on them is looked up each time (D-66). */
export function addFoundPages(app: FastifyInstance, context: SiteContext): void {
  const { ports, settings } = context
  const { poolsOwnerName } = settings

  app.get('/maps/:id', (request, reply): void => {
    const { id } = request.params as { id: string }
    const page = pageIn(request.query)
    const beatmapId = /^[1-9][0-9]{0,9}$/.test(id) && Number(id) <= MAX_BEATMAP_ID ? Number(id) : 0
    if (beatmapId === 0) throw refusal('nothingAtPath')
    answer(reply, readBeatmapPage(ports, beatmapId, page, poolsOwnerName), (map) => {
      if (map === null) return sendNotFound(context, reply, notPooled(beatmapId))
      const make = (texts: SiteTexts, language: Language) => ({
        head: beatmapHead(map, settings.siteUrl, texts, language),
        map,
        ...addressOf(`/maps/${id}`, page),
      })
      const [key, shows] = [`map ${id} ${page}`, [JSON.stringify(map)]]
      return sendPage(context, reply, { name: 'map', key, shows, make })
    })
  })

  app.get('/u/:username', (request, reply): void => {
    const { username } = request.params as { username: string }
    const page = pageIn(request.query)
    const read = async (): Promise<OwnerPage> => {
      const owner = await readOwnerPage(ports, username, page, poolsOwnerName)
      if (owner === null) throw refusal('nothingAtPath')
      return owner
    }
    answer(reply, read(), (owner) => {
      const path = `/u/${encodeURIComponent(owner.name)}`
      if (owner.name !== username) {
        return reply.header('cache-control', 'private, no-store').redirect(path)
      }
      const make = (texts: SiteTexts, language: Language) => ({
        head: ownerHead(owner, settings.siteUrl + path, texts, language),
        owner,
        ...addressOf(path, page),
      })
      const [key, shows] = [`owner ${owner.name} ${page}`, [JSON.stringify(owner)]]
      return sendPage(context, reply, { name: 'owner', key, shows, make })
    })
  })
}

/** The same whether no pack has the beatmap or only drafts and private packs do (D-74). */
const notPooled =
  (id: number) =>
  (texts: SiteTexts): Notice => ({
    title: texts.notPooled,
    text: texts.notPooledText({ id: String(id) }),
    ways: [
      { label: texts.onPlatform, href: `https://osu.ppy.sh/beatmaps/${id}` },
      { label: texts.browsePacks, href: '/packs' },
      homeward(texts),
    ],
  })

const addressOf = (path: string, page: number) => ({
  address: page === 1 ? path : `${path}?page=${page}`,
})

function beatmapHead(
  map: BeatmapPage,
  siteUrl: string,
  texts: SiteTexts,
  language: Language,
): PageHead {
  const { id, details, usage } = map
  const url = `${siteUrl}/maps/${id}`
  const isKnown = details !== null && details !== 'gone'
  const title = isKnown
    ? `${isolate(details.artist)} – ${isolate(details.title)} [${isolate(details.difficulty)}]`
    : texts.beatmapTitle({ id: String(id) })
  return {
    title,
    description: texts.pooledTimes({ n: usage.total }),
    url,
    structured: [beatmapData(map, url, siteUrl, language)],
  }
}

function ownerHead(
  { name, total, tournaments }: OwnerPage,
  url: string,
  texts: SiteTexts,
  language: Language,
): PageHead {
  const owner = isolate(ownerIn(texts, name))
  const description =
    tournaments.length === 0
      ? texts.ownerPacks({ packs: total, owner })
      : texts.ownerPacksAndTournaments({
          packs: texts.publicPacks({ n: total }),
          tournaments: texts.tournamentCount({ n: tournaments.length }),
          owner,
        })
  return {
    title: owner,
    description,
    url,
    structured: [ownerData(ownerIn(texts, name), url, language)],
  }
}

import { hash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { MINUTE_MS } from '../../contract/quotas.ts'
import { isSlug } from '../../domain/keys.ts'
import { mayRead, type SavedPack } from '../../domain/packs.ts'
import { matchesTag } from '../../domain/reading/requests.ts'
import { presentPublic, releasedPlays } from '../../domain/tournament-views.ts'
import { charge } from '../../door/sessions.ts'
import { knownSlotsOf, readSlotStars } from '../../operations/beatmap-look.ts'
import { roundsOfPacks } from '../../operations/tournament-pages.ts'
import { slotMods } from '../../pool/slots.ts'
import { askedLanguage, askedTexts } from '../language.ts'
import { sendNotFound } from '../pages/send-page.ts'
import { answerCharged } from '../refusals.ts'
import type { SiteContext, TaggedPicture } from '../site-context.ts'
import { type PoolScene, poolSceneOf } from './pool-scene.ts'
import type { PictureJob } from './render-thread.ts'
import { creditOf, sceneOf } from './scene.ts'

/** What a picture is made from, and how it is put together. */
type Source = {
  /** The picture is put together again where one of these is another. */
  readonly shows: readonly unknown[]
  readonly make: () => PictureJob | Promise<PictureJob>
}

/** Adds `/p/{slug}/preview.png`, the picture that chat programs show of a pack, and `/p/{slug}/pool.png`, its table. */
export function addPackPictures(app: FastifyInstance, context: SiteContext): void {
  const { ports, settings } = context
  const { poolsOwnerName } = settings
  const knownOf = knownSlotsOf<SavedPack>(ports, slotMods)
  const roundOf = roundsOfPacks(ports)

  async function findPack(request: FastifyRequest): Promise<SavedPack | null> {
    const { slug } = request.params as { slug: string }
    const pack = isSlug(slug) ? await ports.packs.read(slug) : null
    // Not even for the owner: a picture shows only what everyone may see.
    return pack !== null && mayRead(pack, '') ? pack : null
  }

  addPicture(app, context, '/p/:slug/preview.png', async (request) => {
    const pack = await findPack(request)
    if (pack === null) return null
    const round = await roundOf(pack)
    const texts = askedTexts(context, request)
    return {
      // The stars of beatmaps can become known while the pack stays as it is.
      shows: [pack, round, texts, Math.floor(ports.clock.now() / MINUTE_MS)],
      make: async () => {
        const stars = await readSlotStars(ports, pack)
        return { kind: 'pack', scene: sceneOf(pack, stars, poolsOwnerName, round, texts) }
      },
    }
  })
  addPicture(app, context, '/p/:slug/pool.png', async (request) => {
    const pack = await findPack(request)
    if (pack === null) return null
    const [beatmaps, round] = [await knownOf(pack), await roundOf(pack)]
    const scale = scaleIn(request)
    const texts = askedTexts(context, request)
    const line = creditOf(pack, round, poolsOwnerName, texts)
    const make = () => poolJob(pack, beatmaps, { name: pack.name, line, scale }, texts)
    return { shows: [pack, beatmaps, round, scale, texts], make }
  })
}

/** Adds `/t/{slug}/{round}/pool.png`: a released round as a table, with its slots that have no beatmap yet. */
export function addRoundPicture(app: FastifyInstance, context: SiteContext): void {
  const { ports } = context
  const knownOf = knownSlotsOf(ports, releasedPlays)

  addPicture(app, context, '/t/:slug/:round/pool.png', async (request) => {
    const { slug, round: id } = request.params as { slug: string; round: string }
    const saved = isSlug(slug) ? await ports.tournaments.read(slug) : null
    const shown = saved && presentPublic(saved)
    const round = shown?.rounds.find((each) => each.id === id)
    if (saved === null || !shown || round === undefined) return null
    const beatmaps = await knownOf(saved)
    const scale = scaleIn(request)
    const texts = askedTexts(context, request)
    const make = () =>
      poolJob(round, beatmaps, { name: round.name, line: shown.name, scale }, texts)
    return { shows: [saved, beatmaps, scale, texts], make }
  })
}

const poolJob = (...args: Parameters<typeof poolSceneOf>): PictureJob => ({
  kind: 'pool',
  scene: poolSceneOf(...args),
})

/** `?scale=2` is for screens with small pixels; anything else is 1. */
const scaleIn = ({ query }: FastifyRequest): PoolScene['scale'] =>
  (query as { scale?: unknown }).scale === '2' ? 2 : 1

/** @param find null where everybody finds nothing. */
function addPicture(
  app: FastifyInstance,
  context: SiteContext,
  path: string,
  find: (request: FastifyRequest) => Promise<Source | null>,
): void {
  const { pictures, renderer, scenes } = context
  const { name, logo } = context.settings.installation

  async function tagged(key: string, { shows, make }: Source): Promise<TaggedPicture> {
    const cached = scenes.get(key, shows)
    if (cached !== undefined) return cached
    const job = await make()
    const shown = JSON.stringify([job, name, logo?.path])
    return scenes.set(key, shows, { job, tag: hash('sha1', shown, 'base64url') })
  }

  async function show(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const source = await find(request)
    if (source === null) return sendNotFound(context, reply)
    const language = askedLanguage(context, request)
    const key = [path, ...Object.values(request.params as object), scaleIn(request), language].join(
      ' ',
    )
    const { job, tag } = await tagged(key, source)
    const etag = `"${tag}"`
    // It is made to be shown on other sites.
    void reply.header('cross-origin-resource-policy', 'cross-origin')
    void reply.header('cache-control', 'public, no-cache')
    void reply.header('content-language', language)
    if (matchesTag(request.headers['if-none-match'], etag)) {
      return reply.code(304).header('etag', etag).send()
    }
    const png = await pictures.find(tag, () => {
      if (renderer.isFull) return null
      charge(context, request, 'drawing')
      return renderer.draw(job)
    })
    if (png !== null) return reply.headers({ etag, 'content-type': 'image/png' }).send(png)
    void reply
      .code(503)
      .headers({ 'retry-after': '5', 'content-type': 'text/plain; charset=utf-8' })
    return reply.send('Too many requests for pictures. Try again in a few seconds.\n')
  }

  app.get(path, (request, reply) =>
    answerCharged(context, reply, 'picture', () => show(request, reply)),
  )
}

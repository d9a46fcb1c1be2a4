import { hash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { MINUTE_MS } from '../../contract/quotas.ts'
import { isSlug } from '../../domain/keys.ts'
import { mayRead, type SavedPack } from '../../domain/packs.ts'
import { matchesTag } from '../../domain/reading/requests.ts'
import { charge } from '../../door/sessions.ts'
import { readSlotStars } from '../../operations/beatmaps.ts'
import { sendNotFound } from '../pages/send-page.ts'
import { answerCharged } from '../refusals.ts'
import type { SiteContext, TaggedScene } from '../site-context.ts'
import { sceneOf } from './scene.ts'

/** Adds `/p/{slug}/preview.png`, the picture that chat programs show of a pack. */
export function addPreview(app: FastifyInstance, context: SiteContext): void {
  const { ports, settings, pictures, renderer, scenes } = context

  async function sceneFor(pack: SavedPack): Promise<TaggedScene> {
    // The stars of beatmaps can become known while the pack stays as it is.
    const shows = [pack, Math.floor(ports.clock.now() / MINUTE_MS)]
    const cached = scenes.get(pack.slug, shows)
    if (cached !== undefined) return cached
    const scene = sceneOf(pack, await readSlotStars(ports, pack), settings.poolsOwnerName)
    const tag = hash('sha1', JSON.stringify(scene), 'base64url')
    return scenes.set(pack.slug, shows, { scene, tag })
  }

  async function show(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { slug } = request.params as { slug: string }
    const pack = isSlug(slug) ? await ports.packs.read(slug) : null
    // Not even for the owner: the picture shows only what everyone may see.
    if (pack === null || !mayRead(pack, '')) return sendNotFound(context, reply)
    const { scene, tag } = await sceneFor(pack)
    const etag = `"${tag}"`
    // It is made to be shown on other sites.
    void reply.header('cross-origin-resource-policy', 'cross-origin')
    void reply.header('cache-control', 'public, no-cache')
    if (matchesTag(request.headers['if-none-match'], etag)) {
      return reply.code(304).header('etag', etag).send()
    }
    const png = await pictures.find(tag, () => {
      if (renderer.isFull) return null
      charge(context, request, 'drawing')
      return renderer.draw({ kind: 'pack', scene })
    })
    if (png !== null) return reply.headers({ etag, 'content-type': 'image/png' }).send(png)
    void reply
      .code(503)
      .headers({ 'retry-after': '5', 'content-type': 'text/plain; charset=utf-8' })
    return reply.send('Too many preview requests. Try again in a few seconds.\n')
  }

  app.get('/p/:slug/preview.png', (request, reply) =>
    answerCharged(context, reply, 'picture', () => show(request, reply)),
  )
}

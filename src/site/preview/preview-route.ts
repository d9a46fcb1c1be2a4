import { hash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { BoundedMap } from '../../domain/bounded-map.ts'
import { isSlug, mayRead } from '../../domain/packs.ts'
import { matchesTag } from '../../domain/reading/requests.ts'
import { SingleFlight } from '../../domain/single-flight.ts'
import { charge } from '../../door/sessions.ts'
import { readSlotStars } from '../../operations/beatmaps.ts'
import { sendNotFound } from '../pages/send-page.ts'
import { answerCharged } from '../shares.ts'
import type { SiteContext } from '../site-context.ts'
import { sceneOf } from './scene.ts'

/** Adds `/p/{slug}/preview.png`, the picture that chat programs show of a pack. */
export function addPreview(app: FastifyInstance, context: SiteContext): void {
  const { ports, settings, renderer } = context
  const cache = new PictureCache()

  async function show(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { slug } = request.params as { slug: string }
    const pack = isSlug(slug) ? await ports.packs.read(slug) : null
    // Not even for the owner: the picture shows only what everyone may see.
    if (pack === null || !mayRead(pack, '')) return sendNotFound(context, request, reply)
    const scene = sceneOf(pack, await readSlotStars(ports, pack), settings.poolsOwnerName)
    const tag = hash('sha1', JSON.stringify(scene), 'base64url')
    const etag = `"${tag}"`
    // It is made to be shown on other sites.
    void reply.header('cross-origin-resource-policy', 'cross-origin')
    void reply.header('cache-control', 'public, no-cache')
    if (matchesTag(request.headers['if-none-match'], etag)) {
      return reply.code(304).header('etag', etag).send()
    }
    const png = await cache.find(tag, () => {
      if (renderer.isFull) return null
      charge(context, request, 'drawing')
      return renderer.draw({ kind: 'pack', scene })
    })
    if (png !== null)
      return reply.header('etag', etag).header('content-type', 'image/png').send(png)
    void reply
      .code(503)
      .header('retry-after', '5')
      .header('content-type', 'text/plain; charset=utf-8')
    return reply.send('Too many preview requests. Try again in a few seconds.\n')
  }

  app.get('/p/:slug/preview.png', (request, reply) =>
    answerCharged(context, request, reply, 'picture', () => show(request, reply)),
  )
}

/** The bytes of all cached pictures; one has 50 to 100 KB. */
const MAX_BYTES = 16 * 1024 * 1024

/** The most recently used pictures by what they show. */
export class PictureCache {
  readonly #pictures = new BoundedMap<string, Buffer>({
    maxSize: MAX_BYTES,
    sizeOf: (png) => png.length,
  })
  readonly #drawing = new SingleFlight<Buffer | null>()

  /** The picture; otherwise the result of `draw`, which concurrent requests share. */
  find(tag: string, draw: () => Promise<Buffer> | null): Promise<Buffer | null> {
    const picture = this.#pictures.get(tag)
    if (picture !== undefined) return Promise.resolve(picture)
    return this.#drawing.run(tag, () => this.#keep(tag, draw()))
  }

  async #keep(tag: string, drawing: Promise<Buffer> | null): Promise<Buffer | null> {
    const png = await drawing
    if (png !== null) this.#pictures.set(tag, png)
    return png
  }
}

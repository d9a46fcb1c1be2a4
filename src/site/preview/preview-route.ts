import { hash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { BoundedMap } from '../../domain/bounded-map.ts'
import { isSlug, mayRead } from '../../domain/packs.ts'
import { matchesTag } from '../../domain/reading/requests.ts'
import { charge } from '../../door/sessions.ts'
import { readSlotStars } from '../../operations/beatmaps.ts'
import { sendNotFound } from '../pages/send-page.ts'
import { answerCharged } from '../shares.ts'
import type { SiteContext } from '../site-context.ts'
import { sceneOf } from './scene.ts'

/** Nobody's: a picture shows what is open to all, whoever asks for it. */
const NOBODY = ''

/** Adds `/p/{slug}/preview.png`, the picture that chat programs show of a pack. */
export function addPreview(app: FastifyInstance, context: SiteContext): void {
  const { ports, settings, renderer } = context
  const cache = new PictureCache()

  const show = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { slug } = request.params as { slug: string }
    const pack = isSlug(slug) ? await ports.packs.read(slug) : null
    if (pack === null || !mayRead(pack, NOBODY)) return sendNotFound(context, request, reply)
    const scene = sceneOf(pack, await readSlotStars(ports, pack), settings.poolsOwnerName)
    const tag = hash('sha1', JSON.stringify(scene), 'base64url')
    const etag = `"${tag}"`
    void reply.headers({
      'cache-control': 'public, no-cache',
      // It is made to be shown elsewhere.
      'cross-origin-resource-policy': 'cross-origin',
    })
    if (matchesTag(request.headers['if-none-match'], etag)) {
      return reply.code(304).header('etag', etag).send()
    }
    const png = await cache.find(tag, () => {
      if (renderer.isFull) return null
      charge(context, request, 'drawing')
      return renderer.draw({ kind: 'pack', scene })
    })
    if (png === null) {
      return reply
        .code(503)
        .header('retry-after', '5')
        .header('content-type', 'text/plain; charset=utf-8')
        .send('Too many preview requests. Try again in a few seconds.\n')
    }
    return reply.header('etag', etag).header('content-type', 'image/png').send(png)
  }

  app.get('/p/:slug/preview.png', (request, reply) =>
    answerCharged(context, request, reply, 'picture', () => show(request, reply)),
  )
}

/** Bytes of pictures that are kept; one is 50 to 100 KB. */
const MAX_BYTES = 16 * 1024 * 1024

/** Pictures by what they show, the most recently used ones; those that are being drawn are shared. */
export class PictureCache {
  readonly #drawn = new BoundedMap<string, Buffer>({
    maxSize: MAX_BYTES,
    sizeOf: (png) => png.length,
  })
  readonly #pending = new Map<string, Promise<Buffer>>()

  /** The picture; `draw` is called when there is none, and its null is passed on. */
  find(tag: string, draw: () => Promise<Buffer> | null): Promise<Buffer> | null {
    const drawn = this.#drawn.get(tag)
    if (drawn !== undefined) return Promise.resolve(drawn)
    return this.#pending.get(tag) ?? this.#wait(tag, draw())
  }

  #wait(tag: string, drawing: Promise<Buffer> | null): Promise<Buffer> | null {
    const pending =
      drawing
        ?.then((png) => {
          this.#drawn.set(tag, png)
          return png
        })
        .finally(() => this.#pending.delete(tag)) ?? null
    if (pending !== null) this.#pending.set(tag, pending)
    return pending
  }
}

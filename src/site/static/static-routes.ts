import { hash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { serviceNames } from '../../contract/services.ts'
import { matchesTag } from '../../domain/reading/requests.ts'
import type { SiteContext } from '../site-context.ts'
import { createSitemap, robotsText } from './crawlers.ts'
import { createDocuments } from './documents.ts'
import { faviconSvg, iconSizes, webManifest } from './web-manifest.ts'

const A_DAY = 'public, max-age=86400'
const AN_HOUR = 'public, max-age=3600'
const ASK_FIRST = 'public, max-age=0, must-revalidate'

/** Sends what is the same for everyone for a while, or says that the client has it already. */
const sendStatic = (
  request: FastifyRequest,
  reply: FastifyReply,
  { type, body, cache }: { type: string; body: string | Buffer; cache: string },
): FastifyReply => {
  const etag = `"${hash('sha1', body, 'base64url')}"`
  void reply.headers({ 'cache-control': cache, etag })
  if (matchesTag(request.headers['if-none-match'], etag)) return reply.code(304).send()
  return reply.header('content-type', type).send(body)
}

/** Pictures of the mark: drawn when first asked for, then kept. */
const createIcons = ({ press }: SiteContext) => {
  const drawn = new Map<number, Promise<Buffer>>()
  return (size: number): Promise<Buffer> | null => {
    const icon = drawn.get(size) ?? press.draw({ kind: 'icon', size })
    if (icon === null) return null
    drawn.set(size, icon)
    icon.catch(() => drawn.delete(size))
    return icon
  }
}

/** An icon file that holds one PNG. */
const icoOf = (png: Buffer, size: number): Buffer => {
  const head = Buffer.alloc(22)
  head.writeUInt16LE(1, 2)
  head.writeUInt16LE(1, 4)
  head.writeUInt8(size, 6)
  head.writeUInt8(size, 7)
  head.writeUInt16LE(1, 10)
  head.writeUInt16LE(24, 12)
  head.writeUInt32LE(png.length, 14)
  head.writeUInt32LE(22, 18)
  return Buffer.concat([head, png])
}

const FAVICON_SIZE = 32

/** Adds what browsers and crawlers look for at fixed places. */
export const addStaticFiles = (app: FastifyInstance, context: SiteContext): void => {
  const { shelf, settings } = context
  const iconOf = createIcons(context)
  const svg = { type: 'image/svg+xml', body: faviconSvg, cache: A_DAY }

  const sendIcon = async (
    request: FastifyRequest,
    reply: FastifyReply,
    size: number,
    type: string,
    wrap: (png: Buffer) => Buffer,
  ): Promise<FastifyReply> => {
    const png = await iconOf(size)
    return png === null
      ? reply.code(503).header('retry-after', '5').send()
      : sendStatic(request, reply, { type, body: wrap(png), cache: A_DAY })
  }

  app.get('/favicon.svg', async (request, reply) => sendStatic(request, reply, svg))
  app.get('/favicon.ico', (request, reply) =>
    sendIcon(request, reply, FAVICON_SIZE, 'image/x-icon', (png) => icoOf(png, FAVICON_SIZE)),
  )
  for (const size of iconSizes) {
    app.get(`/icon-${size}.png`, (request, reply) =>
      sendIcon(request, reply, size, 'image/png', (png) => png),
    )
  }
  app.get('/manifest.webmanifest', async (request, reply) => {
    const type = 'application/manifest+json; charset=utf-8'
    return sendStatic(request, reply, { type, body: webManifest, cache: A_DAY })
  })
  app.get('/robots.txt', async (request, reply) => {
    const body = robotsText(context)
    return sendStatic(request, reply, { type: 'text/plain; charset=utf-8', body, cache: AN_HOUR })
  })
  const documentOf = createDocuments(settings)
  for (const name of serviceNames) {
    app.get(`/docs/openapi/${name}.json`, async (request, reply) => {
      const type = 'application/json; charset=utf-8'
      return sendStatic(request, reply, { type, body: documentOf(name), cache: ASK_FIRST })
    })
  }
  if (shelf !== null) {
    const sitemap = createSitemap(shelf)
    app.get('/sitemap.xml', async (request, reply) => {
      const body = await sitemap(settings.siteUrl)
      const type = 'application/xml; charset=utf-8'
      return sendStatic(request, reply, { type, body, cache: AN_HOUR })
    })
  }
}

import type { FastifyInstance } from 'fastify'
import { roll } from './beatmaps/dice.ts'

const sizes: Readonly<Record<string, readonly [width: number, height: number]>> = {
  cover: [900, 250],
  card: [400, 140],
  list: [150, 150],
  slimcover: [1920, 360],
}

/** A quiet picture whose colours follow from the number. */
const picture = (seed: number, width: number, height: number): string => {
  const hue = Math.floor(roll(seed, 'hue') * 360)
  const colour = (turn: number, light: number) => `hsl(${(hue + turn) % 360} 45% ${light}%)`
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
<defs><linearGradient id="g" x2="1" y2="1"><stop stop-color="${colour(0, 28)}"/><stop offset="1" stop-color="${colour(60, 52)}"/></linearGradient></defs>
<rect width="100%" height="100%" fill="url(#g)"/>
<circle cx="50%" cy="50%" r="${height / 4}" fill="none" stroke="${colour(120, 78)}" stroke-width="${height / 16}"/>
</svg>`
}

/**
 * Pictures in place of covers and avatars, for an application that is told to look for them here.
 * They are SVG, whatever the name says: browsers go by the type.
 */
export const assetRoutes = (app: FastifyInstance): void => {
  app.addHook('onSend', async (_request, reply) => {
    void reply.header('cache-control', 'public, max-age=86400')
  })

  app.get<{ Params: { set: string; file: string } }>(
    '/assets/beatmaps/:set/covers/:file',
    async ({ params }, reply) => {
      const [, kind = '', large] = /^([a-z]+)(@2x)?\.jpg$/.exec(params.file) ?? []
      const size = sizes[kind]
      if (size === undefined) return reply.callNotFound()
      const [width, height] = size
      const scale = large === undefined ? 1 : 2
      return reply
        .type('image/svg+xml')
        .send(picture(Number(params.set), width * scale, height * scale))
    },
  )

  app.get<{ Params: { id: string } }>('/assets/avatars/:id', async ({ params }, reply) =>
    reply.type('image/svg+xml').send(picture(Number(params.id), 256, 256)),
  )
}

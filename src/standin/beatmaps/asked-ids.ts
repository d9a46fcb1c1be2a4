import type { FastifyRequest } from 'fastify'

/** The platform cuts silently behind so many. */
const MAX_IDS = 50

const toIds = (texts: readonly string[]): number[] =>
  texts.filter((text) => /^[0-9]{1,15}$/.test(text)).map(Number)

/** The beatmaps that a call asks for, in its path or its query; none for the calls that ask for none. */
export const askedIds = (request: FastifyRequest): number[] => {
  const { id } = request.params as { id?: string }
  if (id !== undefined) return toIds([id])
  const query = new URL(request.url, 'http://standin').searchParams
  return toIds(query.getAll('ids[]').slice(0, MAX_IDS))
}

import type { FastifyInstance } from 'fastify'

/** Takes form bodies, and nothing else: any other type counts as an empty form, so its fields are missing. */
export const takeForms = (app: FastifyInstance): void => {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    async (_request: unknown, body: string | Buffer) => new URLSearchParams(String(body)),
  )
  app.addContentTypeParser('*', { parseAs: 'string' }, async () => new URLSearchParams())
}

/** A field that stands once; undefined when it is missing, empty or repeated (RFC 6749, 3.1). */
export const field = (form: URLSearchParams, name: string): string | undefined => {
  const values = form.getAll(name)
  return values.length === 1 && values[0] !== '' ? values[0] : undefined
}

/** The form that was sent. */
export const formOf = (body: unknown): URLSearchParams =>
  body instanceof URLSearchParams ? body : new URLSearchParams()

import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Without a charset, and marked as private, as the platform sends its JSON. */
export function sendJson(reply: FastifyReply, status: number, body: unknown): FastifyReply {
  return reply
    .code(status)
    .header('content-type', 'application/json')
    .header('cache-control', 'no-cache, private')
    .serializer(String)
    .send(JSON.stringify(body))
}

/** Outside `/api/`, errors are JSON for those alone who ask for it. */
function wantsJson({ url, headers }: FastifyRequest): boolean {
  return url.startsWith('/api/') || /[/+]json/.test(headers.accept ?? '')
}

/** An error of the platform as a whole, with its text for programs or as a page. */
export function sendError(
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  text: string,
): FastifyReply {
  if (wantsJson(request)) return sendJson(reply, status, { error: text })
  return sendPage(reply.code(status), page(text, ''))
}

/** @param redirectUri browsers hold the redirect after a form to `form-action`, too, so it needs the origin. */
export function sendPage(reply: FastifyReply, html: string, redirectUri?: string): FastifyReply {
  const origin = redirectUri === undefined ? '' : ` ${new URL(redirectUri).origin}`
  const policy = `default-src 'none'; style-src 'sha256-${styleHash}'; form-action 'self'${origin}; base-uri 'none'; frame-ancestors 'none'`
  return reply
    .header('content-security-policy', policy)
    .header('cache-control', 'no-store')
    .header('referrer-policy', 'no-referrer')
    .header('x-content-type-options', 'nosniff')
    .type('text/html; charset=utf-8')
    .send(html)
}

export function escape(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign)
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** @param body HTML; `title` is text. */
export function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${escape(title)}</h1>
${body}
</main>
</body>
</html>
`
}

const style = `
:root { color-scheme: light dark; font: 1.05rem/1.5 system-ui, sans-serif; }
body { margin: 0; background: Canvas; color: CanvasText; }
main { max-width: 32rem; margin: 0 auto; padding: 2.5rem 1.25rem; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 .75rem; }
ul { list-style: none; margin: 1.5rem 0; padding: 0; display: grid; gap: .6rem; }
button { font: inherit; color: inherit; text-align: left; width: 100%; padding: .7rem 1rem;
  border: 1px solid GrayText; border-radius: .6rem; background: transparent; cursor: pointer; }
button:hover { background: color-mix(in srgb, CanvasText 8%, transparent); }
button:focus-visible { outline: 3px solid Highlight; outline-offset: 2px; }
button strong { display: block; }
.deny { width: auto; }
`
const styleHash = createHash('sha256').update(style).digest('base64')

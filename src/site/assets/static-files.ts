import { hash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Language } from '#texts/languages'
import { buildOpenapi } from '../../contract/openapi/document.ts'
import { type ServiceName, serviceNames } from '../../contract/services.ts'
import type { Installation } from '../../domain/installation.ts'
import type { Awaitable } from '../../domain/loading.ts'
import { type Body, sendDocument, textBody } from '../../door/answer.ts'
import type { Settings } from '../../door/context.ts'
import { palette } from '../preview/colors.ts'
import { askedLanguage, textsIn } from '../language.ts'
import type { SiteContext } from '../site-context.ts'
import { sendFile } from './asset-routes.ts'

const A_DAY = 'public, max-age=86400'
const REVALIDATE = 'public, max-age=0, must-revalidate'

/** Adds what browsers look for at fixed paths, and the OpenAPI documents. */
export function addStaticFiles(app: FastifyInstance, context: SiteContext): void {
  const { settings, pictures, renderer } = context
  const { logo } = settings.installation

  /** @param languageOf of its words, by what the address asks for; left out: it has none. */
  function serve(
    path: string,
    type: string,
    cache: string,
    write: (language: Language) => Awaitable<Body | Buffer | null>,
    languageOf?: (asked: Language) => Language,
  ): void {
    app.get(path, async (request, reply) => {
      const asked = askedLanguage(context, request)
      const bytes = await write(asked)
      if (languageOf) void reply.header('content-language', languageOf(asked))
      if (bytes === null) return reply.code(503).header('retry-after', '5').send()
      if (!Buffer.isBuffer(bytes)) {
        const vary = 'Accept-Encoding'
        return sendDocument(context.compressed, reply, bytes, { status: 200, type, vary, cache })
      }
      const etag = `"${hash('sha1', bytes, 'base64url')}"`
      return sendFile(reply, { type, cache, etag, bytes })
    })
  }

  const drawIcon = (size: number) =>
    pictures.find(`icon ${size}`, () => renderer.draw({ kind: 'icon', size }))
  if (logo === null) serve('/favicon.svg', 'image/svg+xml', A_DAY, () => textBody(faviconSvg))
  else {
    // Browsers and readers of feeds remember the address from before there was a logo.
    app.get('/favicon.svg', async (_request, reply) =>
      reply.header('cache-control', REVALIDATE).redirect(`/${logo.path}`, 302),
    )
  }
  serve('/favicon.ico', 'image/x-icon', A_DAY, async () => {
    const png = await drawIcon(32)
    return png && icoOf(png, 32)
  })
  for (const size of [180, ...manifestSizes]) {
    serve(`/icon-${size}.png`, 'image/png', A_DAY, () => drawIcon(size))
  }
  const { service } = context
  app.get('/preview.png', async (request, reply) => {
    const language = askedLanguage(context, request)
    const texts = textsIn(language)
    const sentence = service === 'packs' ? texts.sentencePacks : texts.sentencePools
    const png = await pictures.find(`site ${sentence}`, () =>
      renderer.draw({ kind: 'site', sentence, language }),
    )
    if (png === null) return reply.code(503).header('retry-after', '5').send()
    // It is made to be shown on other sites.
    void reply
      .header('cross-origin-resource-policy', 'cross-origin')
      .header('content-language', language)
    const etag = `"${hash('sha1', png, 'base64url')}"`
    return sendFile(reply, { type: 'image/png', cache: A_DAY, etag, bytes: png })
  })
  const manifestType = 'application/manifest+json; charset=utf-8'
  const manifestIn = (language: Language) => textBody(webManifest(settings.installation, language))
  serve('/manifest.webmanifest', manifestType, A_DAY, manifestIn, (asked) => asked)
  for (const name of serviceNames) {
    let body: Body | null = null
    const write = () => (body ??= textBody(openapiOf(name, settings)))
    const type = 'application/json; charset=utf-8'
    serve(`/docs/openapi/${name}.json`, type, REVALIDATE, write, () => 'en')
  }
}

/** An icon file that holds one PNG: its header has 22 bytes. */
function icoOf(png: Buffer, size: number): Buffer {
  const header = [0, 0, 1, 0, 1, 0, size, size, 0, 0, 1, 0, 24, 0, 0, 0, 0, 0, 22, 0, 0, 0]
  const icon = Buffer.from([...header, ...png])
  icon.writeUInt32LE(png.length, 14)
  return icon
}

/** The OpenAPI document that a service serves itself: a page may read only what its own site serves. */
function openapiOf(service: ServiceName, settings: Settings): string {
  const { siteUrl, keyPrefixes, apiUrl, poolsUrl } = settings
  const own = { apiUrl: service === 'packs' ? apiUrl : poolsUrl, keyPrefix: keyPrefixes[service] }
  return JSON.stringify(buildOpenapi(service, { siteUrl, ...own }))
}

const manifestSizes = [192, 512]

/** For devices that install the site as an app. */
const webManifest = ({ name, logo }: Installation, language: Language): string =>
  JSON.stringify({
    name,
    short_name: name,
    lang: language,
    description: textsIn(language).appDescription,
    start_url: '/',
    display: 'standalone',
    background_color: palette.ground,
    theme_color: palette.ground,
    icons: [
      ...(logo?.type === 'image/png'
        ? []
        : [{ src: `/${logo?.path ?? 'favicon.svg'}`, type: 'image/svg+xml', sizes: 'any' }]),
      ...manifestSizes.map((size) => ({
        src: `/icon-${size}.png`,
        type: 'image/png',
        sizes: `${size}x${size}`,
        purpose: 'any maskable',
      })),
    ],
  })

/** The mark of the site: three slots in a crate. */
const faviconSvg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">
<rect width="64" height="64" rx="14" fill="${palette.ground}"/>
<rect x="14" y="16" width="36" height="8" rx="4" fill="#60a5fa"/>
<rect x="14" y="28" width="27" height="8" rx="4" fill="#f87171"/>
<rect x="14" y="40" width="18" height="8" rx="4" fill="#c084fc"/>
</svg>
`

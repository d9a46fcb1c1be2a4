import type { FastifyInstance } from 'fastify'
import { createContext } from '../door/context.ts'
import { addSessionEndpoints } from '../door/router.ts'
import { notePaths } from '../door/unrouted.ts'
import { addAssets } from './assets/asset-routes.ts'
import { addStaticFiles } from './assets/static-files.ts'
import { addPages } from './pages/page-routes.ts'
import { sendNotFound } from './pages/send-page.ts'
import { addPreview } from './preview/preview-route.ts'
import { PictureRenderer } from './preview/renderer.ts'
import { addSearchIndex } from './search-index.ts'
import { answerCharged, answerUnrouted } from './shares.ts'
import { InvalidCodeLimiter } from './sign-in/invalid-codes.ts'
import { addSignIn } from './sign-in/sign-in.ts'
import type { SiteContext, SiteParts } from './site-context.ts'
import { setSiteHeaders } from './site-headers.ts'

/**
 * The website as a Fastify plugin, to be registered in a scope of its own on the app of a service:
 * all pages on the packs service, the account page on the tournament-pools service.
 */
export function createSite(parts: SiteParts): (scope: FastifyInstance) => Promise<void> {
  return async (scope) => {
    const renderer = new PictureRenderer()
    const context: SiteContext = {
      ...createContext(parts),
      assets: parts.assets,
      indexCache: parts.indexCache,
      renderer,
      invalidCodes: new InvalidCodeLimiter(),
    }
    scope.addHook('onClose', () => renderer.close())

    const paths = notePaths(scope)
    scope.addHook('onRequest', setSiteHeaders(parts.settings))
    scope.addHook('onRequest', answerUnrouted(context, paths))
    // The hook above answers; this makes the hooks of this scope run where no route is.
    scope.setNotFoundHandler(async () => {})

    if (parts.indexCache !== null) addSearchIndex(scope, parts.indexCache)
    addAssets(scope, parts.assets, (request, reply) =>
      answerCharged(context, request, reply, 'page', () => sendNotFound(context, request, reply)),
    )
    addStaticFiles(scope, context)
    if (parts.service === 'packs') addPreview(scope, context)
    void scope.register(async (inner) => addSignIn(inner, context))
    void scope.register(async (inner) => addSessionEndpoints(inner, context))
    void scope.register(async (inner) => addPages(inner, context))
  }
}

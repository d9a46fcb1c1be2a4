import type { FastifyInstance } from 'fastify'
import { addAssets } from './assets/asset-routes.ts'
import { sendNotFound } from './pages/not-found.ts'
import { addPages } from './pages/page-routes.ts'
import { PicturePress } from './preview/picture-press.ts'
import { addPreview } from './preview/preview-route.ts'
import { addSearchIndex } from './search-index-route.ts'
import { createContext } from '../door/context.ts'
import { addSessionEndpoints } from '../door/router.ts'
import { notePaths } from '../door/unrouted.ts'
import { JunkCodes } from './sign-in/junk-codes.ts'
import { addSignIn } from './sign-in/sign-in-routes.ts'
import type { SiteContext, SiteParts } from './site-context.ts'
import { answerCharged, answerUnrouted } from './shares.ts'
import { setSiteHeaders } from './site-headers.ts'
import { addStaticFiles } from './static/static-routes.ts'

/**
 * The website as a Fastify plugin, to be registered in a scope of its own on the app of a service:
 * all pages on the packs service, the account page on the tournament-pools service.
 */
export const createSite =
  (parts: SiteParts): ((scope: FastifyInstance) => Promise<void>) =>
  async (scope) => {
    const press = new PicturePress()
    const context: SiteContext = {
      ...createContext(parts),
      assets: parts.assets,
      shelf: parts.shelf,
      press,
      junkCodes: new JunkCodes(),
    }
    scope.addHook('onClose', () => press.close())

    const paths = notePaths(scope)
    scope.addHook('onRequest', setSiteHeaders(parts.settings))
    scope.addHook('onRequest', answerUnrouted(context, paths))
    // The hook above answers; this makes the hooks of this scope run where no route is.
    scope.setNotFoundHandler(async () => {})

    if (parts.shelf !== null) addSearchIndex(scope, parts.shelf)
    addAssets(scope, parts.assets, (request, reply) =>
      answerCharged(context, request, reply, 'page', () => sendNotFound(context, request, reply)),
    )
    addStaticFiles(scope, context)
    if (parts.service === 'packs') addPreview(scope, context)
    void scope.register(async (inner) => addSignIn(inner, context))
    void scope.register(async (inner) => addSessionEndpoints(inner, context))
    void scope.register(async (inner) => addPages(inner, context))
  }

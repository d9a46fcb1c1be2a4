import type { FastifyInstance, onRequestHookHandler } from 'fastify'
import type { Language } from '#texts/languages'
import { hook } from '../door/admission.ts'
import { createContext, type Settings } from '../door/context.ts'
import { loadViewer } from '../door/sessions.ts'
import { addSessionEndpoints } from '../door/router.ts'
import { createUnrouted, type ExistingPath, notePaths } from '../door/unrouted.ts'
import { isSecure } from '../door/wire.ts'
import { meterSite } from '../door/work.ts'
import { addAtom } from './feeds/atom.ts'
import { addTournamentFeeds } from './feeds/tournament-feeds.ts'
import { addAssets } from './assets/asset-routes.ts'
import { addSitemap } from './crawlers/sitemap.ts'
import { addTexts } from './crawlers/texts.ts'
import { addStaticFiles } from './assets/static-files.ts'
import { contentSecurityPolicy } from './pages/html.ts'
import { addPages } from './pages/page-routes.ts'
import { englishPagesIn } from './pages/page-table.ts'
import { sendNotFound } from './pages/send-page.ts'
import { addPackPictures, addRoundPicture } from './preview/picture-routes.ts'
import { drawingFor, PictureCache, PictureRenderer } from './preview/renderer.ts'
import { addSearchIndex } from './search-index.ts'
import { answerCharged, sendTooMany } from './refusals.ts'
import { addProblems } from './sign-in/problems.ts'
import { addSignIn } from './sign-in/sign-in.ts'
import type { SiteContext, SiteParts } from './site-context.ts'
import { VersionCache } from './version-cache.ts'

/** A page is little more than its tag here. */
const CACHED_PAGES = 10_000
const CACHED_FEEDS_BYTES = 8 * 1_024 * 1_024
/** A scene takes a few kilobytes. */
const CACHED_SCENES = 1_000

/**
 * The website as a Fastify plugin, to be registered in a scope of its own on the app of a service:
 * pages of packs on the packs service, of tournaments on the tournament-pools service.
 */
export function createSite(parts: SiteParts): (scope: FastifyInstance) => Promise<void> {
  return async (scope) => {
    const newThread = drawingFor(parts.settings.installation)
    const renderer = new PictureRenderer(newThread, (cpuMs) => parts.ports.work.add(cpuMs))
    const languages = ['en', ...parts.assets.translated.keys()] as Language[]
    const context: SiteContext = {
      ...parts,
      ...createContext(parts),
      languages,
      englishPages: new Map(languages.map((each) => [each, englishPagesIn(each)])),
      pages: new VersionCache({ maxEntries: CACHED_PAGES }),
      feeds: new VersionCache({ maxSize: CACHED_FEEDS_BYTES, sizeOf: ({ length }) => length }),
      scenes: new VersionCache({ maxEntries: CACHED_SCENES }),
      renderer,
      pictures: new PictureCache(),
    }
    scope.addHook('onClose', () => renderer.close())

    const paths = notePaths(scope)
    scope.addHook('onRequest', setSiteHeaders(parts.settings))
    scope.addHook(
      'onRequest',
      meterSite(context, (reply, failure) => sendTooMany(context, reply, failure)),
    )
    // Whose name a page shows that has none of what was asked for. If the store is away, none.
    const load = loadViewer(context)
    scope.addHook('onRequest', function loadUnrouted(request, reply, done) {
      if (request.is404) load.call(this, request, reply, () => done())
      else done()
    })
    scope.addHook('onRequest', answerUnrouted(context, paths))
    // The hook above answers; this makes the hooks of this scope run where there is no route.
    scope.setNotFoundHandler(async () => {})

    if (parts.indexCache !== null) {
      addSearchIndex(scope, parts.indexCache)
      addAtom(scope, context, parts.indexCache)
    }
    addAssets(scope, parts.assets, (reply) =>
      answerCharged(context, reply, 'page', () => sendNotFound(context, reply)),
    )
    addStaticFiles(scope, context)
    addTexts(scope, context)
    addSitemap(scope, context)
    if (parts.service === 'packs') {
      addPackPictures(scope, context)
    } else {
      addTournamentFeeds(scope, context)
      addRoundPicture(scope, context)
    }
    for (const add of [addSignIn, addProblems, addSessionEndpoints, addPages]) {
      void scope.register(async (inner) => add(inner, context))
    }
  }
}

/** Sets the headers of every response of the site, errors included. */
function setSiteHeaders(settings: Settings): onRequestHookHandler {
  const headers = {
    'content-security-policy': contentSecurityPolicy({ ...settings, mirrors: [] }),
    'referrer-policy': 'same-origin',
    'permissions-policy':
      'accelerometer=(), camera=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), payment=(), usb=()',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
  }
  return (_request, reply, done) => {
    void reply.headers(headers)
    // Not a constant: the address is known only once the service listens.
    if (isSecure(settings)) void reply.header('strict-transport-security', 'max-age=31536000')
    done()
  }
}

/** Answers what matches no route of the site, as the API does (D-12). */
function answerUnrouted(
  context: SiteContext,
  paths: () => readonly ExistingPath[],
): onRequestHookHandler {
  const answer = createUnrouted('site', paths, (_request, reply) => sendNotFound(context, reply))
  return hook((request, reply) =>
    request.is404 ? answerCharged(context, reply, 'page', () => answer(request, reply)) : undefined,
  )
}

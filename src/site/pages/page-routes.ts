import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { presentSitePack, type SavedPack } from '../../domain/packs.ts'
import { explainError } from '../../door/answer.ts'
import { chargeEach, isTooMany, knowViewer } from '../../door/sessions.ts'
import { listPinned } from '../../operations/list-pinned.ts'
import { openPack } from '../../operations/open-pack.ts'
import { isolate } from '../../pool/text.ts'
import { sendTooMany } from '../shares.ts'
import type { SiteContext } from '../site-context.ts'
import { sendNotFound } from './not-found.ts'
import { homeward } from './notice.ts'
import { packHead } from './pack-head.ts'
import { pagesOf, type SitePage } from './page-table.ts'
import { failedNotice, sendNotice, sendPage } from './send-page.ts'

const moderatorsOnly = (path: string) => ({
  title: 'Moderators only',
  text: 'Only moderators can open this page. If you are a moderator, sign in.',
  ways: [{ label: 'Sign in', href: `/sign-in?return=${encodeURIComponent(path)}` }, homeward],
})

const addPage = (app: FastifyInstance, context: SiteContext, page: SitePage): void => {
  const { ports, settings } = context
  app.get(page.path, async (request, reply) => {
    if (page.forModerators && !request.viewer?.isModerator) {
      return sendNotice(context, request, reply, 403, moderatorsOnly(page.path))
    }
    const pinned = page.hasPinned ? (await listPinned(ports)).map(({ slug }) => slug) : undefined
    return sendPage(context, request, reply, {
      name: page.name,
      head: {
        title: page.title,
        description: page.description,
        url: settings.ownUrl + page.path,
        ...(page.isPersonal && { isUnlisted: true }),
      },
      ...(pinned && { pinned }),
    })
  })
}

type PackPage = (
  request: FastifyRequest,
  reply: FastifyReply,
  pack: SavedPack,
) => Promise<FastifyReply>

const addPackPage = (
  app: FastifyInstance,
  context: SiteContext,
  path: string,
  show: PackPage,
): void => {
  app.get(path, async (request, reply) => {
    const { slug } = request.params as { slug: string }
    return show(request, reply, await openPack(context.ports, request.viewer, slug))
  })
}

const addPackPages = (app: FastifyInstance, context: SiteContext): void => {
  const { settings } = context
  const send = (name: string): PackPage => {
    return (request, reply, pack) =>
      sendPage(context, request, reply, {
        name,
        head: {
          ...packHead(pack, settings),
          ...(name === 'editor' && { title: `Edit ${isolate(pack.name)}`, isUnlisted: true }),
        },
        pack: presentSitePack(pack, request.viewer, settings.poolsOwnerName),
      })
  }
  const sendEditor = send('editor')
  addPackPage(app, context, '/p/:slug', send('pack'))
  addPackPage(app, context, '/p/:slug/edit', async (request, reply, pack) =>
    // Whoever follows a link to somebody else's editor wants to see the pack.
    request.viewer?.accountId === pack.ownerId
      ? sendEditor(request, reply, pack)
      : reply.header('cache-control', 'private, no-store').redirect(`/p/${pack.slug}`),
  )
}

/** Adds the pages of the context's service. */
export const addPages = (app: FastifyInstance, context: SiteContext): void => {
  app.addHook('onRequest', knowViewer(context))
  app.addHook('onRequest', chargeEach(context, 'page'))
  app.setErrorHandler((error, request, reply) => {
    if (isTooMany(error)) return sendTooMany(context, request, reply, error)
    const { code } = explainError(error, request)
    return code === 'not_found'
      ? sendNotFound(context, request, reply)
      : sendNotice(context, request, reply, 500, failedNotice(request.id))
  })
  for (const page of pagesOf[context.service]) addPage(app, context, page)
  if (context.service === 'packs') addPackPages(app, context)
}

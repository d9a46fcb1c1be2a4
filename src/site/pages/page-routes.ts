import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ownerNameOf, presentSitePack, type SavedPack } from '../../domain/packs.ts'
import { explainError } from '../../door/answer.ts'
import { chargeEach, isTooMany, knowViewer } from '../../door/sessions.ts'
import { openPack } from '../../operations/packs.ts'
import { isolate } from '../../pool/text.ts'
import { sendTooMany } from '../shares.ts'
import type { SiteContext } from '../site-context.ts'
import type { Settings } from '../../door/context.ts'
import { homeward, type PageHead } from './html.ts'
import { pagesOf, type SitePage } from './page-table.ts'
import { failedNotice, sendNotFound, sendNotice, sendPage } from './send-page.ts'

/** Adds the pages of the context's service. */
export function addPages(app: FastifyInstance, context: SiteContext): void {
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

function moderatorsOnly(path: string) {
  return {
    title: 'Moderators only',
    text: 'Only moderators can open this page. If you are a moderator, sign in.',
    ways: [{ label: 'Sign in', href: `/sign-in?return=${encodeURIComponent(path)}` }, homeward],
  }
}

function addPage(app: FastifyInstance, context: SiteContext, page: SitePage): void {
  const { ports, settings } = context
  app.get(page.path, async (request, reply) => {
    if (page.forModerators && !request.viewer?.isModerator) {
      return sendNotice(context, request, reply, 403, moderatorsOnly(page.path))
    }
    const pinned = page.hasPinned
      ? (await ports.packs.listPinned()).map(({ slug }) => slug)
      : undefined
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

function addPackPage(
  app: FastifyInstance,
  context: SiteContext,
  path: string,
  show: PackPage,
): void {
  app.get(path, async (request, reply) => {
    const { slug } = request.params as { slug: string }
    return show(request, reply, await openPack(context.ports, request.viewer, slug))
  })
}

function addPackPages(app: FastifyInstance, context: SiteContext): void {
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

function countText(count: number): string {
  return count === 1 ? '1 beatmap' : `${count} beatmaps`
}

function starsText({ stats }: SavedPack): string {
  if (stats === null || stats.srMin === null || stats.srMax === null) return ''
  const [least, most] = [stats.srMin.toFixed(2), stats.srMax.toFixed(2)]
  return least === most ? `, ${least}★` : `, ${least}–${most}★`
}

/** `19 beatmaps, 5.31–7.81★, by Peridot. What the owner says of it.` */
function describe(pack: SavedPack, poolsOwnerName: string): string {
  const facts = `${countText(pack.slots.length)}${starsText(pack)}, by ${isolate(ownerNameOf(pack, poolsOwnerName))}.`
  const words = pack.description?.replace(/\s+/g, ' ').trim() ?? ''
  return words === '' ? facts : `${facts} ${isolate(words)}`
}

/** Programs keep a picture for as long as its address stays: the address changes with the pack. */
function pictureVersion({ updatedAt, stats }: SavedPack): string {
  return (updatedAt + Date.parse(stats?.computedAt ?? '1970-01-01')).toString(36)
}

/** The head of a pack's page: what chat programs and search engines tell of it. */
function packHead(pack: SavedPack, settings: Settings): PageHead {
  const url = `${settings.siteUrl}/p/${pack.slug}`
  const isOpen = pack.visibility !== 'private' && pack.hiddenAt === null
  return {
    title: isolate(pack.name),
    description: describe(pack, settings.poolsOwnerName),
    url,
    ...(isOpen && {
      image: {
        url: `${url}/preview.png?v=${pictureVersion(pack)}`,
        alt: `The beatmaps of ${isolate(pack.name)} by bucket`,
      },
    }),
    ...(pack.visibility !== 'public' && { isUnlisted: true }),
  }
}

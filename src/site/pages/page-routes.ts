import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ownerNameOf, presentSitePack, type SavedPack } from '../../domain/packs.ts'
import { chargeEach, loadViewer } from '../../door/sessions.ts'
import { openPack } from '../../operations/packs.ts'
import { isolate } from '../../pool/text.ts'
import { countText, rangeText } from '../preview/scene.ts'
import { sendError } from '../refusals.ts'
import type { SiteContext } from '../site-context.ts'
import type { Settings } from '../../door/context.ts'
import { homeward, type Notice, type PageHead } from './html.ts'
import { pagesOf, type SitePage } from './page-table.ts'
import { sendNotice, sendPage } from './send-page.ts'

/** Adds the pages of the context's service. */
export function addPages(app: FastifyInstance, context: SiteContext): void {
  app.addHook('onRequest', loadViewer(context))
  app.addHook('onRequest', chargeEach(context, 'page'))
  app.setErrorHandler((error, _request, reply) => sendError(context, reply, error))
  for (const page of pagesOf[context.service]) addPage(app, context, page)
  if (context.service === 'packs') addPackPages(app, context)
}

function addPage(app: FastifyInstance, context: SiteContext, page: SitePage): void {
  const { name, path, title, description, isPersonal = false } = page
  app.get(path, async (request, reply) => {
    if (page.forModerators && !request.viewer?.isModerator) {
      return sendNotice(context, reply, 403, moderatorsOnly(path))
    }
    const url = context.settings.ownUrl + path
    const pinned = page.hasPinned ? await context.ports.packs.listPinned() : null
    return sendPage(context, reply, {
      name,
      head: { title, description, url, isUnlisted: isPersonal },
      ...(pinned && { pinned: pinned.map(({ slug }) => slug) }),
    })
  })
}

function moderatorsOnly(path: string): Notice {
  return {
    title: 'Moderators only',
    text: 'Only moderators can open this page. If you are a moderator, sign in.',
    ways: [{ label: 'Sign in', href: `/sign-in?return=${encodeURIComponent(path)}` }, homeward],
  }
}

function addPackPages(app: FastifyInstance, context: SiteContext): void {
  const { ports, settings } = context

  function open({ viewer, params }: FastifyRequest): Promise<SavedPack> {
    return openPack(ports, viewer, (params as { slug: string }).slug)
  }
  function send(reply: FastifyReply, pack: SavedPack, isEditor: boolean) {
    const head = packHead(pack, settings)
    return sendPage(context, reply, {
      name: isEditor ? 'editor' : 'pack',
      head: isEditor ? { ...head, title: `Edit ${head.title}`, isUnlisted: true } : head,
      pack: presentSitePack(pack, reply.request.viewer, settings.poolsOwnerName),
    })
  }

  app.get('/p/:slug', async (request, reply) => send(reply, await open(request), false))
  app.get('/p/:slug/edit', async (request, reply) => {
    const pack = await open(request)
    if (request.viewer?.accountId === pack.ownerId) return send(reply, pack, true)
    // Others who follow a link to the editor want to see the pack.
    return reply.header('cache-control', 'private, no-store').redirect(`/p/${pack.slug}`)
  })
}

/** The head of a pack's page, for chat programs and search engines. */
function packHead(pack: SavedPack, { siteUrl, poolsOwnerName }: Settings): PageHead {
  const url = `${siteUrl}/p/${pack.slug}`
  const isOpen = pack.visibility !== 'private' && pack.hiddenAt === null
  const computedAt = Date.parse(pack.stats?.computedAt ?? '1970-01-01')
  // Programs cache a picture by its address: it changes with the pack.
  const version = (pack.updatedAt + computedAt).toString(36)
  return {
    title: isolate(pack.name),
    description: describe(pack, poolsOwnerName),
    url,
    isUnlisted: pack.visibility !== 'public',
    ...(isOpen && {
      image: {
        url: `${url}/preview.png?v=${version}`,
        alt: `The beatmaps of ${isolate(pack.name)} by bucket`,
      },
    }),
  }
}

/** `19 beatmaps, 5.31–7.81★, by Peridot. The owner's description.` */
function describe(pack: SavedPack, poolsOwnerName: string): string {
  const owner = isolate(ownerNameOf(pack, poolsOwnerName))
  const facts = `${countText(pack.slots.length)}${starsText(pack)}, by ${owner}.`
  const words = pack.description?.replace(/\s+/g, ' ').trim() ?? ''
  return words === '' ? facts : `${facts} ${isolate(words)}`
}

function starsText({ stats }: SavedPack): string {
  const stars = stats && rangeText(stats.srMin, stats.srMax, (each) => each.toFixed(2), '–')
  return stars === null ? '' : `, ${stars}★`
}

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Awaitable } from '../../domain/awaitable.ts'
import { ownerNameOf, presentSitePack, type SavedPack } from '../../domain/packs.ts'
import type { PackViewer } from '../../domain/sessions.ts'
import { chargeEach, loadViewer } from '../../door/sessions.ts'
import { openPack } from '../../operations/packs.ts'
import { isolate } from '../../pool/text.ts'
import { countText, rangeText } from '../preview/scene.ts'
import { sendError } from '../refusals.ts'
import type { SiteContext } from '../site-context.ts'
import type { Settings } from '../../door/context.ts'
import { homeward, type Notice, type PageHead } from './html.ts'
import { packsFeed, pagesOf, type SitePage } from './page-table.ts'
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
  const { ports, settings } = context
  app.get(path, (request, reply): void => {
    if (page.forModerators && !request.viewer?.isModerator) {
      sendNotice(context, reply, 403, moderatorsOnly(path))
      return
    }
    answer(reply, page.hasPinned ? ports.packs.listPinned() : null, (packs) => {
      const pinned = packs?.map(({ slug }) => slug)
      const make = () => {
        const feed = { title: packsFeed.title, url: settings.siteUrl + packsFeed.path }
        const url = settings.ownUrl + path
        const more = { isUnlisted: isPersonal, ...(page.hasPinned && { feed }) }
        return { head: { title, description, url, ...more }, ...(pinned && { pinned }) }
      }
      return sendPage(context, reply, { name, key: path, shows: [pinned?.join()], make })
    })
  })
}

/** Answers with what is there, at once if it is. Not an async handler: Fastify would watch a promise. */
function answer<T>(reply: FastifyReply, found: Awaitable<T>, send: (found: T) => unknown): void {
  if (!(found instanceof Promise)) send(found)
  else found.then((known) => void send(known)).catch((error: unknown) => reply.send(error))
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

  function open({ viewer, params }: FastifyRequest): Awaitable<SavedPack> {
    return openPack(ports, viewer, (params as { slug: string }).slug)
  }
  function send(reply: FastifyReply, pack: SavedPack, isEditor: boolean): FastifyReply {
    const { viewer } = reply.request
    const name = isEditor ? 'editor' : 'pack'
    const key = `${name} ${pack.slug} ${viewOf(pack, viewer)}`
    return sendPage(context, reply, { name, key, shows: [pack], make })

    function make() {
      const head = packHead(pack, settings)
      return {
        head: isEditor ? { ...head, title: `Edit ${head.title}`, isUnlisted: true } : head,
        pack: presentSitePack(pack, viewer, settings.poolsOwnerName),
      }
    }
  }

  app.get('/p/:slug', (request, reply): void =>
    answer(reply, open(request), (pack) => send(reply, pack, false)),
  )
  app.get('/p/:slug/edit', (request, reply): void =>
    answer(reply, open(request), (pack) => {
      if (request.viewer?.accountId === pack.ownerId) return send(reply, pack, true)
      // Others who follow a link to the editor want to see the pack.
      return reply.header('cache-control', 'private, no-store').redirect(`/p/${pack.slug}`)
    }),
  )
}

/** All to whom `presentSitePack` shows the same. */
function viewOf({ ownerId }: SavedPack, viewer: PackViewer | null): string {
  if (viewer?.accountId === ownerId) return 'owner'
  return viewer?.isModerator === true ? 'moderator' : 'anyone'
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
    description: describePack(pack, poolsOwnerName),
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
export function describePack(pack: SavedPack, poolsOwnerName: string): string {
  const owner = isolate(ownerNameOf(pack, poolsOwnerName))
  const facts = `${countText(pack.slots.length)}${starsText(pack)}, by ${owner}.`
  const words = pack.description?.replace(/\s+/g, ' ').trim() ?? ''
  return words === '' ? facts : `${facts} ${isolate(words)}`
}

function starsText({ stats }: SavedPack): string {
  const stars = stats && rangeText(stats.srMin, stats.srMax, (each) => each.toFixed(2), '–')
  return stars === null ? '' : `, ${stars}★`
}

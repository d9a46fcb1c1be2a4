import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Language } from '#texts/languages'
import { refusal } from '../../contract/errors.ts'
import type { KnownSlot, PackChanges, RoundOfPack } from '../../contract/page-data.ts'
import { type Awaitable, whenKnown } from '../../domain/loading.ts'
import { mayReadHistory } from '../../domain/history.ts'
import { ownerNameOf, presentSitePack, type SavedPack } from '../../domain/packs.ts'
import type { PackViewer } from '../../domain/sessions.ts'
import { chargeEach, loadViewer } from '../../door/sessions.ts'
import { knownSlotsOf } from '../../operations/beatmap-look.ts'
import { openPack } from '../../operations/packs.ts'
import { changesOfPacks, roundsOfPacks } from '../../operations/tournament-pages.ts'
import { countsPlain } from '../../pool/played-values.ts'
import { slotMods } from '../../pool/slots.ts'
import { isolate } from '../../pool/text.ts'
import { creditOf, starsText } from '../preview/scene.ts'
import { sendError } from '../refusals.ts'
import type { SiteContext } from '../site-context.ts'
import type { Settings } from '../../door/context.ts'
import type { PageHead } from './html.ts'
import { homeward, type Notice, signInTo } from './notice-html.ts'
import { ownerIn, type SiteTexts, textsIn } from '../language.ts'
import { addBrowsePages } from './browse-routes.ts'
import { addFoundPages } from './found-routes.ts'
import { pagesOf, type SitePage, sitePicture } from './page-table.ts'
import {
  breadcrumbs,
  guideData,
  overviewData,
  packData,
  type PackMaker,
} from './structured-data.ts'
import { answer, sendNotice, sendPage } from './send-page.ts'
import { addTournamentPages } from './tournament-routes.ts'

/** Adds the pages of the context's service. */
export function addPages(app: FastifyInstance, context: SiteContext): void {
  app.addHook('onRequest', loadViewer(context))
  app.addHook('onRequest', chargeEach(context, 'page'))
  app.setErrorHandler((error, _request, reply) => sendError(context, reply, error))
  const pages = pagesOf[context.service]
  for (const page of pages.filter(({ beginsWithPacks }) => !beginsWithPacks))
    addPage(app, context, page)
  if (context.service === 'packs') {
    const [home, browse, maps] = pages.filter(({ beginsWithPacks }) => beginsWithPacks)
    if (home && browse && maps) addBrowsePages(app, context, [home, browse, maps])
    addPackPages(app, context)
    addFoundPages(app, context)
  } else addTournamentPages(app, context)
}

function addPage(app: FastifyInstance, context: SiteContext, page: SitePage): void {
  const { name, path, head, isPersonal = false, markdown, languages } = page
  const { settings } = context
  app.get(path, (request, reply): void => {
    if (page.forModerators && !request.viewer?.isModerator) {
      sendNotice(context, reply, 403, moderatorsOnly(path))
      return
    }
    const url = settings.ownUrl + path
    const make = (of: SiteTexts, language: Language) => {
      // In the language of what it shows.
      const isShownIn = languages === undefined || languages.includes(language)
      const texts = isShownIn ? of : textsIn('en')
      const structured = guideStructure(page, settings, texts, isShownIn ? language : 'en')
      return {
        head: {
          ...head(texts),
          url,
          isUnlisted: isPersonal,
          ...(!isPersonal && { image: sitePicture(settings, texts) }),
          ...(name === 'docs' && { structured }),
          ...(markdown !== undefined && { markdown }),
          ...(languages !== undefined && { languages }),
        },
      }
    }
    sendPage(context, reply, { name, key: path, shows: [], make })
  })
}

/** In the language of the guide. */
function guideStructure(
  { path, head }: SitePage,
  settings: Settings,
  texts: SiteTexts,
  language: Language,
) {
  const { ownUrl } = settings
  const { title, description } = head(texts)
  const docs = [texts.docsTitle, `${ownUrl}/docs`] as const
  const url = ownUrl + path
  return path === '/docs'
    ? [overviewData(title, description, url, language), breadcrumbs(settings, docs)]
    : [guideData(title, description, url, language), breadcrumbs(settings, docs, [title, url])]
}

/** The same for everybody, signed in or not. */
const moderatorsOnly =
  (path: string) =>
  (texts: SiteTexts): Notice => ({
    title: texts.moderatorsOnly,
    text: texts.moderatorsOnlyText,
    ways: [signInTo(texts, path), homeward(texts)],
  })

const signInToEdit =
  ({ slug }: SavedPack) =>
  (texts: SiteTexts): Notice => ({
    title: texts.signInToEdit,
    text: texts.signInToEditText,
    ways: [signInTo(texts, `/p/${slug}/edit`), { label: texts.viewPack, href: `/p/${slug}` }],
  })

function addPackPages(app: FastifyInstance, context: SiteContext): void {
  const { ports, settings } = context
  const changesOf = changesOfPacks(ports)
  const roundOf = roundsOfPacks(ports)
  const knownOf = knownSlotsOf<SavedPack>(ports, slotMods)

  function open({ viewer, params }: FastifyRequest): Awaitable<SavedPack> {
    return openPack(ports, viewer, (params as { slug: string }).slug)
  }
  function send(
    reply: FastifyReply,
    name: 'pack' | 'editor' | 'history',
    pack: SavedPack,
    { changes, round, beatmaps }: PackExtras = {},
  ): FastifyReply {
    const { viewer } = reply.request
    const key = `${name} ${pack.slug} ${viewOf(pack, viewer)}`
    return sendPage(context, reply, { name, key, shows: [pack, changes, round, beatmaps], make })

    function make(texts: SiteTexts, language: Language) {
      const head = packHead(pack, settings, texts, { round, beatmaps, language })
      return {
        head: packHeads[name](head, texts),
        pack: presentSitePack(pack, viewer, settings.poolsOwnerName),
        ...(changes !== undefined && { changes }),
        ...(round && { round }),
        ...(beatmaps && { beatmaps }),
      }
    }
  }

  app.get('/p/:slug', (request, reply): void => {
    const found = whenKnown(open(request), (pack) =>
      whenKnown(changesOf(pack, request.viewer), (changes) =>
        whenKnown(roundOf(pack), (round) =>
          whenKnown(knownOf(pack), (beatmaps) => ({ pack, changes, round, beatmaps })),
        ),
      ),
    )
    answer(reply, found, ({ pack, ...extras }) => send(reply, 'pack', pack, extras))
  })
  app.get('/p/:slug/edit', (request, reply): void =>
    answer(reply, open(request), (pack) => {
      if (request.viewer?.accountId === pack.ownerId) return send(reply, 'editor', pack)
      if (request.viewer === null) return sendNotice(context, reply, 403, signInToEdit(pack))
      // Others who follow a link to the editor want to see the pack.
      return reply.header('cache-control', 'private, no-store').redirect(`/p/${pack.slug}`)
    }),
  )
  app.get('/p/:slug/history', (request, reply): void =>
    answer(reply, open(request), (pack) => {
      if (!mayReadHistory(pack, request.viewer?.accountId ?? '')) throw refusal('packNotFound')
      return send(reply, 'history', pack)
    }),
  )
}

/** What the page of a pack shows with it. */
type PackExtras = {
  /** For those who may read the history. */
  readonly changes?: PackChanges | undefined
  readonly round?: RoundOfPack | null | undefined
  readonly beatmaps?: readonly KnownSlot[] | undefined
}

const packHeads: Readonly<
  Record<'pack' | 'editor' | 'history', (head: PageHead, texts: SiteTexts) => PageHead>
> = {
  pack: (head) => head,
  editor: (head, texts) => ({
    ...head,
    structured: [],
    title: texts.editTitle({ pack: head.title }),
    isUnlisted: true,
  }),
  history: (head, texts) => ({
    ...head,
    structured: [],
    title: texts.historyOf({ pack: head.title }),
    url: `${head.url}/history`,
    isUnlisted: true,
  }),
}

/** All to whom `presentSitePack` shows the same. */
function viewOf({ ownerId }: SavedPack, viewer: PackViewer | null): string {
  if (viewer?.accountId === ownerId) return 'owner'
  return viewer?.isModerator === true ? 'moderator' : 'anyone'
}

/** The head of a pack's page, for chat programs and search engines. */
function packHead(
  pack: SavedPack,
  settings: Settings,
  texts: SiteTexts,
  { round, beatmaps, language }: PackExtras & { readonly language: Language },
): PageHead {
  const { siteUrl, poolsOwnerName } = settings
  const url = `${siteUrl}/p/${pack.slug}`
  const isOpen = pack.visibility !== 'private' && pack.hiddenAt === null
  const computedAt = Date.parse(pack.stats?.computedAt ?? '1970-01-01')
  // Programs cache a picture by its address: it changes with the pack.
  const version = (pack.updatedAt + computedAt).toString(36)
  return {
    title: isolate(pack.name),
    description: describePack(pack, poolsOwnerName, texts, { round, beatmaps }),
    url,
    isUnlisted: pack.visibility !== 'public',
    ...(isOpen &&
      pack.visibility === 'public' && {
        structured: [
          packData(pack, url, makerOf(pack, settings, texts, round), language, beatmaps),
          breadcrumbs(settings, [texts.browse, `${siteUrl}/packs`], [isolate(pack.name), url]),
        ],
      }),
    ...(mayReadHistory(pack, '') && {
      feed: { title: texts.packChangesFeed, url: `${url}/history.atom` },
    }),
    ...(isOpen && {
      image: {
        url: `${url}/preview.png?v=${version}`,
        alt: texts.packPicture({ pack: pack.name }),
      },
    }),
  }
}

/** Whose a pack is, for search engines: an owner's, or the tournament's whose round it is. */
function makerOf(
  pack: SavedPack,
  { poolsOwnerName, poolsUrl }: Settings,
  texts: SiteTexts,
  round: PackExtras['round'],
): PackMaker {
  if (!round) return { owner: ownerIn(texts, ownerNameOf(pack, poolsOwnerName)) }
  const { slug, name } = round.tournament
  const credit = creditOf(pack, round, poolsOwnerName, texts)
  return { credit, tournament: { name, url: `${poolsUrl}/t/${slug}` } }
}

/**
 * `19 beatmaps, 5.31–7.81★, by Peridot. The owner's description.` The stars are those of the pack's picture (D-94). Of a
 * round, it names the round and its tournament in place of the owner.
 */
export function describePack(
  pack: SavedPack,
  poolsOwnerName: string,
  texts: SiteTexts,
  { round, beatmaps }: Pick<PackExtras, 'round' | 'beatmaps'> = {},
): string {
  const credit = creditOf(pack, round, poolsOwnerName, texts)
  const range =
    pack.stats && starsText(pack, pack.stats, beatmaps ? shownStars(beatmaps) : null, texts, '–')
  const count = texts.beatmaps({ n: pack.slots.length })
  const facts = range
    ? texts.packFactsWithStars({ beatmaps: count, stars: range, credit })
    : texts.packFacts({ beatmaps: count, credit })
  const words = pack.description?.replace(/\s+/g, ' ').trim() ?? ''
  return words === '' ? facts : `${facts} ${isolate(words)}`
}

/** As `readSlotStars`, of slots that are known. */
const shownStars = (beatmaps: readonly KnownSlot[]): (number | null)[] =>
  beatmaps.map(({ mods, details, stars = null }) =>
    stars === null && countsPlain(mods) ? (details?.stars ?? null) : stars,
  )

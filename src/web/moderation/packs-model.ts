import { useCallback, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { ModeratedPack, ModeratedPage } from '../../contract/moderation.ts'
import { isolate } from '../../pool/text.ts'
import { type Action, useAction } from '../action.ts'
import { call } from '../api.ts'
import { type Loaded, useLoad } from '../load.ts'
import { announce } from '../parts/toasts.tsx'
import { type Filter, queryOf } from './filter.ts'
import { moved } from './pin-drag.ts'

/** One page, and what was asked for: something else may be by now. */
export type Shown = ModeratedPage & { readonly filter: Filter }

/** Something that the site refused, to be read beside the table. */
export type Refusal = { readonly what: string; readonly error: unknown }

/** One page of packs, and what a moderator does about them. */
export type Desk = {
  readonly loaded: Loaded<Shown>
  readonly reload: () => void
  readonly refusal: Refusal | null
  readonly forgive: () => void
  /** The pack that a reason is asked for. */
  readonly asked: ModeratedPack | null
  readonly ask: (pack: ModeratedPack | null) => void
  readonly hiding: Action
  /** Hides or unhides the pack that was asked for. */
  readonly giveReason: (reason: string) => void
  readonly togglePin: (pack: ModeratedPack) => void
  /** Puts the pack at one place of the pinned row to another; nothing beyond its ends. */
  readonly movePin: (from: number, to: number) => void
}

/** What a moderator can decide about one pack. */
type Verdict = 'hide' | 'unhide' | 'pin' | 'unpin'

/** What was done, told of a pack: `Harbour Cup is hidden`. */
const doneOf: Readonly<Record<Verdict, string>> = {
  hide: 'hidden',
  unhide: 'unhidden',
  pin: 'pinned',
  unpin: 'unpinned',
}

/** What each is called by the site. */
const callOf = {
  hide: 'hidePack',
  unhide: 'unhidePack',
  pin: 'pinPack',
  unpin: 'unpinPack',
} as const satisfies Record<Verdict, string>

/** What was not done, told of a pack: `Harbour Cup was not pinned`. */
const notDoneOf: Readonly<Record<Verdict, string>> = {
  hide: 'could not be hidden',
  unhide: 'could not be unhidden',
  pin: 'could not be pinned',
  unpin: 'could not be unpinned',
}

/** The desk for the packs that the filter asks for. */
export function useDesk(filter: Filter): Desk {
  const load = useCallback(
    async (signal: AbortSignal): Promise<Shown> => ({
      ...(await call('listModerated', { query: queryOf(filter), signal })),
      filter,
    }),
    [filter],
  )
  const { reload, change, ...loaded } = useLoad(load)
  const [refusal, setRefusal] = useState<Refusal | null>(null)
  const [asked, setAsked] = useState<ModeratedPack | null>(null)
  const hiding = useAction()
  const focusLater = useFocusLater()
  const underWay = useRef(new Set<string>())
  const packs = loaded.value?.packs ?? []

  /** Shows the pack as the site says that it is now; in the pinned row, those that left it are gone. */
  const take = (now: ModeratedPack): void => {
    const leaves = loaded.value?.filter.only === 'pinned' && !now.isPinned
    const at = packs.findIndex(({ slug }) => slug === now.slug)
    // What was pressed may be gone: a hidden pack cannot be pinned.
    focusLater(leaves ? ((packs[at + 1] ?? packs[at - 1])?.slug ?? null) : now.slug)
    change((page) => ({
      ...page,
      packs: leaves
        ? page.packs.filter(({ slug }) => slug !== now.slug)
        : page.packs.map((pack) => (pack.slug === now.slug ? now : pack)),
      total: leaves ? page.total - 1 : page.total,
    }))
  }

  const done = (pack: ModeratedPack, verdict: Verdict, now: ModeratedPack): void => {
    setRefusal(null)
    take(now)
    announce(`${isolate(pack.name)} ${doneOf[verdict]}`)
  }

  const turnPin = async (pack: ModeratedPack): Promise<void> => {
    const verdict = pinningOf(pack)
    try {
      const reply = await call(callOf[verdict], { slug: pack.slug, body: {} })
      done(pack, verdict, reply.pack)
    } catch (error) {
      setRefusal({ what: `${isolate(pack.name)} ${notDoneOf[verdict]}`, error })
    }
  }
  const togglePin = (pack: ModeratedPack): void => {
    const { slug } = pack
    // Its button stays as it is meanwhile: one that is switched off would lose the focus.
    if (underWay.current.has(slug)) return
    underWay.current.add(slug)
    void turnPin(pack).finally(() => underWay.current.delete(slug))
  }

  const ask = (pack: ModeratedPack | null): void => {
    hiding.clear()
    setAsked(pack)
  }
  const giveReason = (reason: string): void =>
    void hiding.run(async () => {
      if (asked === null) return
      const verdict = hidingOf(asked)
      const { pack } = await call(callOf[verdict], { slug: asked.slug, body: { reason } })
      setAsked(null)
      done(asked, verdict, pack)
    })

  const sendOrder = usePinSender((error) => {
    setRefusal({ what: 'Could not reorder the pins', error })
    reload()
  })
  const movePin = (from: number, to: number): void => {
    const pack = packs[from]
    if (pack === undefined || to < 0 || to >= packs.length || from === to) return
    const order = moved(packs, from, to)
    setRefusal(null)
    change((page) => ({ ...page, packs: [...order] }))
    focusLater(pack.slug)
    announce(`${isolate(pack.name)} moved to position ${to + 1} of ${packs.length}`)
    void sendOrder(order.map(({ slug }) => slug))
  }

  const forgive = useCallback(() => setRefusal(null), [])
  return {
    loaded,
    reload,
    refusal,
    forgive,
    asked,
    ask,
    hiding,
    giveReason,
    togglePin,
    movePin,
  }
}

/** What has the focus where no row is left. */
export const SEARCH_ID = 'moderation-search'

/**
 * Keeps the focus on a row when the page has shown what has changed: on what has it, or had it, where
 * that is still there, else on the link of the row; null: on the search.
 */
function useFocusLater(): (slug: string | null) => void {
  const wanted = useRef<{ readonly slug: string | null; readonly had: Element | null } | null>(null)
  useLayoutEffect(() => {
    if (wanted.current === null) return
    const { slug, had } = wanted.current
    wanted.current = null
    const row = slug === null ? null : document.getElementById(rowId(slug))
    if (row?.contains(document.activeElement)) return
    const target = row?.contains(had) ? had : row?.querySelector('a')
    const fallback = document.getElementById(SEARCH_ID)
    ;((target ?? fallback) as HTMLElement | null)?.focus()
  })
  return (slug) => {
    wanted.current = { slug, had: document.activeElement }
  }
}

/** The id of a pack's row. */
export const rowId = (slug: string): string => `pack-${slug}`

/** What can be changed about its pin. */
export const pinningOf = ({ isPinned }: ModeratedPack): 'pin' | 'unpin' =>
  isPinned ? 'unpin' : 'pin'

/** What can be changed about whether others see the pack. */
export const hidingOf = ({ hiddenAt }: ModeratedPack): 'hide' | 'unhide' =>
  hiddenAt === undefined ? 'hide' : 'unhide'

/** Sends orders one after the other; of several that wait, the last alone. */
function usePinSender(onRefusal: (error: unknown) => void) {
  const wanted = useRef<readonly string[] | null>(null)
  const isSending = useRef(false)
  return async (slugs: readonly string[]): Promise<void> => {
    wanted.current = slugs
    if (isSending.current) return
    isSending.current = true
    try {
      while (wanted.current !== null) {
        const next = [...wanted.current]
        wanted.current = null
        await call('orderPins', { body: { slugs: next } })
      }
    } catch (error) {
      wanted.current = null
      onRefusal(error)
    } finally {
      isSending.current = false
    }
  }
}

/** Could it stand in the pinned row (D-30)? Whether there is room, the site knows. */
export const mayBePinned = ({ visibility, hiddenAt }: ModeratedPack): boolean =>
  visibility === 'public' && hiddenAt === undefined

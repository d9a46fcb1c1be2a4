import { useCallback, useRef, useState } from 'preact/hooks'
import type { ModeratedPack, ModeratedPage } from '../../contract/moderation.ts'
import { isolate } from '../../pool/text.ts'
import { useAskedAction } from '../action.ts'
import { call } from '../api.ts'
import { useFocusLater } from '../focus.ts'
import { useLoad } from '../load.ts'
import { announce } from '../parts/toasts.tsx'
import { type Filter, queryOf } from './filter.ts'
import { moved } from './pin-drag.ts'

/** One page, and what was asked for: something else may be by now. */
export type Shown = ModeratedPage & { readonly filter: Filter }

/** What has the focus where no row is left. */
export const SEARCH_ID = 'moderation-search'

/** What a moderator can decide about one pack: the call, and how the pack is then. */
const actions = {
  hide: ['hidePack', 'hidden'],
  unhide: ['unhidePack', 'unhidden'],
  pin: ['pinPack', 'pinned'],
  unpin: ['unpinPack', 'unpinned'],
} as const

type ModerationAction = keyof typeof actions

/** One page of the packs that the filter asks for, and what a moderator does about them. */
export function usePacks(filter: Filter) {
  const load = useCallback(
    async (signal: AbortSignal): Promise<Shown> => ({
      ...(await call('listModerated', { query: queryOf(filter), signal })),
      filter,
    }),
    [filter],
  )
  const { reload, change, ...loaded } = useLoad(load)
  /** Something that the site refused, to be read beside the table. */
  const [refusal, setRefusal] = useState<{ what: string; error: unknown } | null>(null)
  const hiding = useAskedAction<ModeratedPack>()
  const { asked, close } = hiding
  const focusLater = useFocusLater(SEARCH_ID)
  const underWay = useRef(new Set<string>())
  const packs = loaded.value?.packs ?? []

  /** Shows the pack as the site says that it is now; in the pinned row, those that left it are gone. */
  const take = (now: ModeratedPack): void => {
    const leaves = loaded.value?.filter.only === 'pinned' && !now.isPinned
    const at = packs.findIndex(({ slug }) => slug === now.slug)
    // What was pressed may be gone: a hidden pack cannot be pinned.
    const next = leaves ? (packs[at + 1] ?? packs[at - 1]) : now
    focusLater(next === undefined ? null : rowId(next.slug))
    change((page) => ({
      ...page,
      packs: leaves
        ? page.packs.filter(({ slug }) => slug !== now.slug)
        : page.packs.map((pack) => (pack.slug === now.slug ? now : pack)),
      total: leaves ? page.total - 1 : page.total,
    }))
  }

  const done = (pack: ModeratedPack, action: ModerationAction, now: ModeratedPack): void => {
    setRefusal(null)
    take(now)
    announce(`${isolate(pack.name)} ${actions[action][1]}`)
  }

  const turnPin = async (pack: ModeratedPack): Promise<void> => {
    const action = pinningOf(pack)
    try {
      const reply = await call(actions[action][0], { slug: pack.slug, body: {} })
      done(pack, action, reply.pack)
    } catch (error) {
      setRefusal({ what: `${isolate(pack.name)} could not be ${actions[action][1]}`, error })
    }
  }
  const togglePin = (pack: ModeratedPack): void => {
    const { slug } = pack
    // Its button stays as it is meanwhile: one that is switched off would lose the focus.
    if (underWay.current.has(slug)) return
    underWay.current.add(slug)
    void turnPin(pack).finally(() => underWay.current.delete(slug))
  }

  const giveReason = (reason: string): void =>
    hiding.run(async () => {
      if (asked === null) return
      const action = hidingOf(asked)
      const { pack } = await call(actions[action][0], { slug: asked.slug, body: { reason } })
      close()
      done(asked, action, pack)
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
    focusLater(rowId(pack.slug))
    announce(`${isolate(pack.name)} moved to position ${to + 1} of ${packs.length}`)
    void sendOrder(order.map(({ slug }) => slug))
  }

  const forgive = (): void => setRefusal(null)
  return { loaded, reload, refusal, forgive, hiding, giveReason, togglePin, movePin }
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

export type PacksModel = ReturnType<typeof usePacks>

import { useCallback, useRef, useState } from 'preact/hooks'
import type { ModeratedPack, ReasonedVerdict } from '../../contract/moderation.ts'
import { isolate } from '../../pool/text.ts'
import { useAskedAction } from '../action.ts'
import { call } from '../api.ts'
import { useFocusLater } from '../focus.ts'
import { useLoad } from '../load.ts'
import { announceInEnglish } from './announce-in-english.ts'
import { isUnknown } from '../site-failure.ts'
import { type Filter, queryOf } from './filter.ts'
import { moved } from './pin-drag.ts'

/** What a moderator can do with one pack: what its button says, and the state of the pack after it. */
export const actions = {
  hide: ['Hide', 'hidden'],
  unhide: ['Unhide', 'unhidden'],
  pin: ['Pin', 'pinned'],
  unpin: ['Unpin', 'unpinned'],
} as const

export const pinningOf = ({ isPinned }: ModeratedPack) => (isPinned ? 'unpin' : 'pin')

export const hidingOf = ({ hiddenAt }: ModeratedPack) =>
  hiddenAt === undefined ? 'hide' : 'unhide'

export const rowId = (slug: string): string => `pack-${slug}`

/** The id of the field that gets the focus if no row is left. */
export const SEARCH_ID = 'moderation-search'

export type PacksModel = ReturnType<typeof usePacks>

/** One page of the packs that the filter asks for, and what a moderator can do with them. */
export function usePacks(filter: Filter) {
  const load = useCallback(
    // With the filter that it was loaded for: the current one may have changed since.
    async (signal: AbortSignal) => ({
      ...(await call('listModerated', { query: queryOf(filter), signal })),
      filter,
    }),
    [filter],
  )
  const { reload, change, ...loaded } = useLoad(load)
  /** What the site has refused, shown above the table. */
  const [refusal, setRefusal] = useState<{ what: string; error: unknown } | null>(null)
  const hiding = useAskedAction<ModeratedPack>()
  const focusLater = useFocusLater(SEARCH_ID)
  const underWay = useRef(new Set<string>())
  const packs = loaded.value?.packs ?? []
  /** What is shown once an answer comes may be another page than when it was asked for. */
  const shown = useRef(loaded.value)
  shown.current = loaded.value

  /** Shows a pack as it is after an action; an unpinned one leaves the list of pinned packs. */
  const done = (action: keyof typeof actions, now: ModeratedPack): void => {
    const { current: page } = shown
    const rows = page?.packs ?? []
    const at = rows.findIndex(({ slug }) => slug === now.slug)
    const leaves = page?.filter.only === 'pinned' && !now.isPinned
    setRefusal(null)
    if (at >= 0) {
      // The button that was pressed may be gone: a hidden pack cannot be pinned.
      const next = leaves ? (rows[at + 1] ?? rows[at - 1]) : now
      focusLater(next === undefined ? null : rowId(next.slug))
      change((page) => ({
        ...page,
        packs: page.packs.flatMap((pack) => (pack.slug !== now.slug ? pack : leaves ? [] : now)),
        total: leaves ? page.total - 1 : page.total,
      }))
    }
    announceInEnglish(`${isolate(now.name)} ${actions[action][1]}`)
  }

  const togglePin = async (pack: ModeratedPack): Promise<void> => {
    const { slug, name } = pack
    // The button stays enabled meanwhile: a disabled one would lose the focus.
    if (underWay.current.has(slug)) return
    underWay.current.add(slug)
    const action = pinningOf(pack)
    try {
      done(action, (await call(`${action}Pack`, { slug, body: {} })).pack)
    } catch (error) {
      const what = isolate(name)
      setRefusal({
        what: isUnknown(error) ? what : `${what} could not be ${actions[action][1]}`,
        error,
      })
    } finally {
      underWay.current.delete(slug)
    }
  }

  const giveReason = (body: ReasonedVerdict): void =>
    hiding.run(async () => {
      if (hiding.asked === null) return
      const { slug } = hiding.asked
      const action = hidingOf(hiding.asked)
      const { pack } = await call(`${action}Pack`, { slug, body })
      hiding.close()
      done(action, pack)
    })

  const sendOrder = usePinSender((error) => {
    setRefusal({ what: isUnknown(error) ? 'Pins' : 'Could not reorder the pins', error })
    reload()
  })
  const movePin = (from: number, to: number): void => {
    const pack = packs[from]
    if (pack === undefined || to < 0 || to >= packs.length || from === to) return
    const order = moved(packs, from, to)
    setRefusal(null)
    change((page) => ({ ...page, packs: order }))
    focusLater(rowId(pack.slug))
    announceInEnglish(`${isolate(pack.name)} moved to position ${to + 1} of ${packs.length}`)
    sendOrder(order.map(({ slug }) => slug))
  }

  const clearRefusal = (): void => setRefusal(null)
  return { loaded, reload, refusal, clearRefusal, hiding, giveReason, togglePin, movePin }
}

/** Sends one order at a time; of several that wait, only the last; after a refusal, none of them. */
function usePinSender(onRefusal: (error: unknown) => void) {
  const queue = useRef(Promise.resolve())
  const last = useRef<string[] | null>(null)
  return (slugs: string[]): void => {
    last.current = slugs
    const send = async (): Promise<void> => {
      if (last.current === slugs) await call('orderPins', { body: { slugs } })
    }
    queue.current = queue.current.then(send).catch((error: unknown) => {
      last.current = null
      onRefusal(error)
    })
  }
}

import { useMemo, useRef, useState } from 'preact/hooks'
import type { Pack, Visibility } from '../../contract/packs.ts'
import { call, checkViewer } from '../api.ts'
import { useFocusLater } from '../focus.ts'
import { useLoad } from '../load.ts'
import { pageData } from '../page-data.ts'
import { type PackList, useBulkWork } from './bulk-work.ts'
import { useDeletion, useUnfinished } from './deletion.ts'
import { nextOf, rangeOf, showPacks, useView } from './view.ts'

/** The id of what gets the focus if no row is left. */
export const TITLE_ID = 'my-packs-title'

/** The id of what is at the foot of the window: what can be done to the packs that are chosen, and what is being done. */
export const FOOT_ID = 'my-packs-foot'

export const rowId = (slug: string): string => `pack-${slug}`

export type MyPacks = ReturnType<typeof useMyPacks>

/** The packs of the viewer, which of them are shown and chosen, and what is done to them. */
export function useMyPacks() {
  const { change, ...loaded } = useLoad(loadAll, true)
  const [view, changeView] = useView()
  const focusLater = useFocusLater(TITLE_ID)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const anchor = useRef<string | null>(null)
  const choose = (slugs: readonly string[], isChosen: boolean): void =>
    setChosen((before) => {
      const added = isChosen ? slugs : []
      return new Set([...[...before].filter((slug) => !slugs.includes(slug)), ...added])
    })
  const bulk = useBulkWork(change, ({ order, left, skipped }) => {
    if (order.kind === 'visibility') choose(slugsOf([...left, ...skipped]), true)
  })
  const { work, leaving } = bulk
  const deletion = useDeletion(bulk)
  const unfinished = useUnfinished(loaded.value)

  const all = useMemo(
    () => (loaded.value?.packs ?? []).filter(({ slug }) => !leaving.has(slug)),
    [loaded.value, leaving],
  )
  const shown = useMemo(() => showPacks(all, view), [all, view])
  // Only what is shown: nothing is changed that one does not see.
  const chosenPacks = shown.packs.filter(({ slug }) => chosen.has(slug))

  const remove = (packs: readonly Pack[]): void => {
    const next = nextOf(shown.packs, new Set(slugsOf(packs)))
    focusLater(next === null ? null : rowId(next))
    choose(slugsOf(packs), false)
    deletion.begin(packs)
  }
  return {
    ...loaded,
    total: loaded.value === null ? null : loaded.value.total - leaving.size,
    view,
    changeView,
    all,
    shown,
    chosen: chosenPacks,
    /** Chooses a pack or leaves it, with all from the last one on where `isRange`. */
    toggle: (slug: string, isChosen: boolean, isRange: boolean): void => {
      choose(isRange ? rangeOf(shown.packs, anchor.current, slug) : [slug], isChosen)
      anchor.current = slug
    },
    /** Chooses a pack and its neighbour, which is the next to go on from. */
    extend: (from: string, to: string): void => {
      choose([from, to], true)
      anchor.current = to
    },
    chooseAll: (isChosen: boolean): void => {
      choose(slugsOf(shown.packs), isChosen)
      anchor.current = null
    },
    chooseNone: (): void => {
      focusLater(FOOT_ID)
      setChosen(new Set())
    },
    setVisibility: (to: Visibility): void => {
      const others = chosenPacks.filter(({ visibility }) => visibility !== to)
      focusLater(FOOT_ID)
      choose(slugsOf(chosenPacks), false)
      work.add({ kind: 'visibility', to }, others)
    },
    remove,
    pending: deletion.pending,
    hold: deletion.hold,
    undo: (): void => {
      const [first] = deletion.undo()
      focusLater(first === undefined ? null : rowId(first.slug))
    },
    /** Leaves the rest of what is worked on as it is. */
    stop: (): void => {
      focusLater(FOOT_ID)
      work.cancel()
    },
    run: work.run,
    tryAgain: (): void => work.tryAgain(),
    skip: (): void => work.skip(),
    /** A pack as it is saved by now. The list takes it over when all are, so that no row moves meanwhile. */
    latest: (pack: Pack): Pack => bulk.saved.get(pack.slug) ?? pack,
    unfinished: unfinished.packs,
    finish: (doesDelete: boolean): void => {
      if (doesDelete) remove(unfinished.packs)
      else focusLater(null)
      unfinished.forget()
    },
  }
}

const slugsOf = (packs: readonly Pack[]): string[] => packs.map(({ slug }) => slug)

/** All pages; the first ones are shown while the rest is loaded. Once more if packs moved from page to page meanwhile. */
async function loadAll(signal: AbortSignal, show: (part: PackList) => void): Promise<PackList> {
  for (let isFirst = true; ; isFirst = false) {
    const found = new Map<string, Pack>()
    let total = 0
    for (let page = 1, pageCount = 1; page <= pageCount; page += 1) {
      // oxlint-disable-next-line no-await-in-loop -- the first page says how many there are
      const reply = await call('listMyPacks', { query: { page }, signal })
      // They are of the account that is signed in by now, which an empty list does not say.
      if (reply.packs[0]?.ownerName !== pageData().viewer?.username) await checkViewer()
      for (const pack of reply.packs) found.set(pack.slug, pack)
      ;({ pageCount, total } = reply)
      if (isFirst && page < pageCount) show({ packs: [...found.values()], total, isWhole: false })
    }
    if (found.size === total || !isFirst) {
      return { packs: [...found.values()], total: found.size, isWhole: true }
    }
  }
}

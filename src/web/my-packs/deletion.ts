import * as texts from '#texts/my-packs'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Pack } from '../../contract/packs.ts'
import type { WRITES_PER_MINUTE } from '../../contract/quotas.ts'
import { call } from '../api.ts'
import { fromStorage, listen } from '../browser.ts'
import { now } from '../format.ts'
import { dropKept, keep, type KeptKey, ownKey, ownKeys, readKept } from '../kept.ts'
import { announce } from '../parts/toasts.tsx'
import type { PackList, useBulkWork } from './bulk-work.ts'

/** As many as a minute takes: with fewer, work is a matter of a moment. Named by its type alone. */
export const FEW: typeof WRITES_PER_MINUTE = 10

/** For how long a deletion can be undone. */
const UNDO_MS = 10_000

/** Deletes packs after a while in which that can be undone; or at once if the page is left. */
export function useDeletion({ work, leaving, leave, stay }: ReturnType<typeof useBulkWork>) {
  const [pending, setPending] = useState<readonly Pack[]>([])
  const latest = useRef(pending)
  const timer = useRef(0)
  const journal = useMemo(() => keepUnfinished(), [])

  const set = (packs: readonly Pack[]): readonly Pack[] => {
    clearTimeout(timer.current)
    const before = latest.current
    latest.current = packs
    setPending(packs)
    return before
  }
  const commit = (): void => work.add({ kind: 'delete' }, set([]))
  /** What was deleted a moment ago can then be undone with it, again for the whole time. */
  const begin = (packs: readonly Pack[]): void => {
    leave(packs)
    set([...latest.current, ...packs])
    hold(false)
  }
  /** The time does not run while the pointer or the focus is where it can be undone. */
  const hold = (isHeld: boolean): void => {
    clearTimeout(timer.current)
    if (!isHeld && latest.current.length > 0) {
      timer.current = window.setTimeout(commit, UNDO_MS)
    }
  }
  const undo = (): readonly Pack[] => {
    const packs = set([])
    stay(packs)
    announce(
      packs.length === 1
        ? texts.packKept({ name: packs[0]!.name })
        : texts.packsKept({ n: packs.length }),
    )
    return packs
  }

  const { run } = work
  useEffect(() => journal.keep([...leaving.values()]), [leaving])
  useEffect(
    () =>
      listen({
        // As many as the site takes in a minute are sent even now; what it refuses is asked about next time.
        pagehide: () => {
          const due = [...latest.current, ...work.toDelete()]
          clearTimeout(timer.current)
          for (const { slug } of due.slice(0, FEW)) {
            call('deletePack', { slug, keepalive: true }).catch(() => {})
          }
          journal.release()
        },
        pageshow: ({ persisted }) => persisted && location.reload(),
      }),
    [],
  )
  const isUnsafe =
    leaving.size > FEW ||
    (run !== null && (run.order.kind === 'visibility' || run.phase !== 'working'))
  useEffect(
    () => (isUnsafe ? listen({ beforeunload: (event) => event.preventDefault() }) : undefined),
    [isUnsafe],
  )
  return { pending, begin, hold, undo }
}

/** What a window that was closed has not deleted any more. */
export function useUnfinished(list: PackList | null) {
  const [found, setFound] = useState<Unfinished>({ packs: [], names: [] })
  const isWhole = list?.isWhole === true
  useEffect(() => {
    if (list === null || !isWhole) return
    void findUnfinished(list.packs).then(setFound)
  }, [isWhole])
  const forget = (): void => {
    forgetUnfinished(found.names)
    setFound({ packs: [], names: [] })
  }
  return { packs: found.packs, forget }
}

/** A pack that is to be deleted, as it was when that was decided. */
type Deletion = Pick<Pack, 'slug' | 'updatedAt'>

/** What was decided longer ago is forgotten: the packs stay. */
const KEPT_MS = 7 * 86_400_000

/**
 * Keeps in the browser which packs this window is about to delete, so that a deletion is not lost with the window.
 * Each window has an entry of its own, locked while the page is open.
 */
function keepUnfinished() {
  const name = ownKey('deleting-packs', crypto.getRandomValues(new Uint32Array(2)).join(''))
  const { promise, resolve } = Promise.withResolvers<void>()
  // Not given to sites without TLS.
  globalThis.navigator.locks?.request(name, () => promise).catch(() => {})
  return {
    keep: (packs: readonly Deletion[]): void => {
      const list = packs.map(({ slug, updatedAt }) => ({ slug, updatedAt }))
      const text = JSON.stringify({ at: now(), packs: list })
      if (list.length === 0) dropKept(name)
      else keep(name, text)
    },
    release: () => resolve(),
  }
}

/** What windows that are closed now were about to delete, and the names of their entries. */
type Unfinished = { readonly packs: readonly Pack[]; readonly names: readonly KeptKey[] }

/** Finds these among the packs of an account; those that were saved since are left out. */
async function findUnfinished(packs: readonly Pack[]): Promise<Unfinished> {
  const { held = [] } = (await globalThis.navigator.locks?.query()) ?? {}
  const open = new Set(held.map((lock) => lock.name))
  const names = ownKeys('deleting-packs').filter((name) => !open.has(name))
  const deletions = new Map(
    names.flatMap((name) => readEntry(name).map(({ slug, updatedAt }) => [slug, updatedAt])),
  )
  const found = packs.filter(({ slug, updatedAt }) => deletions.get(slug) === updatedAt)
  if (found.length === 0) forgetUnfinished(names)
  return { packs: found, names }
}

function forgetUnfinished(names: readonly KeptKey[]): void {
  for (const name of names) dropKept(name)
}

function readEntry(name: KeptKey): Deletion[] {
  return fromStorage(() => {
    const entry = JSON.parse(readKept(name) ?? '') as { at: number; packs: Deletion[] }
    return now() - entry.at < KEPT_MS
      ? entry.packs.map(({ slug, updatedAt }) => ({ slug, updatedAt }))
      : []
  }, [])
}

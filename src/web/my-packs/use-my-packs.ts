import { useState } from 'preact/hooks'
import type { Pack, PackPage } from '../../contract/packs.ts'
import { isolate } from '../../pool/text.ts'
import { call } from '../api.ts'
import { type Action, type Loaded, useAction, useLoad } from '../hooks.ts'
import { readListPage } from '../parts/pager.tsx'
import { announce } from '../parts/toasts.tsx'

/** One page of the reader's packs, and what they do to them. */
export type MyPacks = {
  readonly loaded: Loaded<PackPage>
  readonly reload: () => void
  readonly action: Action
  /** What the reader is asked to confirm the end of. */
  readonly doomed: Pack | null
  readonly doom: (pack: Pack | null) => void
  readonly remove: () => void
  /** What has the focus once a pack is gone: the next one, or nothing where none is left. */
  readonly focus: { readonly slug: string | null } | null
}

const load = (signal: AbortSignal): Promise<PackPage> =>
  call('listMyPacks', { query: { page: readListPage(location.search) }, signal })

/** The pack that takes the place of one that goes: the one below it, else the one above. */
export const heirOf = (packs: readonly Pack[], slug: string): string | null => {
  const at = packs.findIndex((pack) => pack.slug === slug)
  return (packs[at + 1] ?? packs[at - 1])?.slug ?? null
}

/** Loads the page that the address asks for. */
export const useMyPacks = (): MyPacks => {
  const { reload, change, ...loaded } = useLoad(load)
  const action = useAction()
  const [doomed, setDoomed] = useState<Pack | null>(null)
  const [focus, setFocus] = useState<MyPacks['focus']>(null)
  const { clear, run } = action

  const doom = (pack: Pack | null): void => {
    clear()
    setDoomed(pack)
  }
  const remove = (): void =>
    void run(async () => {
      if (doomed === null) return
      await call('deletePack', { slug: doomed.slug })
      announce(`${isolate(doomed.name)} deleted`)
      setFocus({ slug: heirOf(loaded.value?.packs ?? [], doomed.slug) })
      setDoomed(null)
      change((page) => ({
        ...page,
        packs: page.packs.filter(({ slug }) => slug !== doomed.slug),
        total: page.total - 1,
      }))
      // The first one of the next page has come onto this one.
      reload()
    })
  return { loaded, reload, action, doomed, doom, remove, focus }
}

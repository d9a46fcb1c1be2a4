import { useCallback } from 'preact/hooks'
import { MAX_PACKS } from '../../contract/bounds.ts'
import type { Pack } from '../../contract/packs.ts'
import type { IndexEntry } from '../../contract/search-index.ts'
import { isolate } from '../../pool/text.ts'
import { useAskedAction } from '../action.ts'
import { call } from '../api.ts'
import { stepRows, useFocusLater } from '../focus.ts'
import { formatDay, formatNumber, rangeOf } from '../format.ts'
import { useLoad } from '../load.ts'
import { pageData } from '../page-data.ts'
import { Button, LinkButton, NewPackLink, SignInButton } from '../parts/buttons.tsx'
import { CopyButton } from '../parts/copying.tsx'
import { DeletePackDialog } from '../parts/delete-pack-dialog.tsx'
import { Icon } from '../parts/icons.tsx'
import { PersonText, shownText, VisibilityChip } from '../parts/labels.tsx'
import { FailureNotice, Notice, SkeletonRows } from '../parts/notices.tsx'
import { PackFacts, PackListHead } from '../parts/pack-rows.tsx'
import { Pager, PastTheEnd, readListPage } from '../parts/pager.tsx'
import { announce } from '../parts/toasts.tsx'
import '../style/pack-list.css'
import '../style/my-packs.css'

export const MyPacksPage = () => (
  <main id="main">
    {pageData().viewer === null ? (
      <>
        <h1>My packs</h1>
        <Notice title="Sign in to see your packs" actions={<SignInButton />}>
          Packs are saved to your account. You can create a pack or open a pack key without one.
        </Notice>
      </>
    ) : (
      <SignedIn />
    )}
  </main>
)

function SignedIn() {
  const packs = useMyPacks()
  const total = packs.value?.total
  return (
    <>
      <header class="my-packs-head">
        <div>
          <h1 id="my-packs-title" tabIndex={-1}>
            My packs
          </h1>
          {total !== undefined && (
            <p class={total < MAX_PACKS ? 'quiet-text tabular' : 'tabular'} role="status">
              {formatNumber(total)} of {MAX_PACKS}
              {total >= MAX_PACKS && '. Delete a pack to save another.'}
            </p>
          )}
        </div>
        <NewPackLink icon="plus" />
      </header>
      <MyPackList {...packs} />
    </>
  )
}

function useMyPacks() {
  const { change, ...loaded } = useLoad(loadPacks)
  const deletion = useAskedAction<Pack>()
  const focusLater = useFocusLater('my-packs-title')
  const { asked, close } = deletion
  const remove = (): void =>
    deletion.run(async () => {
      if (asked === null) return
      await call('deletePack', { slug: asked.slug })
      announce(`${isolate(asked.name)} deleted`)
      const next = heirOf(loaded.value?.packs ?? [], asked.slug)
      focusLater(next === null ? null : rowId(next))
      close()
      change((page) => ({
        ...page,
        packs: page.packs.filter(({ slug }) => slug !== asked.slug),
        total: page.total - 1,
      }))
      // The first one of the next page has moved to this one.
      loaded.reload()
    })
  return { ...loaded, deletion, remove }
}

const loadPacks = (signal: AbortSignal) =>
  call('listMyPacks', { query: { page: readListPage(location.search) }, signal })

/** The pack that follows one that is deleted: the one below it, else the one above. */
export function heirOf(packs: readonly Pack[], slug: string): string | null {
  const at = packs.findIndex((pack) => pack.slug === slug)
  return (packs[at + 1] ?? packs[at - 1])?.slug ?? null
}

function MyPackList(model: ReturnType<typeof useMyPacks>) {
  const { value, error, isLoading, reload, deletion, remove } = model
  if (error !== null) {
    return <FailureNotice title="Could not load your packs" error={error} onRetry={reload} />
  }
  if (value === null) {
    return (
      <div class="my-packs">
        <SkeletonRows rows={8} what="your packs" />
      </div>
    )
  }
  if (value.packs.length === 0 && !isLoading) {
    return value.total === 0 ? <NoPacks /> : <PastTheEnd what="packs" pageCount={value.pageCount} />
  }
  return (
    <div class="my-packs" aria-busy={isLoading}>
      <PackListHead class="my-pack" />
      <ul role="list" onKeyDown={stepRows('li', 'a')}>
        {value.packs.map((pack) => (
          <MyPackRow key={pack.slug} pack={pack} onDelete={() => deletion.ask(pack)} />
        ))}
      </ul>
      <Pager page={value.page} pageCount={value.pageCount} />
      <DeletePackDialog deletion={deletion} onConfirm={remove} />
    </div>
  )
}

const NoPacks = () => (
  <Notice
    title="No packs yet"
    actions={[<NewPackLink />, <LinkButton label="Open a key" href="/k" />]}
  >
    Paste a spreadsheet to create a pack, or open a pack key and save it as your own.
  </Notice>
)

function MyPackRow({ pack, onDelete }: { pack: Pack; onDelete: () => void }) {
  const { slug, name, visibility, description, hiddenAt } = pack
  const { siteUrl } = pageData()
  const path = `/p/${slug}`
  const what = isolate(name)
  const title = [name, description].filter(Boolean).map(shownText).join('\n')
  return (
    <li id={rowId(slug)} class="pack-row my-pack">
      <span class="row-name">
        <a href={path} dir="auto" title={title}>
          {shownText(name)}
        </a>
      </span>
      <PackFacts entry={entryOf(pack)}>
        <VisibilityChip visibility={visibility} />
      </PackFacts>
      <span class="my-pack-actions">
        <LinkButton tone="quiet" icon="edit" aria-label={`Edit ${what}`} href={`${path}/edit`} />
        <CopyButton tone="quiet" icon="link" what={`link to ${what}`} text={siteUrl + path} />
        <Button tone="quiet" icon="trash" aria-label={`Delete ${what}`} onClick={onDelete} />
      </span>
      {hiddenAt !== undefined && <HiddenNote slug={slug} hiddenAt={hiddenAt} />}
    </li>
  )
}

const rowId = (slug: string): string => `pack-${slug}`

/** A pack as an entry of the search index, so that it is shown in the same row. */
export function entryOf({ slug, name, ownerName, stats, ...pack }: Pack): IndexEntry {
  const r = stats && rangeOf(stats.srMin, stats.srMax)
  const l = stats && rangeOf(stats.lenMin, stats.lenMax)
  const b = stats && rangeOf(stats.bpmMin, stats.bpmMax)
  return {
    s: slug,
    n: name,
    o: ownerName,
    c: pack.slots.length,
    d: pack.description ?? '',
    u: pack.updatedAt,
    t: pack.createdAt,
    ...(r && { r }),
    ...(stats && stats.srAvg !== null && { a: stats.srAvg }),
    ...(l && { l }),
    ...(b && { b }),
    ...(stats && { m: stats.mods.join(','), g: stats.modes.join(','), k: stats.complete }),
  }
}

/** Why others do not see a pack. The reason is not in the list: it is read from the pack. */
function HiddenNote({ slug, hiddenAt }: { slug: string; hiddenAt: string }) {
  const loadPack = useCallback((signal: AbortSignal) => call('getPack', { slug, signal }), [slug])
  const reason = useLoad(loadPack).value?.pack.hiddenReason
  return (
    <p class="my-pack-hidden">
      <Icon name="hidden" />
      <span>
        Hidden by a moderator on <time dateTime={hiddenAt}>{formatDay(hiddenAt)}</time>
        {reason === undefined ? '.' : [': “', <PersonText text={reason} />, '”.']} Only you and
        moderators can see it.
      </span>
    </p>
  )
}

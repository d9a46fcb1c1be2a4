import { MAX_PACKS, QUERY_LENGTH } from '../../contract/bounds.ts'
import { useScrollRestoration } from '../browser.ts'
import { count, formatNumber } from '../format.ts'
import { pageData } from '../page-data.ts'
import { Button, LinkButton, NewPackLink, SignInButton } from '../parts/buttons.tsx'
import { FailureNotice, Notice, SkeletonRows } from '../parts/notices.tsx'
import { SearchField } from '../parts/search-field.tsx'
import { SortBy } from '../parts/sort-by.tsx'
import { Foot } from './foot.tsx'
import { type MyPacks, TITLE_ID, useMyPacks } from './model.ts'
import { PackList } from './pack-list.tsx'
import { isListOrder, isNarrowed, orders, type SortKey, states } from './view.ts'
import '../style/browse.css'
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

type ModelProps = { readonly model: MyPacks }

function SignedIn() {
  const model = useMyPacks()
  const { total } = model
  useScrollRestoration(model.value?.isWhole === true)
  return (
    <>
      <header class="my-packs-head">
        <div>
          <h1 id={TITLE_ID} tabIndex={-1}>
            My packs
          </h1>
          {total !== null && (
            <p class={total < MAX_PACKS ? 'quiet-text tabular' : 'tabular'} role="status">
              {formatNumber(total)} of {MAX_PACKS}
              {total >= MAX_PACKS && '. Delete a pack to save another.'}
            </p>
          )}
        </div>
        <NewPackLink icon="plus" />
      </header>
      <UnfinishedNote model={model} />
      <div class="my-packs" aria-busy={model.isLoading}>
        <Content model={model} />
        <Foot model={model} />
      </div>
    </>
  )
}

function Content({ model }: ModelProps) {
  const { value, total, error, isLoading, reload, view, shown } = model
  const failure = error !== null && (
    <FailureNotice
      title={value === null ? 'Could not load your packs' : 'Could not load the rest of your packs'}
      error={error}
      onRetry={reload}
    />
  )
  const skeleton = <SkeletonRows rows={8} what="your packs" />
  if (value === null) return failure || skeleton
  if (total === 0) return <NoPacks />
  // In another order, packs that are loaded later would come between those that are there.
  const isReady = value.isWhole || !isLoading || isListOrder(view)
  return (
    <>
      <Toolbar model={model} />
      {!isReady && skeleton}
      {isReady && shown.packs.length === 0 && !isLoading && <NothingFound model={model} />}
      {isReady && shown.packs.length > 0 && <PackList model={model} />}
      {failure}
    </>
  )
}

/** What is searched for, in which state and order, and how much that is. */
function Toolbar({ model }: ModelProps) {
  const { view, changeView, shown, all, value } = model
  const { counts } = shown
  const filters = states.filter(
    (state) =>
      state !== 'hidden' || view.state === state || all.some((pack) => pack.hiddenAt !== undefined),
  )
  const found = shown.packs.length
  return (
    <div class="my-packs-tools">
      <SearchField
        label="Search your packs by name or description"
        placeholder="Search your packs"
        value={view.query}
        maxLength={QUERY_LENGTH}
        onType={(query) => changeView({ query })}
      />
      <span class="my-packs-order">
        <SortBy
          orders={orders}
          keys={Object.keys(orders) as SortKey[]}
          sort={view.sort}
          isReversed={view.isReversed}
          change={changeView}
        />
      </span>
      <div class="my-packs-states" role="group" aria-label="Visibility">
        {([null, ...filters] as const).map((state) => (
          <button
            key={state}
            type="button"
            aria-pressed={view.state === state}
            onClick={() => changeView({ state })}
          >
            <span>{state ?? 'all'}</span> <span class="tabular">{counts[state ?? 'all']}</span>
          </button>
        ))}
      </div>
      <p class="sr-only" role="status">
        {value?.isWhole !== true
          ? 'Loading the rest of your packs …'
          : isNarrowed(view) && `${found} of ${count(all.length, 'pack')}`}
      </p>
    </div>
  )
}

function NothingFound({ model: { view, changeView } }: ModelProps) {
  const clear = (
    <Button
      tone="primary"
      label="Show all packs"
      onClick={() => changeView({ query: '', state: null })}
    />
  )
  return (
    <Notice title="No matching packs" actions={clear}>
      {view.query.trim() === ''
        ? `None of your packs is ${view.state ?? ''}.`
        : `Names and descriptions${view.state === null ? '' : ` of ${view.state} packs`} have been searched. Try fewer words.`}
    </Notice>
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

/** Asks what was left undone: a page was closed before the site had deleted everything. */
function UnfinishedNote({ model: { unfinished, finish } }: ModelProps) {
  if (unfinished.length === 0) return null
  const packs = count(unfinished.length, 'pack')
  const isOne = unfinished.length === 1
  return (
    <section class="my-packs-unfinished" aria-labelledby="unfinished-title">
      <p>
        <b id="unfinished-title">
          {packs} that you deleted {isOne ? 'is' : 'are'} still here.
        </b>{' '}
        The page was closed before {isOne ? 'it was' : 'all were'} deleted.
      </p>
      <p class="actions">
        <Button tone="danger" label={`Delete ${packs}`} onClick={() => finish(true)} />
        <Button label={isOne ? 'Keep it' : 'Keep them'} onClick={() => finish(false)} />
      </p>
    </section>
  )
}

import * as texts from '#texts/my-packs'
import { MAX_PACKS, QUERY_LENGTH } from '../../contract/bounds.ts'
import { useScrollRestoration } from '../browser.ts'
import { pageData } from '../page-data.ts'
import { Button, LinkButton, NewPackLink, SignInButton } from '../parts/buttons.tsx'
import { FailureNotice, Notice, SkeletonRows } from '../parts/notices.tsx'
import { Sentences } from '../parts/sentences.tsx'
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
        <h1>{texts.title}</h1>
        <Notice title={texts.signInToSee} actions={<SignInButton />}>
          {texts.signInMeans}
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
            {texts.title}
          </h1>
          {total !== null && (
            <p class={total < MAX_PACKS ? 'quiet-text tabular' : 'tabular'} role="status">
              {(total < MAX_PACKS ? texts.packsOf : texts.packsFull)({ n: total, most: MAX_PACKS })}
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
      title={value === null ? texts.notLoaded : texts.restNotLoaded}
      error={error}
      onRetry={reload}
    />
  )
  const skeleton = <SkeletonRows rows={8} label={texts.loadingPacks} />
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
  const { view, changeView, shown, all, value, isLoading } = model
  const { counts } = shown
  const filters = states.filter(
    (state) =>
      state !== 'hidden' || view.state === state || all.some((pack) => pack.hiddenAt !== undefined),
  )
  const found = shown.packs.length
  return (
    <div class="my-packs-tools">
      <SearchField
        label={texts.search}
        placeholder={texts.searchHint}
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
      <div class="my-packs-states" role="group" aria-label={texts.visibility}>
        {([null, ...filters] as const).map((state) => (
          <button
            key={state}
            type="button"
            aria-pressed={view.state === state}
            onClick={() => changeView({ state })}
          >
            <span>{stateNames[state ?? 'all']}</span>{' '}
            <span class="tabular">{counts[state ?? 'all']}</span>
          </button>
        ))}
      </div>
      <p class="sr-only" role="status">
        {value?.isWhole !== true
          ? isLoading && texts.loadingRest
          : isNarrowed(view) && texts.foundOf({ found, n: all.length })}
      </p>
    </div>
  )
}

const stateNames = {
  all: texts.anyState,
  public: texts.publicState,
  unlisted: texts.unlistedState,
  private: texts.privateState,
  hidden: texts.hiddenState,
} as const

const nothingIn = {
  public: texts.nonePublic,
  unlisted: texts.noneUnlisted,
  private: texts.nonePrivate,
  hidden: texts.noneHidden,
} as const

const searchedIn = {
  all: texts.searched,
  public: texts.searchedPublic,
  unlisted: texts.searchedUnlisted,
  private: texts.searchedPrivate,
  hidden: texts.searchedHidden,
} as const

function NothingFound({ model: { view, changeView } }: ModelProps) {
  const clear = (
    <Button
      tone="primary"
      label={texts.showAll}
      onClick={() => changeView({ query: '', state: null })}
    />
  )
  return (
    <Notice title={texts.noMatches} actions={clear}>
      {view.query.trim() === '' && view.state !== null
        ? nothingIn[view.state]
        : searchedIn[view.state ?? 'all']}
    </Notice>
  )
}

const NoPacks = () => (
  <Notice
    title={texts.noPacks}
    actions={[<NewPackLink />, <LinkButton label={texts.openKey} href="/k" />]}
  >
    {texts.noPacksMeans}
  </Notice>
)

/** Asks what was left undone: a page was closed before the site had deleted everything. */
function UnfinishedNote({ model: { unfinished, finish } }: ModelProps) {
  if (unfinished.length === 0) return null
  const n = unfinished.length
  return (
    <section class="my-packs-unfinished" aria-labelledby="unfinished-title">
      <p>
        <Sentences
          of={[<b id="unfinished-title">{texts.unfinished({ n })}</b>, texts.unfinishedWhy({ n })]}
        />
      </p>
      <p class="actions">
        <Button tone="danger" label={texts.deletePacks({ n })} onClick={() => finish(true)} />
        <Button label={texts.keepPacks({ n })} onClick={() => finish(false)} />
      </p>
    </section>
  )
}

import type { TargetedSubmitEvent } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import { QUERY_LENGTH } from '../../contract/bounds.ts'
import { searchWords } from '../../contract/page-data.ts'
import type { SitePack } from '../../contract/packs.ts'
import { count, rangeOf } from '../format.ts'
import { beatmapHref, ownerHref, pageData } from '../page-data.ts'
import { Button, LinkButton, NewPackLink } from '../parts/buttons.tsx'
import { PersonText } from '../parts/labels.tsx'
import { PackListHead } from '../parts/pack-rows.tsx'
import { SearchField } from '../parts/search-field.tsx'
import { DraftStory, PoolStory } from '../parts/stories.tsx'
import { announce } from '../parts/toasts.tsx'
import { keepPastedText } from '../pasted-text.ts'
import { useBeatmaps } from '../pool/beatmaps.ts'
import { shownStats } from '../pool/pool-stats.ts'
import { SlotLabel, SlotStars } from '../pool/slot-parts.tsx'
import { type SlotView, slotViews, usesOf } from '../pool/slots.ts'
import { StarPlot } from '../pool/star-plot.tsx'
import { PinnedPacks } from './catalogue.tsx'
import { FoundRows } from './found.tsx'
import '../style/browse.css'
import '../style/front-page.css'
import '../style/pack-list.css'

export function FrontPage() {
  const { found, pack } = pageData()
  return (
    <main id="main" class="front">
      <div class="front-top">
        <div>
          <h1>Map packs for tournaments</h1>
          <ul class="front-uses" role="list">
            <li>
              <b>Hosts</b> paste a sheet and get a pool with stars, lengths and mods calculated.
            </li>
            <li>
              <b>Players</b> find every pack and where a map was pooled, and open it in one click.
            </li>
            <li>
              <b>Bots</b> read and write packs over a JSON API, each with its own key.
            </li>
          </ul>
          <FindPacks />
          <p class="actions">
            <NewPackLink />
            <LinkButton label="Open a key" href="/k" />
            <LinkButton tone="quiet" label="API guide" href="/docs/api" />
          </p>
          <PasteStart />
        </div>
        {pack ? <OpenPool pack={pack} /> : <PoolStory />}
      </div>
      <div class="stories">
        <DraftStory />
      </div>
      <PinnedPacks />
      {found && found.packs.length > 0 ? (
        <section class="front-newest results" aria-labelledby="newest-title">
          <h2 id="newest-title">Newest packs</h2>
          <PackListHead />
          <FoundRows packs={found.packs} />
          <p class="actions">
            <LinkButton label={`Browse all ${count(found.searched, 'pack')}`} href="/packs" />
          </p>
        </section>
      ) : (
        <p class="actions">
          <LinkButton label="Browse packs" href="/packs" />
        </p>
      )}
    </main>
  )
}

/** Without a script, a form like any other. */
function FindPacks() {
  const [query, setQuery] = useState('')
  return (
    <form class="front-search" role="search" action="/packs">
      <SearchField
        name="q"
        {...searchWords.packs}
        value={query}
        maxLength={QUERY_LENGTH}
        onType={setQuery}
      />
      <Button type="submit" label="Search" />
    </form>
  )
}

function PasteStart() {
  const [text, setText] = useState('')
  const open = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault()
    if (keepPastedText(text)) location.assign('/new')
    else
      announce('Your browser blocks storage for this site. Paste the sheet in the editor instead.')
  }
  return (
    <form class="front-paste needs-script" onSubmit={open}>
      <label for="front-paste">Paste your sheet</label>
      <textarea
        id="front-paste"
        class="field"
        rows={3}
        spellcheck={false}
        placeholder={'NM1\t129891\nHD1\thttps://osu.ppy.sh/b/75'}
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
      <Button type="submit" label="Open in the editor" disabled={text.trim() === ''} />
    </form>
  )
}

const ROWS = 6

/** Whose the pack is: of a tournament's, the round. */
function Credit({ ownerName }: Pick<SitePack, 'ownerName'>) {
  const { round, poolsUrl } = pageData()
  if (round === undefined)
    return <>by {<PersonText href={ownerHref(ownerName)} text={ownerName} />}</>
  const { slug, name } = round.tournament
  return (
    <>
      <PersonText text={round.name} /> of <PersonText href={`${poolsUrl}/t/${slug}`} text={name} />
    </>
  )
}

function OpenPool({ pack }: { pack: SitePack }) {
  const pool = useMemo(() => ({ slots: pack.slots, buckets: pack.buckets ?? null }), [pack])
  const beatmaps = useBeatmaps(
    useMemo(() => usesOf(pool), [pool]),
    pack.slug,
  )
  const slots = slotViews(pool, beatmaps.views)
  const { srMin, srMax } = shownStats(pack.stats, slots)
  const path = `/p/${pack.slug}`
  return (
    <section class="front-pool" aria-labelledby="front-pool-title">
      <h2 id="front-pool-title">
        <PersonText href={path} text={pack.name} />
      </h2>
      <p class="front-pool-owner">
        <Credit ownerName={pack.ownerName} />, {count(pack.slots.length, 'map')}
      </p>
      <StarPlot
        slots={slots}
        expected={rangeOf(srMin, srMax) ?? []}
        onPick={() => location.assign(path)}
      />
      <ul class="front-slots" role="list">
        {slots.slice(0, ROWS).map((slot) => (
          <li key={slot.label}>
            <SlotLabel slot={slot} />
            <a href={beatmapHref(slot.slot.beatmapId)} dir="auto">
              {titleOf(slot)}
            </a>
            <SlotStars slot={slot} />
          </li>
        ))}
      </ul>
      {slots.length > ROWS && <a href={path}>{count(slots.length - ROWS, 'more map')}</a>}
    </section>
  )
}

const titleOf = ({ slot, beatmap }: SlotView): string =>
  beatmap.state === 'known' ? beatmap.details.title : `Beatmap ${slot.beatmapId}`

import * as words from '#texts/common'
import * as texts from '#texts/home'
import type { TargetedSubmitEvent } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import { QUERY_LENGTH } from '../../contract/bounds.ts'
import type { SitePack } from '../../contract/packs.ts'
import { rangeOf } from '../format.ts'
import { hreflangOf, beatmapHref, ownerHref, pageData } from '../page-data.ts'
import { Button, LinkButton, NewPackLink } from '../parts/buttons.tsx'
import { ownerText, PersonText } from '../parts/labels.tsx'
import { PackListHead } from '../parts/pack-rows.tsx'
import { FrontSearch } from '../parts/search-field.tsx'
import { DraftStory, PoolStory } from '../parts/stories.tsx'
import { announce } from '../parts/toasts.tsx'
import { takeTyped } from '../parts/typed-text.ts'
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
          <h1>{texts.title}</h1>
          <ul class="front-uses" role="list">
            {[texts.forHosts, texts.forPlayers, texts.forBots].map((use) => (
              <li>{use({ b: (children) => <b>{children}</b> })}</li>
            ))}
          </ul>
          <FrontSearch
            action="/packs"
            start=""
            label={words.searchPacks}
            placeholder={words.searchPacksHint}
            maxLength={QUERY_LENGTH}
            button={words.search}
          />
          <p class="actions">
            <NewPackLink />
            <LinkButton label={texts.openKey} href="/k" />
            <LinkButton
              tone="quiet"
              label={words.apiGuide}
              href="/docs/api"
              {...hreflangOf('/docs/api')}
            />
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
          <h2 id="newest-title">{texts.newestPacks}</h2>
          <PackListHead />
          <FoundRows packs={found.packs} />
          <p class="actions">
            <LinkButton label={texts.browseAll({ n: found.searched })} href="/packs" />
          </p>
        </section>
      ) : (
        <p class="actions">
          <LinkButton label={texts.browsePacks} href="/packs" />
        </p>
      )}
    </main>
  )
}

function PasteStart() {
  const [text, setText] = useState('')
  const open = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault()
    if (keepPastedText(text)) {
      takeTyped()
      location.assign('/new')
    } else announce(texts.storageBlocked)
  }
  return (
    <form class="front-paste needs-script" onSubmit={open}>
      <label for="front-paste">{texts.pasteSheet}</label>
      <textarea
        id="front-paste"
        class="field"
        rows={3}
        spellcheck={false}
        placeholder={'NM1\t129891\nHD1\thttps://osu.ppy.sh/b/75'}
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
      <Button type="submit" label={texts.openInEditor} disabled={text.trim() === ''} />
    </form>
  )
}

const ROWS = 6

/** Whose the pack is, of a tournament's, the round; and how many beatmaps it has. */
function Credit({ pack: { ownerName, slots } }: { pack: SitePack }) {
  const { round, poolsUrl } = pageData()
  const n = slots.length
  if (round === undefined) {
    const owner = <PersonText href={ownerHref(ownerName)} text={ownerText(ownerName)} />
    return <>{texts.creditOwner({ owner, n })}</>
  }
  const { slug, name } = round.tournament
  const tournament = <PersonText href={`${poolsUrl}/t/${slug}`} text={name} />
  return <>{texts.creditRound({ round: <PersonText text={round.name} />, tournament, n })}</>
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
        <Credit pack={pack} />
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
      {slots.length > ROWS && <a href={path}>{texts.moreMaps({ n: slots.length - ROWS })}</a>}
    </section>
  )
}

const titleOf = ({ slot, beatmap }: SlotView): string =>
  beatmap.state === 'known' ? beatmap.details.title : texts.beatmap({ id: String(slot.beatmapId) })

import * as texts from '#texts/common'
import type { ComponentChildren } from 'preact'
import type { IndexEntry } from '../../contract/search-index.ts'
import {
  formatBpm,
  formatDay,
  formatLength,
  formatList,
  formatRange,
  formatSentences,
} from '../format.ts'
import { ownerHref } from '../page-data.ts'
import { ModChip, ownerText, shownText } from './labels.tsx'
import { StarBar, StarRange } from './stars.tsx'
import { Time } from './times.tsx'

/** Names the columns of numbers; each row does so itself for screen readers. */
export const PackListHead = ({ class: name = '' }) => (
  <div class={`pack-row ${name} list-head`} aria-hidden="true">
    <span class="row-about">{texts.pack}</span>
    <span class="row-stars">{texts.stars}</span>
    <span class="row-length">{texts.length}</span>
    <span class="row-bpm">{texts.bpm}</span>
    <span class="row-updated">{texts.updated}</span>
  </div>
)

type PackFactsProps = { entry: IndexEntry; children: ComponentChildren }

/** The lines of a row below the pack's name, with `children` as the first fact. */
export const PackFacts = ({ entry: { c, m, r, a, k, l, b, u }, children }: PackFactsProps) => (
  <>
    <span class="row-about">
      {children}
      <span class="row-count">{texts.mapCount({ n: c })}</span>
    </span>
    <Mods codes={m?.split(',').filter(Boolean) ?? []} />
    <span class="row-stars" title={k === false ? texts.someLoading : undefined}>
      {r === undefined ? (
        <span class="quiet-text">{texts.noStarsYet}</span>
      ) : (
        <>
          <StarRange range={r} />
          <StarBar range={r} average={a} />
        </>
      )}
    </span>
    <span class="row-length">
      {l ? formatRange(l, formatLength) : <Unknown text={texts.lengthUnknown} />}
      {l && <span class="row-unit"> {texts.minutesUnit}</span>}
    </span>
    <span class="row-bpm">
      {b ? formatRange(b, formatBpm) : <Unknown text={texts.bpmUnknown} />}
      {b && <span class="row-unit"> {texts.bpm}</span>}
    </span>
    <Time
      at={u}
      as="short"
      class="row-updated"
      before={`${texts.updated} `}
      title={texts.updatedOn({ day: formatDay(u) })}
    />
  </>
)

/** As many as fit on one line; one fewer when the rest is counted. */
const MOST_MODS = 6

function Mods({ codes }: { codes: readonly string[] }) {
  const shown = codes.length > MOST_MODS ? MOST_MODS - 1 : codes.length
  const rest = formatList(codes.slice(shown))
  return (
    <span class="row-mods">
      {codes.slice(0, shown).map((code) => (
        <ModChip key={code} code={code} />
      ))}
      {rest !== '' && (
        <span class="row-more" title={rest}>
          +{codes.length - shown}
          <span class="sr-only">: {rest}</span>
        </span>
      )}
    </span>
  )
}

const Unknown = ({ text }: { text: string }) => (
  <span class="quiet-text" title={text}>
    <span aria-hidden="true">–</span>
    <span class="sr-only">{text}</span>
  </span>
)

/**
 * A row of two lines, three on a phone. The name has a line of its own and leads to the pack: one stop for Tab,
 * since lists are long; the pack's page leads to the owner, too.
 */
export function PackRow(entry: IndexEntry) {
  const { s, n, o, d } = entry
  // The link covers the row, so that its title is the one that hovering shows.
  const title = [n, texts.byOwner({ owner: ownerText(o) }), d].filter(Boolean)
  return (
    <>
      <span class="row-name">
        <a href={`/p/${s}`} dir="auto" title={title.map(shownText).join('\n')}>
          {shownText(n)}
        </a>
      </span>
      <PackFacts entry={entry}>
        <span class="row-owner" dir="auto">
          <span class="sr-only" dir="ltr">
            {formatSentences([texts.by, ''])}
          </span>
          <a href={ownerHref(o)} tabIndex={-1}>
            {ownerText(o)}
          </a>
        </span>
      </PackFacts>
    </>
  )
}

import * as texts from '#texts/pool-page'
import type { ChangedSlot } from '../../contract/page-data.ts'
import type { Bucket } from '../../contract/pools.ts'
import type { RoundSlot } from '../../contract/rounds.ts'
import { slotLabel, slotsInPoolOrder } from '../../pool/slots.ts'
import { pageData } from '../page-data.ts'
import { OutsideLink } from '../parts/buttons.tsx'
import { PersonText, shownText } from '../parts/labels.tsx'
import { Time } from '../parts/times.tsx'
import { detailsText } from './slot-words.ts'
import '../style/round-extras.css'

// What a released round shows besides the beatmaps of its pack.

/** Of the round that the pack of the page was released for. */
export function PackRound({ buckets }: Pick<PlannedSlotsProps, 'buckets'>) {
  const { round, changes } = pageData()
  if (round === undefined) return null
  return (
    <>
      <ChangedSlots slots={changes?.slots ?? []} />
      <RoundLinks {...round} />
      <PlannedSlots
        buckets={buckets}
        slots={round.planned ?? []}
        titleId="planned-title"
        heading="h2"
      />
    </>
  )
}

/** `NM1 changed on 24 Nov`, the last one first. */
export const ChangedSlots = ({ slots }: { readonly slots: readonly ChangedSlot[] }) =>
  slots.length === 0 ? null : (
    <ul class="changed-slots" role="list" aria-label={texts.changedSinceRelease}>
      {slots.map(({ label, at }) => (
        <li key={label}>
          {texts.slotChanged({
            slot: <b>{shownText(label)}</b>,
            time: <Time at={at} as="short" />,
          })}
        </li>
      ))}
    </ul>
  )

type RoundLinksProps = {
  readonly mapPackUrl?: string | undefined
  readonly showcaseUrl?: string | undefined
}

/** Where all beatmaps can be had, and where the round is presented (D-85). */
export const RoundLinks = ({ mapPackUrl, showcaseUrl }: RoundLinksProps) =>
  mapPackUrl === undefined && showcaseUrl === undefined ? null : (
    <p class="round-links">
      {mapPackUrl !== undefined && <OutsideLink href={mapPackUrl} label={texts.downloadMapPack} />}
      {showcaseUrl !== undefined && <OutsideLink href={showcaseUrl} label={texts.watchShowcase} />}
    </p>
  )

type PlannedSlotsProps = {
  readonly buckets?: readonly Bucket[] | undefined
  readonly slots: readonly RoundSlot[]
  readonly titleId: string
  /** Of the section that they are in. */
  readonly heading?: 'h2' | 'h3'
}

/** The slots that were released without a beatmap, and what is known of each (D-78). */
export function PlannedSlots({
  buckets,
  slots,
  titleId,
  heading: Heading = 'h3',
}: PlannedSlotsProps) {
  const planned = slots.filter(({ beatmapId }) => beatmapId === undefined)
  if (planned.length === 0) return null
  return (
    <section class="planned-slots" aria-labelledby={titleId}>
      <Heading id={titleId}>{texts.stillToCome}</Heading>
      <dl>
        {slotsInPoolOrder({ buckets, slots: planned }).map((slot) => (
          <div key={slotLabel(slot)}>
            <dt>{shownText(slotLabel(slot))}</dt>
            <dd>
              <PersonText text={plannedText(slot)} />
              {slot.link !== undefined && <OutsideLink href={slot.link} label={texts.getMap} />}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

/** What is planned for a slot without a beatmap: the beatmap, as far as it is known, and the host's note. */
export function plannedText({
  placeholder = '',
  details = {},
}: Pick<RoundSlot, 'placeholder' | 'details'>): string {
  const made = detailsText(details)
  if (made !== '' && placeholder !== '') return texts.mapAndNote({ map: made, note: placeholder })
  return made || placeholder || texts.notChosen
}

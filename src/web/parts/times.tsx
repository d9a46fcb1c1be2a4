import { formatDay, formatMoment, formatShortDay, formatUtc } from '../format.ts'

/** The day is named twice only where it differs. */
function formatBothZones(at: string): string {
  const [local, utc, day] = [formatMoment(at), formatUtc(at), `${formatDay(at)}, `]
  if (utc === `${local} UTC`) return utc
  return `${local} (${utc.startsWith(day) ? utc.slice(day.length) : utc})`
}

const formats = {
  day: formatDay,
  moment: formatMoment,
  short: formatShortDay,
  zones: formatBothZones,
} as const

type TimeProps = {
  readonly at: string
  /** `zones`: in the reader's zone and in UTC, `1 Dec 2026, 19:00 (18:00 UTC)`. */
  readonly as?: keyof typeof formats
  readonly class?: string
  readonly title?: string
  /** What screen readers read before it. */
  readonly before?: string
}

/**
 * A moment as the reader writes it. `theme.ts` writes it so before the page is painted, by the same formats:
 * the server, which knows neither zone nor language, has written it in UTC.
 */
export const Time = ({ at, as = 'moment', before, ...rest }: TimeProps) => (
  <time {...rest} dateTime={at} data-as={as}>
    {before !== undefined && <span class="sr-only">{before}</span>}
    {formats[as](at)}
  </time>
)

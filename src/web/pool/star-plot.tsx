import * as texts from '#texts/plot'
import type { ComponentChildren, RefObject, TargetedPointerEvent } from 'preact'
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { isCustom } from '../../pool/slots.ts'
import { placeSlots } from '../../pool/star-scale.ts'
import { listen } from '../browser.ts'
import { formatStars, formatTenths } from '../format.ts'
import { isServed } from '../page-data.ts'
import { Icon } from '../parts/icons.tsx'
import { PlotCard } from './plot-card.tsx'
import { nearestPlace, placeCodes, starScale } from './plot-scale.ts'
import { bucketColor } from './slot-parts.tsx'
import { beatmapName, bucketViews, shownStars, type SlotView } from './slots.ts'
import '../style/star-plot.css'

/** Around the field in which the dots are: numbers on the left, codes below. */
const [LEFT, RIGHT, TOP, BOTTOM] = [40, 18, 14, 36]
/** As `.plot-field` is where text has its usual size; where it is larger, all is drawn larger. */
const HEIGHT = 216
/** Of the codes. */
const LINE = 14
const [LEAST_RADIUS, MOST_RADIUS] = [4, 7]

type StarPlotProps = {
  readonly slots: readonly SlotView[]
  /** Ratings that are known to come, so that the scale does not move while beatmaps arrive. */
  readonly expected?: readonly number[]
  readonly onPick: (slot: SlotView) => void
}

/** One dot a slot, in pool order and by stars; a pointer or the arrow keys move along them. */
export function StarPlot({ slots, expected = [], onPick }: StarPlotProps) {
  const frame = useRef<HTMLDivElement>(null)
  const hintId = useId()
  const { width, scale: larger } = useSize(frame)
  const [active, setActive] = useState<number | null>(null)
  const [focused, setFocused] = useState(0)
  const isPick = useRef(false)
  const end = slots.length - 1
  const tabStop = Math.min(focused, end)

  const scale = starScale([...expected, ...slots.flatMap((slot) => shownStars(slot)?.stars ?? [])])
  const places = placeSlots(slots.map(({ bucket }) => bucket))
  const last = places.at(-1) ?? 0
  const spread = last === 0 ? 0 : (width - LEFT - RIGHT) / last
  const across = places.map((place) =>
    last === 0 ? (LEFT + width - RIGHT) / 2 : LEFT + place * spread,
  )
  const radius = Math.min(Math.max(spread * 0.45 || MOST_RADIUS, LEAST_RADIUS), MOST_RADIUS)
  const codes = codesBelow(slots, across, width)
  // The first two lines of codes have their room at the foot.
  const floor = HEIGHT - BOTTOM - Math.max(0, codes.lines - 2) * LINE
  const heightOf = (stars: number): number =>
    floor - ((stars - scale.from) / (scale.to - scale.from)) * (floor - TOP)
  const dots = slots.map((slot, at) => ({
    slot,
    x: across[at] ?? 0,
    y: heightOf(shownStars(slot)?.stars ?? scale.from),
  }))
  const shown = active === null ? undefined : dots[active]

  useEffect(() => {
    if (active === null) return undefined
    const leave = (event: Event): void => {
      if (!frame.current?.contains(event.target as Node)) setActive(null)
    }
    return listen({ pointerdown: leave })
  }, [active === null])

  const nearest = ({ clientX, currentTarget }: TargetedPointerEvent<SVGSVGElement>): number =>
    nearestPlace(across, (clientX - currentTarget.getBoundingClientRect().left) / larger)

  const press = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.altKey || event.metaKey) return
    const target = { ArrowRight: tabStop + 1, ArrowLeft: tabStop - 1, Home: 0, End: end }[event.key]
    const slot = slots[tabStop]
    if (target !== undefined) {
      const next = Math.min(Math.max(target, 0), end)
      setActive(next)
      frame.current?.querySelectorAll<SVGElement>('.plot-dot')[next]?.focus()
    } else if ((event.key === 'Enter' || event.key === ' ') && slot) onPick(slot)
    else if (event.key === 'Escape' && active !== null) setActive(null)
    else return
    event.preventDefault()
  }

  return (
    <div ref={frame} class="plot">
      <p id={hintId} class="sr-only">
        {texts.plotKeys}
      </p>
      <svg
        class="plot-field"
        // Without a script, its width is not known: the whole plot is fitted in.
        viewBox={`0 0 ${width} ${HEIGHT}`}
        role="group"
        aria-label={texts.starsOfSlots}
        aria-describedby={hintId}
        onPointerMove={(event) => setActive(nearest(event))}
        onPointerDown={(event) => {
          const position = nearest(event)
          // A finger hides what it points at: its first touch only shows the slot.
          isPick.current = event.pointerType !== 'touch' || position === active
          setActive(position)
        }}
        onPointerLeave={(event) => event.pointerType !== 'touch' && setActive(null)}
        onClick={() => shown && isPick.current && onPick(shown.slot)}
        onKeyDown={press}
      >
        <g aria-hidden="true">
          {scale.lines.map((stars) => (
            <g key={stars} transform={`translate(0 ${heightOf(stars)})`}>
              <line class="plot-line" x1={LEFT - 12} x2={width - RIGHT + 8} />
              <text class="plot-number" x={LEFT - 18} y={4}>
                {scale.lines.every(Number.isInteger) ? stars : formatTenths(stars)}
              </text>
            </g>
          ))}
        </g>
        <Codes {...codes} />
        {shown && <line class="plot-pointer" x1={shown.x} x2={shown.x} y1={TOP / 2} y2={floor} />}
        {dots.map(({ slot, x, y }, at) => (
          <g
            key={at}
            class={`plot-dot${at === active ? ' active' : ''}`}
            {...bucketColor(slot.bucket)}
            role="button"
            // In lower case: in SVG, only that is the attribute that the server has written.
            tabindex={at === tabStop ? 0 : -1}
            aria-label={describeSlot(slot)}
            transform={`translate(${x} ${y})`}
            onFocus={() => {
              setFocused(at)
              setActive(at)
            }}
            onBlur={() => setActive(null)}
          >
            <Dot slot={slot} radius={radius} />
          </g>
        ))}
      </svg>
      {shown && (
        <PlotCard {...shown} isAbove={shown.y > HEIGHT / 2 - LINE} width={width} larger={larger} />
      )}
    </div>
  )
}

/** A slot in words: `HD1: Nine Rivers – Harbour [Insane], 5.94 stars with HD`. */
export function describeSlot({ label, slot, beatmap, forced }: SlotView): string {
  const unknown = { slot: label, id: String(slot.beatmapId) }
  if (beatmap.state === 'pending') return texts.slotLoading(unknown)
  if (beatmap.state === 'gone') return texts.slotNotFound(unknown)
  const stars = formatStars(beatmap.stars ?? beatmap.details.stars)
  const rated = { slot: label, map: beatmapName(beatmap.details), stars, mods: forced.join('') }
  if (beatmap.noRating) return texts.slotStarsWithoutRating({ ...rated, n: forced.length })
  if (beatmap.stars === null) return texts.slotStarsWithoutMods(rated)
  return forced.length === 0 ? texts.slotStars(rated) : texts.slotStarsWith(rated)
}

/** On a phone, the plot opens by a press: what people come for are the beatmaps below. */
export function PlotFold({ children }: { readonly children: ComponentChildren }) {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  return (
    <>
      <button
        type="button"
        class="plot-fold"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        {texts.plotOfStars}
        <Icon name={isOpen ? 'up' : 'down'} />
      </button>
      <div id={id} class={isOpen ? 'plot-folded open' : 'plot-folded'}>
        {children}
      </div>
    </>
  )
}

/** The size of text where no browser is set to another, in pixels. */
const USUAL_TEXT = 15

/**
 * How wide an element is where text has its usual size, and how much larger it is, whenever that changes; the first time
 * before it is painted.
 */
function useSize(element: RefObject<Element | null>) {
  const [size, setSize] = useState({ width: 640, scale: 1 })
  useLayoutEffect(() => {
    const { current } = element
    if (current === null) return undefined
    const measure = (): void => {
      const { fontSize } = getComputedStyle(document.documentElement)
      const scale = Number.parseFloat(fontSize) / USUAL_TEXT
      setSize({ scale, width: (current.getBoundingClientRect().width || 640) / scale })
    }
    const observer = new ResizeObserver(measure)
    observer.observe(current)
    return () => observer.disconnect()
  }, [])
  return size
}

/** The codes of the buckets, each in its place and on its line. */
function codesBelow(slots: readonly SlotView[], across: readonly number[], width: number) {
  let first = 0
  const groups = bucketViews(slots).flatMap(({ bucket, slots: group }) => {
    const [from, to] = [across[first] ?? 0, across[first + group.length - 1] ?? 0]
    first += group.length
    return bucket === null ? [] : { bucket, code: bucket.code, x: (from + to) / 2 }
  })
  return { groups, ...placeCodes(groups, width, measureCode) }
}

/** The lowest line ends at the foot; one alone has the middle of the room for two. */
function Codes({ groups, lines, places }: ReturnType<typeof codesBelow>) {
  const last = HEIGHT - (lines === 1 ? 12 : 5)
  return (
    <g aria-hidden="true">
      {groups.map(({ bucket, code }, at) => (
        <text
          key={code}
          class="plot-code"
          {...bucketColor(bucket)}
          x={places[at]?.x}
          y={last - (lines - 1 - (places[at]?.line ?? 0)) * LINE}
        >
          {code}
        </text>
      ))}
    </g>
  )
}

let canvas: CanvasRenderingContext2D | null = null

/** As wide as `.plot-code` draws it. */
function measureCode(text: string): number {
  if (!isServed()) canvas ??= document.createElement('canvas').getContext('2d')
  if (isServed() || canvas === null) return 15 * Array.from(text).length
  const { fontFamily } = getComputedStyle(document.documentElement)
  canvas.font = ['600', `${USUAL_TEXT * 0.87}px`, fontFamily].join(' ')
  return canvas.measureText(text).width
}

/** A square for custom buckets, whose colours may be close to others; a cross for gone beatmaps. */
function Dot({ slot, radius }: { slot: SlotView; radius: number }) {
  const { bucket, beatmap } = slot
  if (beatmap.state === 'gone') {
    const [low, high] = [-radius, radius]
    const cross = `M${low} ${low}L${high} ${high}M${high} ${low}L${low} ${high}`
    return <path class="dot-gone" d={cross} />
  }
  const kind = shownStars(slot)?.isPlain ? 'plain' : beatmap.state
  const half = radius * 0.9
  return bucket !== null && isCustom(bucket) ? (
    <rect class={`dot-${kind}`} x={-half} y={-half} width={2 * half} height={2 * half} rx={1} />
  ) : (
    <circle class={`dot-${kind}`} r={radius} />
  )
}

import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { BeatmapDetails } from '../../contract/beatmaps.ts'
import { refereeJson, refereeLines, writeIds, writeLinks } from '../../formats/lists.ts'
import type { Pool } from '../../pool/pool.ts'
import { useAction } from '../action.ts'
import { count, now } from '../format.ts'
import { Button } from '../parts/buttons.tsx'
import { announce } from '../parts/toasts.tsx'
import type { SlotView } from './slots.ts'
import '../style/side-card.css'

type DownloadsProps = {
  readonly pool: Pool
  readonly packKey: string
  readonly slots: readonly SlotView[]
  /** Beatmaps are still being looked up. */
  readonly isBusy: boolean
}

/** The pool in the formats that hosts and referees keep pools in. */
export const Downloads = (props: DownloadsProps): JSX.Element => (
  <section class="side-card" aria-labelledby="downloads-title">
    <h2 id="downloads-title">Downloads</h2>
    <ul class="side-list" role="list">
      {writers.map((writer) => (
        <li key={writer.name}>
          <Download writer={writer} {...props} />
        </li>
      ))}
    </ul>
  </section>
)

const TEXT = 'text/plain;charset=utf-8'

type Source = DownloadsProps & { readonly details: ReadonlyMap<number, BeatmapDetails> }

/** A file, and how many slots are not whole in it because too little is known of their beatmaps. */
type Written = {
  readonly content: string | Uint8Array<ArrayBuffer>
  readonly leftOut: number
}

/** A format that a pool can be taken away in. What writes it is loaded when it is asked for. */
type Writer = {
  readonly name: string
  /** Whom it is for. */
  readonly about: string
  /** Of the file: `.csv`. */
  readonly ending: string
  readonly mediaType: string
  /** A text that one would paste somewhere. */
  readonly canCopy: boolean
  readonly write: (source: Source) => Promise<Written>
}

/** All formats, those that most people need first. */
const writers: readonly Writer[] = [
  {
    name: 'Referee lines',
    about: '!mp commands for each slot',
    ending: ' referee.txt',
    mediaType: TEXT,
    canCopy: true,
    write: async ({ pool, details }) => whole(refereeLines(pool, details)),
  },
  {
    name: 'Spreadsheet',
    about: 'The whole table as .csv',
    ending: '.csv',
    mediaType: 'text/csv;charset=utf-8',
    canCopy: false,
    write: async (source) => {
      const { writeCsv } = await import('../../formats/tables.ts')
      const { details, leftOut } = bySlot(source)
      return { content: writeCsv(source.pool, details), leftOut }
    },
  },
  {
    name: 'Spreadsheet cells',
    about: 'To paste into a sheet',
    ending: '.tsv',
    mediaType: 'text/tab-separated-values;charset=utf-8',
    canCopy: true,
    write: async (source) => {
      const { writeTsv } = await import('../../formats/tables.ts')
      const { details, leftOut } = bySlot(source)
      return { content: writeTsv(source.pool, details), leftOut }
    },
  },
  {
    name: 'bracket.json',
    about: 'A round for the tournament client',
    ending: ' bracket.json',
    mediaType: 'application/json',
    canCopy: false,
    write: async ({ pool, details }) => {
      const { writeRound } = await import('../../formats/bracket/write-bracket.ts')
      return whole(writeRound(pool, {}, details))
    },
  },
  {
    name: 'Referee JSON',
    about: 'For referee tools',
    ending: ' referee.json',
    mediaType: 'application/json',
    canCopy: true,
    write: async ({ pool }) => whole(refereeJson(pool)),
  },
  {
    name: 'collection.db',
    about: 'For the game’s client',
    ending: ' collection.db',
    mediaType: 'application/octet-stream',
    canCopy: false,
    write: async ({ pool, details }) => {
      const { collectionOf, COLLECTION_VERSION, writeCollections } =
        await import('../../formats/collection/collection-db.ts')
      const { collection, leftOut } = collectionOf(pool, details)
      const content = writeCollections(COLLECTION_VERSION, [collection])
      return { content, leftOut: leftOut.length }
    },
  },
  {
    name: 'Collection (.osdb)',
    about: 'For Collection Manager',
    ending: '.osdb',
    mediaType: 'application/octet-stream',
    canCopy: false,
    write: async ({ pool, details }) => {
      const { osdbOf, writeOsdb } = await import('../../formats/collection/osdb.ts')
      const { collection, leftOut } = osdbOf(pool, details)
      const content = await writeOsdb([collection], { savedAt: now(), editor: 'Mapcrate' })
      return { content, leftOut: leftOut.length }
    },
  },
  {
    name: 'Beatmap ids',
    about: 'One per line, in pool order',
    ending: ' ids.txt',
    mediaType: TEXT,
    canCopy: true,
    write: async ({ pool }) => whole(writeIds(pool)),
  },
  {
    name: 'Links',
    about: 'Beatmap links, one per line',
    ending: ' links.txt',
    mediaType: TEXT,
    canCopy: true,
    write: async ({ pool }) => whole(writeLinks(pool)),
  },
  {
    name: 'Pack key',
    about: 'The whole pool in one line of text',
    ending: ' key.txt',
    mediaType: TEXT,
    canCopy: true,
    write: async ({ packKey }) => whole(`${packKey}\n`),
  },
]

const whole = (content: string): Written => ({ content, leftOut: 0 })

/** What tables need: by the slot's position in the pool's own `slots`. */
function bySlot({ pool, slots }: Source) {
  const known = slots.flatMap(({ slot, beatmap }) =>
    beatmap.state === 'known' ? [[pool.slots.indexOf(slot), beatmap] as const] : [],
  )
  return { details: new Map(known), leftOut: slots.length - known.length }
}

function Download({ writer, ...props }: DownloadsProps & { readonly writer: Writer }) {
  const { pool, slots, isBusy } = props
  const { name, about, ending, mediaType, canCopy } = writer
  const action = useAction()
  const [note, setNote] = useState('')

  const take = async (use: (content: string | Uint8Array<ArrayBuffer>) => Promise<void>) => {
    setNote('')
    const isDone = await action.run(async () => {
      const { content, leftOut } = await writer.write({ ...props, details: detailsOf(slots) })
      await use(content)
      if (leftOut > 0) setNote(missing(leftOut, isBusy))
    })
    if (!isDone) setNote(`Could not create ${name}. Reload the page and try again.`)
  }
  const copy = (): Promise<void> =>
    take(async (content) => {
      try {
        await navigator.clipboard.writeText(String(content))
        announce(`${name} copied`)
      } catch {
        announce('Your browser blocked copying. Download the file instead.', 'danger')
      }
    })
  const download = (): Promise<void> =>
    take(async (content) => saveFile(fileStem(pool.name) + ending, content, mediaType))

  return (
    <>
      <span class="side-words">
        {name}
        <span class="side-note">{about}</span>
      </span>
      {canCopy && (
        <Button tone="quiet" icon="copy" aria-label={`Copy ${name}`} onClick={() => void copy()} />
      )}
      <Button
        tone="quiet"
        icon="download"
        aria-label={`Download ${name}`}
        busy={action.isBusy}
        onClick={() => void download()}
      />
      <p class="failure-line" role="status">
        {note}
      </p>
    </>
  )
}

const detailsOf = (slots: readonly SlotView[]): ReadonlyMap<number, BeatmapDetails> =>
  new Map(
    slots.flatMap(({ slot, beatmap }) =>
      beatmap.state === 'known' ? [[slot.beatmapId, beatmap.details] as const] : [],
    ),
  )

const missing = (leftOut: number, isBusy: boolean): string =>
  `${count(leftOut, 'slot')} left out: ${
    isBusy ? 'still loading. Try again in a moment.' : 'beatmap details are not available.'
  }`

/** Long after the browser has taken it. */
const KEPT_MS = 60_000

function saveFile(name: string, content: BlobPart, mediaType: string): void {
  const url = URL.createObjectURL(new Blob([content], { type: mediaType }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS)
}

/** What file systems refuse, or programs stumble over. */
const AWKWARD = /[\\/:*?"<>|\p{Cc}\p{Zl}\p{Zp}]+/gu

/** A name for a file about a pool, without its ending: `OWC 2023 Finals`. */
export function fileStem(name: string): string {
  const stem = name
    .replaceAll(AWKWARD, '-')
    .replaceAll(/^[.\s-]+|[.\s-]+$/g, '')
    .trim()
  return stem === '' ? 'pack' : stem
}

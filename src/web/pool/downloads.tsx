import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { BeatmapDetails } from '../../contract/beatmaps.ts'
import { refereeJson, refereeLines, writeIds, writeLinks } from '../../formats/lists.ts'
import type { DetailsBySlot, PoolOfRound } from '../../formats/tables.ts'
import type { Pool } from '../../pool/pool.ts'
import { useAction } from '../action.ts'
import { count, now } from '../format.ts'
import { Button } from '../parts/buttons.tsx'
import { announce } from '../parts/toasts.tsx'
import type { SlotView } from './slots.ts'
import '../style/side-card.css'

type DownloadsProps = { pool: Pool; packKey: string; slots: readonly SlotView[]; isBusy: boolean }

/** The pool in the formats of hosts and referees; `isBusy` while beatmaps are looked up. */
export const Downloads = (props: DownloadsProps) => (
  <section class="side-card" aria-labelledby="downloads-title">
    <h2 id="downloads-title">Downloads</h2>
    <NeedsScript />
    <ul class="side-list needs-script" role="list">
      {formats.map((format) => (
        <li key={format.name}>
          <Download format={format} {...props} />
        </li>
      ))}
    </ul>
  </section>
)

/** In place of the downloads, which the page makes itself. */
export const NeedsScript = () => (
  <p class="side-note without-script">Turn on JavaScript to copy or download the pool.</p>
)

type Content = string | Uint8Array<ArrayBuffer>
type Source = DownloadsProps & { readonly details: ReadonlyMap<number, BeatmapDetails> }

/** A file, and how many slots are incomplete in it because too little is known of their beatmaps. */
type Written = { readonly content: Content; readonly leftOut?: number }

/** A format, for whom it is, and the ending of its files. What writes it is loaded when needed. */
type Format = Pick<DownloadRowProps, 'name' | 'about' | 'isFileOnly'> & {
  readonly ending: string
  readonly write: (source: Source) => Written | Promise<Written>
}

/** Those that most people need come first. */
const formats: readonly Format[] = [
  {
    name: 'Referee lines',
    about: '!mp commands for each slot',
    ending: ' referee.txt',
    write: ({ pool, details }) => ({ content: refereeLines(pool, details) }),
  },
  {
    name: 'Spreadsheet',
    about: 'The whole table as .csv',
    ending: '.csv',
    isFileOnly: true,
    write: async (source) => writeTable((await import('../../formats/tables.ts')).writeCsv, source),
  },
  {
    name: 'Spreadsheet cells',
    about: 'To paste into a sheet',
    ending: '.tsv',
    write: async (source) => writeTable((await import('../../formats/tables.ts')).writeTsv, source),
  },
  {
    name: 'bracket.json',
    about: 'A round for the tournament client',
    ending: ' bracket.json',
    isFileOnly: true,
    write: async ({ pool, details }) => {
      const { writeRound } = await import('../../formats/bracket/write-bracket.ts')
      return { content: writeRound(pool, {}, details) }
    },
  },
  {
    name: 'Referee JSON',
    about: 'For referee tools',
    ending: ' referee.json',
    write: ({ pool }) => ({ content: refereeJson(pool) }),
  },
  {
    name: 'Referee bots',
    about: 'Codes and ids as JSON',
    ending: ' codes.json',
    write: async ({ pool }) => ({
      content: (await import('../../formats/picks.ts')).writeCodes(pool),
    }),
  },
  {
    name: 'Stream overlays',
    about: 'Beatmaps, picks and mods as JSON',
    ending: ' overlay.json',
    write: async ({ pool }) => ({
      content: (await import('../../formats/picks.ts')).writeOverlay(pool),
    }),
  },
  {
    name: 'Wiki Markdown',
    about: 'Mappool as in articles of the osu! wiki',
    ending: ' wiki.md',
    write: async (source) => writePost((await import('../../formats/posts.ts')).writeWiki, source),
  },
  {
    name: 'BBCode',
    about: 'For a forum post',
    ending: ' forum.txt',
    write: async (source) =>
      writePost((await import('../../formats/posts.ts')).writeBbcode, source),
  },
  {
    name: 'collection.db',
    about: 'For the game’s client',
    ending: ' collection.db',
    isFileOnly: true,
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
    isFileOnly: true,
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
    write: ({ pool }) => ({ content: writeIds(pool) }),
  },
  {
    name: 'Links',
    about: 'Beatmap links, one per line',
    ending: ' links.txt',
    write: ({ pool }) => ({ content: writeLinks(pool) }),
  },
  {
    name: 'Pack key',
    about: 'The whole pool in one line of text',
    ending: ' key.txt',
    write: ({ packKey }) => ({ content: `${packKey}\n` }),
  },
]

type TableWriter = (pool: Pool, details: DetailsBySlot) => string

function writeTable(write: TableWriter, { pool, slots }: Source): Written {
  const details = detailsBySlot(pool, slots)
  return { content: write(pool, details), leftOut: slots.length - details.size }
}

type PostWriter = (rounds: readonly PoolOfRound[]) => string

function writePost(write: PostWriter, { pool, slots }: Source): Written {
  const details = detailsBySlot(pool, slots)
  return { content: write([{ name: pool.name, pool, details }]) }
}

/** What is known of the beatmaps of a pool, by the positions of its slots. */
export const detailsBySlot = (pool: Pool, slots: readonly SlotView[]): DetailsBySlot =>
  new Map(
    slots.flatMap(({ slot, beatmap }) =>
      beatmap.state === 'known' ? [[pool.slots.indexOf(slot), beatmap] as const] : [],
    ),
  )

function Download({ format, ...props }: DownloadsProps & { readonly format: Format }) {
  const { pool, slots, isBusy } = props
  const { ending, write, ...texts } = format
  return (
    <DownloadRow
      {...texts}
      fileName={fileStem(pool.name) + ending}
      write={async () => {
        const { content, leftOut = 0 } = await write({ ...props, details: detailsOf(slots) })
        return { content, note: leftOut > 0 ? missing(leftOut, isBusy) : '' }
      }}
    />
  )
}

type DownloadRowProps = {
  readonly name: string
  readonly about: string
  /** There is no use in copying it. */
  readonly isFileOnly?: boolean | undefined
  readonly fileName: string
  /** The file, and what is not in it; empty where everything is. */
  readonly write: () => Promise<{ readonly content: Content; readonly note: string }>
  /** What to do about an error; left out where only a reload helps. */
  readonly adviceFor?: (error: unknown) => string
  readonly children?: ComponentChildren
}

/** A format in a card of downloads, to be copied or saved. */
export function DownloadRow(props: DownloadRowProps) {
  const { name, about, isFileOnly, fileName, write, children } = props
  const { adviceFor = () => 'Reload the page and try again.' } = props
  const action = useAction()
  const [note, setNote] = useState('')

  const run = (use: (content: Content) => void | Promise<void>): void =>
    action.run(async () => {
      setNote('')
      const written = await write()
      await use(written.content)
      setNote(written.note)
    })
  const copy = async (content: Content): Promise<void> => {
    try {
      await navigator.clipboard.writeText(String(content))
      announce(`${name} copied`)
    } catch {
      announce('Your browser blocked copying. Download the file instead.', 'danger')
    }
  }

  return (
    <>
      <span class="side-words">
        {name}
        <span class="side-note">{about}</span>
      </span>
      {children}
      {!isFileOnly && (
        <Button tone="quiet" icon="copy" aria-label={`Copy ${name}`} onClick={() => run(copy)} />
      )}
      <Button
        tone="quiet"
        icon="download"
        aria-label={`Download ${name}`}
        busy={action.isBusy}
        onClick={() => run((content) => saveFile(fileName, content))}
      />
      <p class="failure-line" role="status">
        {action.error === null ? note : `Could not create ${name}. ${adviceFor(action.error)}`}
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

export const missing = (leftOut: number, isBusy: boolean): string =>
  `${count(leftOut, 'slot')} left out: ${
    isBusy ? 'still loading. Try again in a moment.' : 'beatmap details are not available.'
  }`

/** By the last part of a file's name. */
const mediaTypes: Readonly<Record<string, string>> = {
  csv: 'text/csv;charset=utf-8',
  json: 'application/json',
  md: 'text/markdown;charset=utf-8',
  tsv: 'text/tab-separated-values;charset=utf-8',
  txt: 'text/plain;charset=utf-8',
}

/** Long after the browser has taken it. */
const KEPT_MS = 60_000

export function saveFile(name: string, content: BlobPart): void {
  const type = mediaTypes[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream'
  const url = URL.createObjectURL(new Blob([content], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS)
}

/** What file systems refuse, or programs stumble over. */
const AWKWARD = /[\\/:*?"<>|\p{Cc}\p{Zl}\p{Zp}]+/gu

/** A name for a file about a pool, without its ending: `OWC 2023 Finals`. */
export const fileStem = (name: string): string =>
  name.replaceAll(AWKWARD, '-').replaceAll(/^[.\s-]+|[.\s-]+$/g, '') || 'pack'

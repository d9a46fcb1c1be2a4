import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { aboutOf, type Format, type WrittenFile } from '../../formats/format.ts'
import { formats } from '../../formats/format-table.ts'
import { type DetailsBySlot, type Sheet, sheetOf } from '../../formats/sheet.ts'
import type { Pool } from '../../pool/pool.ts'
import { fileStem } from '../../pool/text.ts'
import { useAction } from '../action.ts'
import { count, now } from '../format.ts'
import { Button, LinkButton } from '../parts/buttons.tsx'
import { loadedPart } from '../parts/loaded-part.tsx'
import { announce } from '../parts/toasts.tsx'
import type { SlotView } from './slots.ts'
import '../style/side-card.css'

const MergeDialog = loadedPart(async () => (await import('./merge-dialog.tsx')).MergeDialog)

type DownloadsProps = {
  readonly pool: Pool
  readonly slots: readonly SlotView[]
  /** While beatmaps are looked up. */
  readonly isBusy: boolean
  /** The path of the pool as a picture, where everybody may see it. */
  readonly picture?: string | undefined
}

/** The pool in every format, and as a picture. */
export const Downloads = ({ pool, slots, isBusy, picture }: DownloadsProps) => (
  <section class="side-card downloads" aria-labelledby="downloads-title">
    <h2 id="downloads-title">Downloads</h2>
    <NeedsScript />
    <DownloadList
      kind="pack"
      stem={fileStem(pool.name)}
      isBusy={isBusy}
      sheet={() => sheetOf(pool, detailsBySlot(pool, slots))}
    />
    {picture !== undefined && <PictureLink path={picture} stem={fileStem(pool.name)} />}
  </section>
)

/** The pool as a table to post, drawn by the server; the link saves it with twice the pixels. */
export const PictureLink = ({ path, stem }: { readonly path: string; readonly stem: string }) => (
  <ul class="side-list side-more" role="list">
    <li>
      <span class="side-words">
        <a href={path}>Picture</a>
        <span class="side-note">The pool as a table, to post</span>
      </span>
      <LinkButton
        tone="quiet"
        icon="download"
        aria-label="Download the picture"
        href={`${path}?scale=2`}
        download={`${stem}.png`}
      />
    </li>
  </ul>
)

/** In place of the downloads, which the page makes itself. */
export const NeedsScript = () => (
  <p class="side-note without-script">Turn on JavaScript to copy or download the pool.</p>
)

type DownloadListProps = {
  readonly kind: NonNullable<Sheet['kind']>
  /** The names of the files without their endings. */
  readonly stem: string
  /** What may be missing now may come soon. */
  readonly isBusy?: boolean
  /** What is written, with what the format needs of the beatmaps. */
  readonly sheet: (format: Format) => Sheet | Promise<Sheet>
  /** What else to do in a format, beside its name. */
  readonly more?: (format: Format) => ComponentChildren
}

/** Every format, to be copied or saved as a file. What writes one is loaded when needed. */
export const DownloadList = (props: DownloadListProps) => (
  <ul class="side-list needs-script" role="list">
    {Object.entries(formats).map(([id, format]) => (
      <li key={id}>
        <Download format={format} {...props} />
      </li>
    ))}
  </ul>
)

/** What is known of the beatmaps of a pool, by the positions of its slots. */
export const detailsBySlot = (pool: Pool, slots: readonly SlotView[]): DetailsBySlot =>
  new Map(
    slots.flatMap(({ slot, beatmap }) =>
      beatmap.state === 'known' ? [[pool.slots.indexOf(slot), beatmap] as const] : [],
    ),
  )

type DownloadProps = DownloadListProps & { readonly format: Format }

function Download({ format, kind, stem, isBusy = false, sheet, more }: DownloadProps) {
  const { label } = format
  const action = useAction()
  const [note, setNote] = useState('')
  const [isMerging, setMerging] = useState(false)

  const write = async (into?: Uint8Array): Promise<WrittenFile> =>
    format.write({ ...(await sheet(format)), kind }, { savedAt: now(), into })
  const run = (use: (content: Content) => void | Promise<void>): void =>
    action.run(async () => {
      setNote('')
      const written = await write()
      await use(written.content)
      setNote(noteOf(format, written.incomplete, isBusy))
    })
  const merge = async (file: File): Promise<string> => {
    const written = await write(new Uint8Array(await file.arrayBuffer()))
    saveFile(file.name, written.content)
    return noteOf(format, written.incomplete, isBusy)
  }
  const saveNew = (): void => {
    setMerging(false)
    run((content) => saveFile(stem + format.ending, content))
  }
  const copy = async (content: Content): Promise<void> => {
    try {
      await navigator.clipboard.writeText(String(content))
      announce(`${label} copied`)
    } catch {
      announce('Your browser blocked copying. Download the file instead.', 'danger')
    }
  }

  return (
    <>
      <span class="side-words">
        {label}
        <span class="side-note">{aboutOf(format, kind)}</span>
      </span>
      {more?.(format)}
      {format.isText && !format.merges && (
        <Button tone="quiet" icon="copy" aria-label={`Copy ${label}`} onClick={() => run(copy)} />
      )}
      <Button
        tone="quiet"
        icon="download"
        aria-label={`Download ${label}`}
        busy={action.isBusy}
        onClick={() => (format.merge?.isFirst ? setMerging(true) : saveNew())}
      />
      {isMerging && (
        <MergeDialog
          label={label}
          onMerge={merge}
          onNew={saveNew}
          onClose={() => setMerging(false)}
        />
      )}
      <p class="failure-line" role="status">
        {action.error === null ? note : `Could not create ${label}. Reload the page and try again.`}
      </p>
    </>
  )
}

type Content = WrittenFile['content']

function noteOf({ isLeftOut }: Format, incomplete: number, isBusy: boolean): string {
  if (incomplete === 0) return ''
  const outcome = isLeftOut ? 'left out' : 'written with ids only'
  const reason = isBusy
    ? 'still loading. Try again in a moment.'
    : 'beatmap details are not available.'
  return `${count(incomplete, 'slot')} ${outcome}: ${reason}`
}

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

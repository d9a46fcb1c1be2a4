import * as words from '#texts/common'
import * as texts from '#texts/downloads'
import * as names from '#texts/formats'
import { language } from '#texts/language'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { LANGUAGE_PARAMETER } from '../../contract/visitor.ts'
import type { Format, WrittenFile } from '../../formats/format.ts'
import { type FormatId, formatIds, formats } from '../../formats/format-table.ts'
import { type DetailsBySlot, type Sheet, sheetOf } from '../../formats/sheet.ts'
import type { Pool } from '../../pool/pool.ts'
import { fileStem } from '../../pool/text.ts'
import { useAction } from '../action.ts'
import { now } from '../format.ts'
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
    <h2 id="downloads-title">{texts.downloads}</h2>
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

type PictureProps = { readonly path: string; readonly stem: string }

/** The pool as a table to post, drawn by the server in the page's language; the link saves it with twice the pixels. */
export const PictureLink = ({ path, stem }: PictureProps) => (
  <ul class="side-list side-more" role="list">
    <li>
      <span class="side-words">
        <a href={pictureIn(path)}>{texts.picture}</a>
        <span class="side-note">{texts.pictureMeans}</span>
      </span>
      <LinkButton
        tone="quiet"
        icon="download"
        aria-label={texts.downloadPicture}
        href={pictureIn(path, { scale: '2' })}
        download={`${stem}.png`}
      />
    </li>
  </ul>
)

function pictureIn(path: string, asked: Readonly<Record<string, string>> = {}): string {
  const own = language === 'en' ? {} : { [LANGUAGE_PARAMETER]: language }
  const query = new URLSearchParams({ ...asked, ...own }).toString()
  return query === '' ? path : `${path}?${query}`
}

/** In place of the downloads, which the page makes itself. */
export const NeedsScript = () => <p class="side-note without-script">{texts.needsScript}</p>

type DownloadListProps = {
  readonly kind: NonNullable<Sheet['kind']>
  /** The names of the files without their endings. */
  readonly stem: string
  /** What may be missing now may come soon. */
  readonly isBusy?: boolean
  /** What is written, with what the format needs of the beatmaps. */
  readonly sheet: (format: Format) => Sheet | Promise<Sheet>
  /** Controls of a format next to its name. */
  readonly more?: (format: Format) => ComponentChildren
}

/** Every format, to be copied or saved as a file. What writes one is loaded when needed. */
export const DownloadList = (props: DownloadListProps) => (
  <ul class="side-list needs-script" role="list">
    {formatIds.map((id) => (
      <li key={id}>
        <Download id={id} {...props} />
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

type DownloadProps = DownloadListProps & { readonly id: FormatId }

function Download({ id, kind, stem, isBusy = false, sheet, more }: DownloadProps) {
  const format: Format = formats[id]
  const label = translated[textOf(id)] ?? format.label
  const about = translated[`${textOf(id)}Means`] ?? format.about
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
      announce(texts.formatCopied({ format: label }))
    } catch {
      announce(words.copyBlocked({ remedy: texts.downloadInstead }), 'danger')
    }
  }

  return (
    <>
      <span class="side-words">
        {label}
        <span class="side-note">{aboutFiles(about, format, kind)}</span>
      </span>
      {more?.(format)}
      {format.isText && !format.merges && (
        <Button
          tone="quiet"
          icon="copy"
          aria-label={texts.copyFormat({ format: label })}
          onClick={() => run(copy)}
        />
      )}
      <Button
        tone="quiet"
        icon="download"
        aria-label={texts.downloadFormat({ format: label })}
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
        {action.error === null ? note : texts.notCreated({ format: label })}
      </p>
    </>
  )
}

type Content = WrittenFile['content']

function noteOf({ isLeftOut }: Format, incomplete: number, isBusy: boolean): string {
  if (incomplete === 0) return ''
  const words = isBusy
    ? isLeftOut
      ? texts.leftOutLoading
      : texts.idsOnlyLoading
    : isLeftOut
      ? texts.leftOut
      : texts.idsOnly
  return words({ n: incomplete })
}

/** The name of a format and what it is for, as the page's language has them: `csv`, `csvMeans`. */
const translated: Readonly<Record<string, string | undefined>> = names

const textOf = (id: FormatId): string =>
  id.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase())

/** What a file of several pools contains, by what it has of each. */
const severalTexts = {
  by: { rounds: texts.byRound, packs: texts.byPack },
  'one per': { rounds: texts.onePerRound, packs: texts.onePerPack },
  'with a column for the': { rounds: texts.columnForRound, packs: texts.columnForPack },
} as const

const aboutFiles = (file: string, { several }: Format, kind: DownloadListProps['kind']): string =>
  kind === 'pack' ? file : severalTexts[several][kind]({ file })

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

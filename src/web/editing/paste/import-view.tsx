import * as words from '#texts/common'
import * as texts from '#texts/import'
import type { ComponentChildren } from 'preact'
import type { BucketMods, CustomBucket } from '../../../contract/pools.ts'
import type { LineCount } from '../../../formats/import/read-import.ts'
import type { ShapeId } from '../../../formats/import/shapes.ts'
import { foldCode } from '../../../pool/slots.ts'
import { Button } from '../../parts/buttons.tsx'
import { formatNumber } from '../../format.ts'
import { hreflangOf } from '../../page-data.ts'
import { PersonText } from '../../parts/labels.tsx'
import { BucketChip } from '../../pool/slot-parts.tsx'
import { focusLater } from '../focus.ts'
import { ModChoice } from '../lanes/buckets.tsx'
import { Sentences } from '../../parts/sentences.tsx'
import { QuestionChoice } from './import-lines.tsx'
import type { ImportState } from './import-state.ts'
import type { ReadImport } from './read-source.ts'
import { TextField, type TextFieldProps } from './text-field.tsx'
import '../../style/editor-paste.css'

type StateProps = { readonly state: ImportState }

/** The field of the text, or the file that is open in its place; why one of the two could not be read. */
export function ImportSource({ state, onType, ...field }: TextFieldProps) {
  const problem = state.problem.value
  const file = state.file.value
  return (
    <>
      {problem !== null && (
        <p class="paste-file edit-danger" role="alert">
          <Sentences
            of={[
              problem.name === null
                ? texts.textUnread({ b: (children) => <b>{children}</b>, reason: problem.reason })
                : texts.fileUnread({
                    file: <PersonText within="b" text={problem.name} />,
                    reason: problem.reason,
                  }),
              problem.name === null && (
                <button type="button" class="edit-link" onClick={() => state.retry()}>
                  {words.retry}
                </button>
              ),
            ]}
          />
        </p>
      )}
      {problem === null && file !== null && (
        <p class="paste-file">
          {texts.fromFile({ file: <PersonText within="b" text={file.name} /> })}{' '}
          <Button tone="quiet" label={texts.closeFile} onClick={() => state.closeFile()} />
        </p>
      )}
      {file === null && <TextField state={state} onType={onType} {...field} />}
    </>
  )
}

/** What can be pasted, shortly, and the way to the guide. */
export const PasteHint = () => (
  <Sentences
    of={[
      texts.pasteHint({
        first: <code>NM1 129891</code>,
        second: <code>HD2 https://osu.ppy.sh/b/75</code>,
      }),
      <a href="/docs/formats" {...hreflangOf('/docs/formats')} target="_blank" rel="noopener">
        {texts.pasteGuide}
      </a>,
    ]}
  />
)

export function FileButton({ onOpen }: { readonly onOpen: (file: File) => void }) {
  return (
    <label class="button quiet file-button">
      {texts.openFile}
      <input
        type="file"
        class="sr-only"
        onChange={({ currentTarget }) => {
          const [chosen] = currentTarget.files ?? []
          if (chosen !== undefined) onOpen(chosen)
          currentTarget.value = ''
        }}
      />
    </label>
  )
}

type SummaryProps = StateProps & {
  readonly lines: LineCount
  readonly children: ComponentChildren
}

/** How much was read, and as what; that it is being read or looked up, if that takes a while. */
export function ImportSummary({ state, lines, children }: SummaryProps) {
  const read = state.read.value
  const looking = state.looking.value
  const missing = state.missing.value
  if (state.source.value === null || state.problem.value !== null) return null
  return (
    <p class="paste-summary" role="status">
      {state.isSlow.value || read === null ? (
        <span class="quiet-text">{state.isSlow.value ? texts.reading : '\u00a0'}</span>
      ) : (
        <Sentences
          of={[
            lines.refused > 0 &&
              texts.linesRead({
                b: (children) => <b class="edit-danger">{children}</b>,
                read: formatNumber(lines.read),
                n: lines.of,
              }),
            children,
            <span class="quiet-text">
              <Sentences
                of={
                  looking > 0
                    ? [texts.lookingUp({ n: looking })]
                    : [
                        texts.readAs({ shape: shapes[read.shape], why: read.why }),
                        missing > 0 &&
                          texts.notLookedUp({
                            missing: formatNumber(missing),
                            n: read.beatmapIds.length,
                          }),
                      ]
                }
              />
            </span>,
          ]}
        />
      )}
    </p>
  )
}

const shapes: Readonly<Record<ShapeId, string>> = {
  table: texts.shapeTable,
  transposed: texts.shapeTransposed,
  list: texts.shapeList,
  blocks: texts.shapeBlocks,
  article: texts.shapeArticle,
  json: 'JSON',
  yaml: 'YAML',
  toml: 'TOML',
  sections: texts.shapeSections,
  program: texts.shapeProgram,
  packKey: texts.shapePackKey,
  bracket: texts.shapeBracket,
  collection: texts.shapeCollection,
  workbook: texts.shapeWorkbook,
}

type DoubtsProps = {
  readonly open: number
  readonly refused: number
}

/** What of a pool is not clear, or not understood, after how much of it is: `, 1 open question`. */
export const ImportDoubts = ({ open, refused }: DoubtsProps) => (
  <>
    {open > 0 && texts.openAfter({ n: open })}
    {refused > 0 && <span class="edit-danger">{texts.refusedAfter({ n: refused })}</span>}
  </>
)

/** Of the button that takes what was read, and of the one that has to be pressed before where it is a part. */
export const TAKE_ID = 'import-take'
export const PART_ID = 'import-part'

type ObstacleProps = StateProps & {
  readonly open: number
  readonly lines: LineCount
  readonly id: string
}

/** Leads to the first question that is open, or asks whether a part is enough; else nothing. */
export function ImportObstacle({ state, open, lines, id }: ObstacleProps) {
  return (
    <span id={id} class="paste-obstacle">
      {open > 0 ? (
        <button type="button" class="edit-link" onClick={focusOpenQuestion}>
          {texts.answerFirst({ n: open })}
        </button>
      ) : (
        lines.read > 0 &&
        !state.isPartTaken(lines) && (
          <button
            id={PART_ID}
            type="button"
            class="edit-link"
            onClick={() => {
              state.takePart(lines)
              focusLater(TAKE_ID)
            }}
          >
            {texts.usePart}
          </button>
        )
      )}
    </span>
  )
}

/** Focuses the first open question on the page, and opens what it is in. */
export function focusOpenQuestion(): void {
  const question = document.querySelector('[data-is-open]')
  const around = question?.closest('details') ?? null
  if (around !== null) around.open = true
  question?.querySelector('input')?.focus()
}

type OverviewProps = StateProps & { readonly read: ReadImport }

/** What concerns the whole text: the question whether it was understood at all, and notes. */
export function ImportNotes({ state, read }: OverviewProps) {
  const whole = read.questions.filter(({ lines }) => lines.length === 0)
  return (
    <>
      {whole.map((question) => (
        <div key={question.key} class="paste-whole">
          <QuestionChoice question={question} state={state} />
        </div>
      ))}
      {read.notes.length > 0 && (
        <ul class="paste-notes" role="list" aria-label={texts.notes}>
          {read.notes.slice(0, MOST_NOTES).map((note, at) => (
            <li key={at}>{note}</li>
          ))}
          {read.notes.length > MOST_NOTES && (
            <li>{texts.moreNotes({ n: read.notes.length - MOST_NOTES })}</li>
          )}
        </ul>
      )}
    </>
  )
}

const MOST_NOTES = 20

/** The mods of the custom buckets that would be new. */
export function NewBuckets({ state, buckets }: StateProps & { buckets: readonly CustomBucket[] }) {
  return buckets.map((bucket) => {
    const { code } = bucket
    const chosen = state.mods.value.get(foldCode(code))
    const mods = chosen === undefined ? bucket.mods : (chosen ?? undefined)
    return (
      <details key={code} class="paste-bucket">
        <summary>
          {newBucketText(mods, {
            bucket: <BucketChip bucket={bucket} />,
            quiet: (children) => <span class="quiet-text">{children}</span>,
          })}
        </summary>
        <ModChoice code={code} mods={mods} onChange={(next) => state.setMods(code, next ?? null)} />
      </details>
    )
  })
}

type BucketParts = Parameters<typeof texts.newBucketFree>[0]

function newBucketText(mods: BucketMods | undefined, parts: BucketParts): ComponentChildren {
  if (mods === undefined) return texts.newBucketNoMods(parts)
  if (mods.kind === 'free') return texts.newBucketFree(parts)
  return texts.newBucketMods({ ...parts, mods: mods.set.join('') })
}

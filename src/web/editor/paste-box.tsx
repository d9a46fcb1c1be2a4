import * as words from '#texts/common'
import * as texts from '#texts/import'
import { computed, signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { formFields, sentFields, storedFields } from '../../pool/pack-fields.ts'
import { bucketTable } from '../../pool/slots.ts'
import type { EditStore } from '../editing/edit-store.ts'
import { focusLater, focusNow, slotId } from '../editing/focus.ts'
import { countAll, ImportState, openQuestions } from '../editing/paste/import-state.ts'
import { ImportLines, leftOutText } from '../editing/paste/import-lines.tsx'
import {
  FileButton,
  focusOpenQuestion,
  ImportNotes,
  ImportObstacle,
  ImportSource,
  ImportSummary,
  NewBuckets,
  PART_ID,
  PasteHint,
  TAKE_ID,
} from '../editing/paste/import-view.tsx'
import { Button } from '../parts/buttons.tsx'
import { shownText } from '../parts/labels.tsx'
import { announce } from '../parts/toasts.tsx'
import { type Edit, withDraft } from './edit.ts'

/** What is pasted into a pack: what it is read as, and how it is taken. */
export class Paste {
  readonly store: EditStore<Edit>
  readonly isOpen = signal(false)
  /** Whether it is added to the slots that there are, or replaces them. */
  readonly mode = signal<'add' | 'replace'>('add')
  readonly import: ImportState
  /** The key of the pool that is wanted of several. */
  readonly chosen = signal<string | null>(null)
  /** The pool that would be taken; null while there is none or it has to be chosen. */
  readonly pool = computed(() => {
    const { pools = [] } = this.import.read.value ?? {}
    const [only] = pools
    return (pools.length === 1 ? only : pools.find(({ key }) => key === this.chosen.value)) ?? null
  })

  /** How much was read of the pool that would be taken, and of what is in none. */
  readonly lines = computed(() => {
    const { others } = this.import.read.value ?? {}
    const pool = this.pool.value
    return countAll([...(pool === null ? [] : [pool.lines]), ...(others ? [others] : [])])
  })

  constructor(store: EditStore<Edit>) {
    this.store = store
    this.isOpen.value = store.slots.length === 0
    this.import = new ImportState(() => {
      if (!this.isOpen.value) return null
      const { slots, buckets } = store
      // Names are given when it is taken: typing one would read all again.
      return { into: { name: '', slots, buckets }, isReplacing: this.mode.value === 'replace' }
    })
  }

  /** Opens the box, and appends a text to what is in it. */
  open(more = ''): void {
    const { text } = this.import
    const before = text.value
    const isJoined = before.trim() !== '' && more !== ''
    if (more !== '') this.import.closeFile()
    text.value = isJoined ? `${before.trimEnd()}\n${more}` : before + more
    this.isOpen.value = true
    // After the render that this has caused.
    queueMicrotask(() => focusNow('edit-paste'))
  }

  close(): void {
    this.isOpen.value = false
    this.import.closeFile()
    focusLater('edit-open-paste')
  }

  /**
   * Takes what was understood, if nothing has to be decided first; lines with problems stay. Until it was looked up, that is
   * remembered unless something is changed or decided meanwhile, which may be more than was meant to be taken.
   */
  async take(): Promise<void> {
    const chosen = this.chosen.peek()
    // What is in the way already is not waited for.
    if (!this.import.isBehind.peek() && this.#leadToObstacle()) return
    const read = await this.import.whenRead()
    if (read === null || chosen !== this.chosen.peek() || this.#leadToObstacle()) return
    const pool = this.pool.peek()
    if (pool === null) return
    const before = new Set(this.store.slots.map(({ key }) => key))
    const { slots: n, planned } = pool
    this.store.change(texts.pasteStep({ n }), (edit) => ({
      ...withDraft(edit, pool.draft),
      // What the pack has already stays.
      name: edit.name.trim() === '' ? pool.draft.name : edit.name,
      ...formFields({
        ...pool.fields,
        ...sentFields(storedFields(edit)),
        visibility: edit.visibility,
      }),
    }))
    const isFile = this.import.file.value !== null
    const { rest, refused } = pool.lines
    this.import.clear(isFile ? this.import.text.value : rest)
    this.mode.value = 'add'
    this.chosen.value = null
    if (!isFile && rest !== '') {
      announce(texts.addedSome({ n, lines: rest.split('\n').length }))
      focusNow('edit-paste')
      return
    }
    const leftOut = leftOutText(planned)
    announce(
      planned.length > 0
        ? texts.addedWithout({ n, refused, leftOut })
        : texts.added({ n, refused }),
    )
    this.isOpen.value = false
    const { slots } = this.store
    const first = slots.find(({ key }) => !before.has(key)) ?? slots[0]
    if (first !== undefined) focusLater(slotId(first.key))
  }

  /** Leads to what has to be decided before anything is taken; returns whether there is such a thing. */
  #leadToObstacle(): boolean {
    const read = this.import.read.peek()
    const pool = this.pool.peek()
    if (read === null) return false
    if (pool === null) focusLater('edit-import-pool')
    else if (openQuestions(read, [pool]) > 0) focusOpenQuestion()
    else if (pool.slots === 0) return true
    else if (this.import.isPartTaken(this.lines.peek())) return false
    else focusNow(PART_ID)
    return true
  }

  async openFile(from: File): Promise<void> {
    this.isOpen.value = true
    this.chosen.value = null
    await this.import.open(from)
  }
}

type PasteProps = { readonly paste: Paste }

/** Takes anything that hosts keep their pools in, and shows what it understood before it counts. */
export function PasteBox({ paste }: PasteProps) {
  const { store, import: state } = paste
  const isReplacing = paste.mode.value === 'replace'
  const hintId = useId()
  const obstacleId = useId()
  const read = state.read.value
  const pool = paste.pool.value
  const open = read === null || pool === null ? 0 : openQuestions(read, [pool])
  const added = pool?.slots ?? 0
  const lines = paste.lines.value
  const isReady = open === 0 && state.looking.value === 0 && state.isPartTaken(lines)
  return (
    <section
      class="paste-box"
      aria-label={texts.paste}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
          event.preventDefault()
          void paste.take()
        } else if (event.key === 'Escape') paste.close()
      }}
    >
      <label class="paste-label" for="edit-paste">
        {texts.pasteHere}
      </label>
      <p id={hintId} class="paste-hint">
        <PasteHint />
      </p>
      <ImportSource
        state={state}
        id="edit-paste"
        aria-describedby={hintId}
        rows={state.text.value.trim() === '' ? 4 : 8}
      />
      <ImportSummary state={state} lines={lines}>
        <PoolSummary paste={paste} open={open} />
      </ImportSummary>
      <ImportPanel state={state}>
        {read !== null && (
          <>
            {read.pools.length > 1 && <PoolChoice paste={paste} />}
            <ImportNotes state={state} read={read} />
            {pool !== null && <NewBuckets state={state} buckets={pool.newBuckets} />}
            {[...(pool === null ? [] : [pool.lines]), read.others].map((lines, at) => (
              <ImportLines
                key={at}
                id={lines === read.others ? 'import-other-lines' : 'import-pool-lines'}
                state={state}
                lines={lines}
                questions={read.questions}
                buckets={bucketTable(pool?.draft.buckets)}
              />
            ))}
          </>
        )}
      </ImportPanel>
      <div class="actions paste-actions">
        <Button
          id={TAKE_ID}
          tone="primary"
          // It keeps the focus while beatmaps are looked up; a press leads to what is in the way, or is remembered.
          aria-disabled={added === 0 || !isReady}
          aria-describedby={obstacleId}
          onClick={() => void paste.take()}
          aria-keyshortcuts="Control+Enter"
        >
          {isReplacing ? texts.replaceWith({ n: added }) : texts.add({ n: added })}
        </Button>
        <FileButton onOpen={(chosen) => void paste.openFile(chosen)} />
        <Button tone="quiet" label={words.close} onClick={() => paste.close()} />
        {store.slots.length > 0 && (
          <label class="paste-mode">
            <input
              type="checkbox"
              checked={isReplacing}
              onChange={() => (paste.mode.value = isReplacing ? 'add' : 'replace')}
            />
            {texts.replaceSlots({ n: store.slots.length })}
          </label>
        )}
        {/* Last, so that nothing moves when it comes. */}
        <ImportObstacle state={state} open={open} lines={lines} id={obstacleId} />
      </div>
    </section>
  )
}

type PanelProps = { readonly state: ImportState; readonly children: ComponentChildren }

/** Scrolls by itself. It has the height of the text's lines before they are read, so that nothing moves then. */
function ImportPanel({ state, children }: PanelProps) {
  const source = state.source.value
  if (source === null || state.problem.value !== null) return null
  const rows = source.kind === 'text' ? source.text.slice(0, 1000).split('\n', 12).length : 12
  return (
    <div
      class="paste-lines"
      tabIndex={0}
      role="region"
      aria-label={texts.result}
      aria-busy={state.isSlow.value}
      style={{ '--rows': String(rows) }}
    >
      {children}
    </div>
  )
}

function PoolSummary({ paste, open }: PasteProps & { readonly open: number }) {
  const { import: state, pool: chosen } = paste
  const pools = state.read.value?.pools ?? []
  const pool = chosen.value
  if (pool === null && pools.length > 1) return <b>{texts.roundsFound({ n: pools.length })}</b>
  const { slots: n = 0, planned = [] } = pool ?? {}
  const parts = { b: (children: ComponentChildren) => <b>{children}</b>, n, open }
  return planned.length > 0
    ? texts.foundWithout({ ...parts, leftOut: leftOutText(planned) })
    : texts.found(parts)
}

function PoolChoice({ paste }: PasteProps) {
  const pools = paste.import.read.value?.pools ?? []
  return (
    <label class="paste-pool">
      {texts.chooseOneOf({ n: pools.length })}
      <select
        id="edit-import-pool"
        class="field"
        value={paste.pool.value?.key ?? ''}
        onChange={({ currentTarget: { value } }) => (paste.chosen.value = value)}
      >
        <option value="" disabled>
          {texts.chooseOne}
        </option>
        {pools.map(({ key, name, slots, open }) => (
          <option key={key} value={key}>
            {texts.poolOption({
              name: name === null ? texts.beforeFirstRound : shownText(name),
              n: slots,
              open: open.length,
            })}
          </option>
        ))}
      </select>
    </label>
  )
}

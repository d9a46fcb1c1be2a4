import * as texts from '#texts/pooled'
import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { MAX_SLOTS } from '../../contract/bounds.ts'
import type { SitePack } from '../../contract/packs.ts'
import type { DraftUse, UsageLookReply, UsageNote } from '../../contract/usage.ts'
import { slotLabel } from '../../pool/slots.ts'
import { yearAfter } from '../../pool/text.ts'
import { pageData, pageHref } from '../page-data.ts'
import { useDerived } from '../parts/derived.ts'
import { PersonText, shownText } from '../parts/labels.tsx'
import '../style/pooled.css'

type PooledDeps = {
  readonly ask: (ids: string) => Promise<UsageLookReply>
  /** As `whenSeen`. */
  readonly later: (ms: number, then: () => void) => void
  /** The pack that is edited, as it is saved; left out: none, or its uses are not in the answers. */
  readonly own?: () => OwnPack
}

/** null: a new one. */
export type OwnPack = Pick<SitePack, 'slug' | 'visibility' | 'hiddenAt' | 'slots'> | null

/** Changes that follow each other closely are one question. */
const BATCH_MS = 300

/** Where the beatmaps of an edit were pooled, as far as it is known; each is asked for once. */
export class PooledNotes {
  readonly #deps: PooledDeps
  readonly #asked = new Set<number>()
  readonly #notes = signal<ReadonlyMap<number, UsageNote>>(new Map())
  #unasked: number[] = []

  constructor(deps: PooledDeps) {
    this.#deps = deps
  }

  /** What to say of a beatmap; null for nothing. Reads signals. */
  of(beatmapId: number): Pooled | null {
    const note = this.#notes.value.get(beatmapId)
    return note === undefined ? null : pooledElsewhere(note, this.#deps.own?.() ?? null)
  }

  want(beatmapIds: readonly number[]): void {
    const isWaiting = this.#unasked.length > 0
    for (const id of beatmapIds) {
      if (this.#asked.has(id)) continue
      this.#asked.add(id)
      this.#unasked.push(id)
    }
    if (!isWaiting && this.#unasked.length > 0) this.#deps.later(BATCH_MS, () => void this.#ask())
  }

  async #ask(): Promise<void> {
    const ids = this.#unasked
    this.#unasked = []
    for (let at = 0; at < ids.length; at += MAX_SLOTS) {
      const some = ids.slice(at, at + MAX_SLOTS)
      try {
        const { beatmaps } = await this.#deps.ask(some.join())
        const found = beatmaps.map((note): [number, UsageNote] => [note.beatmapId, note])
        this.#notes.value = new Map([...this.#notes.value, ...found])
      } catch {
        // The page works without them: they are asked for with the next change.
        for (const id of some) this.#asked.delete(id)
      }
    }
  }
}

/** What a note says: the uses of others than the pack that is edited. */
type Pooled = {
  readonly total: number
  /** null: the pack that is edited is the last one. */
  readonly last: UsageNote['last'] | null
  readonly drafts: readonly DraftUse[]
}

/**
 * The note of a beatmap without the pack that is edited; null when there is nothing to say.
 *
 * @param own the pack as it is saved; null for none.
 */
export function pooledElsewhere(
  { beatmapId, total, last, drafts = [] }: UsageNote,
  own: OwnPack,
): Pooled | null {
  const isListed = own !== null && own.visibility === 'public' && own.hiddenAt === undefined
  const mine = isListed ? own.slots.filter((slot) => slot.beatmapId === beatmapId).length : 0
  const others = Math.max(0, total - mine)
  if (others === 0 && drafts.length === 0) return null
  return { total: others, last: last?.slug === own?.slug ? null : (last ?? null), drafts }
}

const draftOf = ({ tournament, round, mod, index }: DraftUse) => ({
  slot: slotLabel({ mod, index }),
  round: shownText(round),
  tournament: shownText(tournament.name),
})

type NoteProps = { readonly beatmapId: number; readonly notes: PooledNotes }

/** Says in a row where its beatmap was pooled before, and leads there; nothing if it never was. */
export function PooledNote({ beatmapId, notes }: NoteProps) {
  const pooled = useDerived(() => notes.of(beatmapId), [notes, beatmapId])
  if (pooled === null) return null
  const { total, last, drafts } = pooled
  const [draft] = drafts
  const times = { n: total }
  const where = last && {
    ...times,
    slot: slotLabel(last),
    pack: <PersonText text={last.packName} />,
    where: (children: ComponentChildren) => <span class="pooled-where">{children}</span>,
  }
  return (
    <span class="pooled-note">
      {total > 0 && (
        <a href={pageHref(`/maps/${beatmapId}`)} target="_blank" title={titleOf(pooled)}>
          <span aria-hidden="true">{where ? texts.pooledIn(where) : texts.pooled(times)}</span>
          <span class="sr-only">{where ? texts.pooledInRead(where) : texts.pooledRead(times)}</span>
        </a>
      )}
      {draft !== undefined && (
        <a
          href={`${pageData().poolsUrl}/t/${draft.tournament.slug}/edit`}
          target="_blank"
          title={drafts.map((each) => texts.draftUse(draftOf(each))).join('\n')}
        >
          {texts.inDraft({ ...draftOf(draft), use: (children) => <bdi>{children}</bdi> })}
        </a>
      )}
    </span>
  )
}

function titleOf({ total, last }: Pooled): string | undefined {
  if (last?.tournament === undefined) return undefined
  const { name, year } = last.tournament
  const tournament = `${shownText(name)}${yearAfter(name, year)}`
  return texts.inRound({ n: total, round: shownText(last.round ?? ''), tournament })
}

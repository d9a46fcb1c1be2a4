import * as texts from '#texts/workspace'
import type { Discussion } from '../../contract/discussion.ts'
import type { Round } from '../../contract/rounds.ts'
import { type Change, cellWords, textOf } from '../editing/changes.ts'
import {
  type ChangesPart,
  type Part,
  type RoundPart,
  Steps,
  type Turned,
  type Way,
} from '../editing/steps.ts'
import { pageData } from '../page-data.ts'
import { poolsCall } from '../pools-api.ts'
import { CallFailure, unreachable } from '../site-failure.ts'
import { inTurn } from './live.ts'
import type { RoundModel } from './round-model.ts'
import { roundEditOf, roundInputOf } from './round-store.ts'
import { readRound } from './rounds.ts'

/** What steps need of the workspace. */
type Rounds = {
  readonly slug: string
  readonly nameOf: (id: string) => string | undefined
  /** The chosen round. */
  readonly shown: () => string | null
  readonly show: (id: string) => void
  /** A round that is in the tournament, read unless it is on the page. */
  readonly open: (id: string) => Promise<RoundModel>
  readonly remove: (id: string, tag: string) => Promise<void>
  readonly restore: (id: string) => Promise<Round>
  /** Reads which rounds there are. */
  readonly reload: () => Promise<void>
}

type PartTurned = { readonly part: Part | null; readonly kept: readonly string[] }

/**
 * What the person did in the workspace, whichever round it was in. A step is undone as a whole: slots of several rounds,
 * rounds that were made, and rounds that were deleted. What others have changed since stays, and is named.
 */
export class WorkspaceSteps {
  readonly steps = new Steps()
  readonly #rounds: Rounds
  /** Steps are taken back one after the other. */
  readonly #inTurn = inTurn()

  constructor(rounds: Rounds) {
    this.#rounds = rounds
  }

  get undoes(): string | null {
    return this.steps.next('undo')?.label ?? null
  }

  get redoes(): string | null {
    return this.steps.next('redo')?.label ?? null
  }

  undo(): Promise<Turned | null> {
    return this.#inTurn(() => this.#turn('undo'))
  }

  redo(): Promise<Turned | null> {
    return this.#inTurn(() => this.#turn('redo'))
  }

  /** Rounds were made, and meanwhile changes of others, as one step. */
  make(label: string, made: readonly Round[], work: () => void = () => {}): void {
    this.steps.collect(
      label,
      made.map((round) => madePart(round, contentOf(round, nothingSaid))),
      work,
    )
  }

  deleted({ id, name }: Round): void {
    this.steps.add(texts.deleteOneRound({ round: name }), {
      of: id,
      name,
      isThere: false,
      content: null,
    })
  }

  /** A round was restored otherwise than by an undo: if the last step deleted it, that one is taken back. */
  async restored(round: Round): Promise<void> {
    const part = madePart(round, await this.#contentOf(round).catch(() => null))
    const [last, ...others] = this.steps.next('undo')?.parts ?? []
    const isLast = last?.of === round.id && 'isThere' in last && others.length === 0
    if (!isLast) this.steps.add(texts.restoreOneRound({ round: round.name }), part)
    else this.steps.put('redo', { ...this.steps.take('undo')!, parts: [part] })
  }

  async #turn(way: Way): Promise<Turned | null> {
    const step = this.steps.take(way)
    if (step === null) return null
    const { label, turned = [] } = step
    const left = roundsFirst(step.parts)
    const parts = [...turned]
    const kept: string[] = []
    const end = (): void => {
      if (left.length > 0) this.steps.put(way, { label, parts: left.toReversed(), turned: parts })
      else this.steps.put(way === 'undo' ? 'redo' : 'undo', { label, parts })
      this.#show(parts)
    }
    try {
      for (let part = left[0]; part !== undefined; part = left[0]) {
        const one =
          'changes' in part ? await this.#reverse(label, part) : await this.#turnRound(part)
        left.shift()
        kept.push(...one.kept)
        if (one.part !== null) parts.push(one.part)
      }
    } catch (error) {
      // What is refused for good does not stand in the way of the rest.
      if (!mayPass(error)) left.shift()
      end()
      throw error
    }
    end()
    return {
      label,
      isDone: kept.length === 0,
      isNothing: kept.length > 0 && parts.length === 0,
      kept,
    }
  }

  async #reverse(label: string, { of, changes }: ChangesPart): Promise<PartTurned> {
    const name = this.#rounds.nameOf(of)
    if (name === undefined) return { part: null, kept: [texts.someDeletedRound] }
    const { store } = await this.#rounds.open(of)
    const { made, kept } = store.reverse(label, changes)
    const isShown = of === this.#rounds.shown()
    const nameOf = ({ cell }: Change): string =>
      isShown ? cellWords(cell) : texts.cellOfRound({ what: cellWords(cell), round: name })
    return { part: made.length === 0 ? null : { of, changes: made }, kept: kept.map(nameOf) }
  }

  async #turnRound(part: RoundPart): Promise<PartTurned> {
    const { of, name, isThere } = part
    const isTurned = isThere ? await this.#remove(part) : await this.#restore(of)
    if (isTurned === null) return { part: null, kept: [name] }
    return { part: isTurned, kept: [] }
  }

  /** Deletes a round that is as the step has left it; null: somebody has put something in since, or released it. */
  async #remove({ of, name, content }: RoundPart): Promise<RoundPart | null> {
    const gone: RoundPart = { of, name, isThere: false, content: null }
    for (let tries = 3; tries > 0; tries -= 1) {
      if (this.#rounds.nameOf(of) === undefined) return gone
      const { store } = await this.#rounds.open(of)
      await store.whenIdle()
      if (store.state.phase !== 'saved') throw store.state.failure ?? unreachable()
      const { round, tag } = await readRound(this.#rounds.slug, of)
      if (store.stuck.value.length > 0 || (await this.#contentOf(round)) !== content) return null
      try {
        await this.#rounds.remove(of, tag)
        return gone
      } catch (error) {
        if (!isFailure(error, 'precondition_failed')) throw error
      }
    }
    return null
  }

  /** Restores a deleted round; null: it cannot be any more. */
  async #restore(of: string): Promise<RoundPart | null> {
    try {
      await this.#rounds.restore(of)
    } catch (error) {
      if (!isFailure(error, 'not_found')) throw error
      // By somebody else, or by an earlier attempt of which the answer was lost.
      await this.#rounds.reload()
      if (this.#rounds.nameOf(of) === undefined) return null
    }
    const { round } = await readRound(this.#rounds.slug, of)
    return madePart(round, await this.#contentOf(round))
  }

  async #contentOf(round: Round): Promise<string> {
    const { slug } = this.#rounds
    return contentOf(round, await poolsCall('getDiscussion', { slug, round: round.id }))
  }

  #show(parts: readonly Part[]): void {
    const there = parts.flatMap((part) => ('changes' in part || part.isThere ? part.of : []))
    const [first] = there
    if (first !== undefined && !there.includes(this.#rounds.shown() ?? '')) this.#rounds.show(first)
  }
}

const nothingSaid: Discussion = { candidates: [], remarks: [] }

const madePart = ({ id, name }: Round, content: string | null): RoundPart => ({
  of: id,
  name,
  isThere: true,
  content,
})

/** A round as a text: its draft, whether it is released, and the others' candidates and remarks. */
function contentOf(round: Round, { candidates, remarks }: Discussion): string {
  const own = pageData().viewer?.gameId
  const said = [
    ...candidates.map(({ id, proposedBy }) => ({ id, by: proposedBy })),
    ...remarks.map(({ id, writtenBy }) => ({ id, by: writtenBy })),
  ].filter(({ by }) => by?.gameId !== own)
  const { releaseAt, packSlug } = round
  return textOf({
    ...roundInputOf(roundEditOf(round)),
    releaseAt,
    packSlug,
    said: said.map(({ id }) => id),
  })
}

/** The last part first, but rounds before slots: what may fail comes before what does not. */
function roundsFirst(parts: readonly Part[]): Part[] {
  const isOfSlots = (part: Part): number => Number('changes' in part)
  return parts.toReversed().toSorted((a, b) => isOfSlots(a) - isOfSlots(b))
}

const isFailure = (error: unknown, code: CallFailure['code']): boolean =>
  error instanceof CallFailure && error.code === code

/** Whether the same may succeed later. */
function mayPass(error: unknown): boolean {
  if (!(error instanceof CallFailure)) return false
  const { status, code } = error
  return (
    status === 0 ||
    status === 401 ||
    status >= 500 ||
    code === 'rate_limited' ||
    code === 'unreadable'
  )
}

import { type Beatmap, type Rating, type RatingKey, ratingText } from '../../src/domain/beatmaps.ts'
import { type Caller, PlatformError } from '../../src/domain/platform.ts'
import type { CallBudget, Platform } from '../../src/ports/platform.ts'
import type { Clock } from '../../src/ports/system.ts'
import { aBeatmap } from './a-beatmap.ts'

/** What a test makes of the platform; counts its calls. Every beatmap exists unless it is gone. */
export class ScriptedPlatform implements Pick<Platform, 'readBeatmaps' | 'readRating'> {
  readonly #ports: { readonly callBudget: CallBudget; readonly clock: Clock }
  /** The ids of each call for beatmaps. */
  readonly beatmapCalls: (readonly number[])[] = []
  /** The rating of each call for one, as a text. */
  readonly ratingCalls: string[] = []
  readonly callers = new Set<Caller>()
  readonly beatmaps = new Map<number, Beatmap | 'gone'>()
  readonly ratings = new Map<string, Rating>()
  /** Calls that this holds of go wrong. */
  fails: (what: number | string) => boolean = () => false
  /** Runs before each answer. */
  meanwhile: () => Promise<void> | void = () => {}

  constructor(ports: { readonly callBudget: CallBudget; readonly clock: Clock }) {
    this.#ports = ports
  }

  get calls(): number {
    return this.beatmapCalls.length + this.ratingCalls.length
  }

  forgetCalls(): void {
    this.beatmapCalls.length = 0
    this.ratingCalls.length = 0
  }

  async readBeatmaps(ids: readonly number[], caller: Caller): Promise<readonly Beatmap[]> {
    if (ids.length > 50 || new Set(ids).size < ids.length)
      throw new Error(`wrong ids ${ids.join()}`)
    await this.#call(caller, () => this.beatmapCalls.push(ids), ids)
    return ids.flatMap((id) => {
      const beatmap = this.beatmaps.get(id) ?? aBeatmap(id)
      return beatmap === 'gone' ? [] : [beatmap]
    })
  }

  async readRating(key: RatingKey, caller: Caller): Promise<Rating> {
    const text = ratingText(key)
    await this.#call(caller, () => this.ratingCalls.push(text), [text])
    return this.ratings.get(text) ?? { stars: 6.5 }
  }

  async #call(caller: Caller, count: () => void, asked: readonly (number | string)[]) {
    const { callBudget, clock } = this.#ports
    const leave = await callBudget.take(caller, clock.now())
    if (!leave.granted) throw new PlatformError('no calls are left', leave.retryAt, 'unasked')
    this.callers.add(caller)
    count()
    await this.meanwhile()
    if (asked.some((each) => this.fails(each)))
      throw new PlatformError('not JSON', null, 'unexpected')
  }
}

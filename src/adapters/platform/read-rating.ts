import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Rating, RatingKey } from '../../domain/beatmaps.ts'
import type { Platform } from '../../ports/platform.ts'
import type { Ask } from './ask-as-ourselves.ts'
import { createFlights } from './flights.ts'
import { toWire } from './ruleset-names.ts'
import { isOwnAnswer, unusable } from './unusable.ts'
import type { WireCall } from './wire-call.ts'

const attributes = Compile(
  Type.Object({
    attributes: Type.Object({ star_rating: Type.Number({ minimum: 0, maximum: 1e9 }) }),
  }),
)

const ratingCall = ({ beatmapId, ruleset, mods }: RatingKey): WireCall => ({
  method: 'POST',
  path: `/api/v2/beatmaps/${beatmapId}/attributes`,
  body: { mods, ruleset: toWire(ruleset) },
})

/**
 * Ratings with mods, one call each. 404 and 422 are the platform's word on a beatmap only when they
 * come as its own JSON: the error page of a proxy before it says nothing of beatmaps.
 */
export const createReadRating = (ask: Ask): Platform['readRating'] => {
  const join = createFlights<Rating>()

  return async (key, caller) => {
    const call = ratingCall(key)
    return join(`${key.beatmapId} ${key.ruleset} ${key.mods.join(' ')}`, caller, async () => {
      const answer = await ask(call, caller)
      const { status, json } = answer
      if (status === 200 && attributes.Check(json)) return { stars: json.attributes.star_rating }
      if (status === 404 && isOwnAnswer(answer)) return 'gone'
      if (status === 422 && isOwnAnswer(answer)) return 'refused'
      throw unusable(call, answer)
    })
  }
}

import {
  type CheckCall,
  type CheckSettings,
  describe,
  makeCheckCall,
  meaningOf,
  NO_ANSWER,
  readJson,
} from './check-call.ts'
import {
  type Difference,
  type Expectation,
  expectation,
  findDifferences,
  type SeenAnswer,
} from './expectations.ts'

/** What is called, for operators to read before. */
type PlannedCall = {
  /** 1 to 12; the second is made for each redirect address. */
  readonly number: number
  readonly asks: string
}

export type CheckedCall = PlannedCall & {
  /** Which of the expected answers it was compared with. */
  readonly answer: number
  /** What came, without anything secret. */
  readonly came: string
  readonly differences: readonly string[]
  /** What the differences mean to the operator; null if there are none. */
  readonly means: string | null
  /** Which of several expected answers came, where that is worth knowing; null otherwise. */
  readonly note: string | null
}

/**
 * The calls that show whether the platform answers as this software expects, with the operator's own application. They
 * read, and one asks for a token of the application's own.
 *
 * @returns what would be called, and a function that makes the calls one after the other, each after `take`, which resolves
 * when it may be made, with what is to be called when it has been answered.
 */
export function createPlatformCheck(settings: CheckSettings) {
  const steps = planSteps(settings)
  return {
    planned: steps.map(({ number, asks }): PlannedCall => ({ number, asks })),
    async *run(take: () => Promise<() => Promise<void>>): AsyncGenerator<CheckedCall> {
      const known: Earlier = { token: null, plainStars: null }
      for (const step of steps) {
        if (step.token === 'own' && known.token === null) {
          yield report(step, {
            came: 'nothing: the call was not made',
            differences: ['there is no token to make it with'],
          })
          continue
        }
        const answered = await take()
        const seen = await makeCheckCall(settings, step, known.token)
        await answered()
        if (typeof seen === 'string') {
          const came = `no answer (${seen})`
          yield report(step, { came, differences: ['there was no answer'], means: NO_ANSWER })
          continue
        }
        const found = [...findDifferences(step.expected, seen), ...compareValues(step, seen, known)]
        const isExpected = found.length === 0
        yield report(step, {
          came: describe(seen, settings, known.token),
          differences: found.map(({ text }) => text),
          means: isExpected ? null : meaningOf(found, seen, step.means),
          note: isExpected ? (step.note?.(seen) ?? null) : null,
        })
      }
    },
  }
}

function report(
  { number, asks, expected }: Step,
  seen: Pick<CheckedCall, 'came' | 'differences'> & Partial<CheckedCall>,
): CheckedCall {
  return { number, asks, answer: expected.number, means: null, note: null, ...seen }
}

/** An answer of another status has none of the values that are compared. */
function compareValues({ compare }: Step, seen: SeenAnswer, known: Earlier): readonly Difference[] {
  if (compare === undefined || seen.status !== 200) return []
  return compare(seen, known).map((text) => ({ kind: 'value', text }))
}

/** What earlier answers have told. */
type Earlier = { token: string | null; plainStars: number | null }

type Step = PlannedCall &
  CheckCall & {
    readonly expected: Expectation
    /** What else differs in an answer of status 200; learns from it. */
    readonly compare?: (seen: SeenAnswer, known: Earlier) => readonly string[]
    /** Which of several expected answers it is. */
    readonly note?: (seen: SeenAnswer) => string
    /** What a difference means that the answer does not explain by itself; null: nothing in particular. */
    readonly means: Parameters<typeof meaningOf>[2]
  }

/** A beatmap of which everything is known: ranked, and much harder with mods. */
const BEATMAP = 129_891
const MANIA_BEATMAP = 5_590_715
/** Above every id that the platform has given out. */
const FIRST_FREE = 2_147_480_000
const NO_BEATMAP = 2_147_483_647

const rows = {
  ...expectation(47),
  body: { beatmaps: [75, BEATMAP].map((id) => ({ id, difficulty_rating: '>0', '…': 'any' })) },
}
const rated = {
  ...expectation(54),
  body: { attributes: { star_rating: '>0', max_combo: '>0', '…': 'any' } },
}
/** What is stored of an impossible rating, or what is computed (57); D-93. */
const storedOrComputed = {
  ...expectation(56),
  body: { attributes: { star_rating: 'number', max_combo: 'number', '…': 'any' } },
}

function planSteps({ clientId, clientSecret, redirectUris }: CheckSettings): readonly Step[] {
  const client = { client_id: clientId, client_secret: clientSecret }
  const forged = (redirect_uri: string) => ({
    method: 'POST' as const,
    path: '/oauth/token',
    form: { grant_type: 'authorization_code', code: 'forged', redirect_uri, ...client },
  })
  const ids = [BEATMAP, 75, 75, ...Array.from({ length: 47 }, (_, at) => FIRST_FREE + at)]
  const query = [...ids, 2_069_833].map((id) => `ids[]=${id}`).join('&')
  const asksRows =
    'GET /api/v2/beatmaps, with 51 ids: one twice, one beyond the 50, most of nothing'
  const rate = (mods: readonly string[], id = BEATMAP) => ({
    method: 'POST' as const,
    path: `/api/v2/beatmaps/${id}/attributes`,
    json: { mods, ruleset: 'osu' },
    token: 'own' as const,
  })
  const asksRating = (what: string) => `POST /api/v2/beatmaps/…/attributes, ${what}`

  return [
    {
      number: 1,
      asks: "POST /oauth/token, for a token of the application's own",
      expected: expectation(14),
      method: 'POST',
      path: '/oauth/token',
      form: { grant_type: 'client_credentials', scope: 'public', ...client },
      compare: (seen, known) => {
        const { access_token: token } = (readJson(seen) ?? {}) as { access_token?: unknown }
        if (typeof token === 'string') known.token = token
        return []
      },
      means: (kind, status) =>
        kind === 'status' && (status === 400 || status === 401)
          ? 'PLATFORM_CLIENT_ID or PLATFORM_CLIENT_SECRET is not the one of the application, or it may not have a token.'
          : null,
    },
    ...redirectUris.map((uri) => ({
      ...forged(uri),
      number: 2,
      asks: `POST /oauth/token, with a forged code and the redirect address ${uri}`,
      expected: expectation(15),
      means: (kind: string, status: number) =>
        kind === 'status' && status === 401
          ? `The redirect address ${uri} is not registered with the application on the platform, unless call 1 was refused too. Nobody can sign in by it.`
          : null,
    })),
    {
      ...forged('https://not-registered.invalid/sign-in/callback'),
      number: 3,
      asks: 'POST /oauth/token, with a forged code and a redirect address that nobody has registered',
      expected: expectation(21),
      means: (kind) =>
        kind === 'status'
          ? 'The platform no longer compares redirect addresses before it looks at codes.'
          : null,
    },
    {
      number: 4,
      asks: "GET /api/v2/me, with the application's own token",
      expected: expectation(33),
      method: 'GET',
      path: '/api/v2/me',
      token: 'own',
      means: (_kind, status) =>
        status === 200 ? 'The platform takes the application for a player: report it.' : null,
    },
    {
      number: 5,
      asks: asksRows,
      expected: rows,
      method: 'GET',
      path: `/api/v2/beatmaps?${query}`,
      token: 'own',
      compare: (seen, known) => {
        const { beatmaps = [] } = (readJson(seen) ?? {}) as { beatmaps?: readonly Row[] }
        const row = Array.isArray(beatmaps) ? beatmaps.find(({ id }) => id === BEATMAP) : undefined
        known.plainStars = row?.difficulty_rating ?? null
        return []
      },
      means: (kind) =>
        kind === 'status'
          ? null
          : 'The platform limits ids in another way, or its rows have changed: stats can be wrong or late. Report it.',
    },
    {
      ...rate(['DT']),
      number: 6,
      asks: asksRating('under DT'),
      expected: rated,
      compare: (seen, { plainStars }) =>
        starsOf(seen) > (plainStars ?? 0) ? [] : ['star_rating is not above the plain one'],
      means: (kind) =>
        kind === 'value'
          ? 'The platform does not rate mods now: packs show plain ratings, or wait for them.'
          : null,
    },
    {
      ...rate(['HD']),
      number: 7,
      asks: asksRating('under HD'),
      expected: rated,
      compare: (seen, { plainStars }) =>
        starsOf(seen) <= 0
          ? ['there is no star_rating']
          : Math.abs(starsOf(seen) - (plainStars ?? 0)) > 0.005
            ? []
            : ['star_rating is the plain one'],
      means: (kind) =>
        kind === 'value'
          ? 'The platform does not serve ratings under HD: slots that force HD show the plain one.'
          : null,
    },
    {
      ...rate(['EZ', 'HR']),
      number: 8,
      asks: asksRating('under EZ and HR, which nobody can play'),
      expected: storedOrComputed,
      note: ratingSource,
      compare: (seen) =>
        starsOf(seen) >= 0 || starsOf(seen) === -1 ? [] : ['star_rating is below 0, and not -1'],
      means: () => null,
    },
    {
      ...rate(['ZZ']),
      number: 9,
      asks: asksRating('under a mod that does not exist'),
      expected: expectation(59),
      means: () => 'The platform no longer refuses unknown mods in the same way: report it.',
    },
    {
      ...rate([], MANIA_BEATMAP),
      number: 10,
      asks: asksRating('of a mania beatmap in the first ruleset'),
      expected: expectation(63),
      means: () => 'The platform no longer refuses conversions in the same way: report it.',
    },
    {
      ...rate([], NO_BEATMAP),
      number: 11,
      asks: asksRating('of a beatmap that does not exist'),
      expected: expectation(65),
      means: () => 'Deleted beatmaps may not be recognised: report it.',
    },
    {
      number: 12,
      asks: 'GET /api/v2/beatmaps, with a token that is none',
      expected: expectation(31),
      method: 'GET',
      path: '/api/v2/beatmaps?ids[]=75',
      token: 'none of ours',
      means: () =>
        'The platform refuses tokens in another way: an expired one may not be replaced. Report it.',
    },
  ]
}

function ratingSource(seen: SeenAnswer): string {
  const stars = starsOf(seen)
  if (stars === 0) return 'The platform serves stored ratings: it has none here.'
  return stars > 0
    ? 'The platform computes ratings that it has not stored. Nothing has to be done.'
    : 'The platform computes ratings, and could not compute this one: -1 counts as none. Nothing has to be done.'
}

type Row = { readonly id: number; readonly difficulty_rating: number }

function starsOf(seen: SeenAnswer): number {
  const { attributes } = (readJson(seen) ?? {}) as { attributes?: { star_rating?: unknown } }
  return typeof attributes?.star_rating === 'number' ? attributes.star_rating : 0
}

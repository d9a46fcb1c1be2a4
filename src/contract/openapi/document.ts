import { API_PREFIX, type Topic } from '../endpoint.ts'
import { FAILURES_PER_MINUTE, REQUESTS_PER_MINUTE, WRITES_PER_MINUTE } from '../quotas.ts'
import { endpointsOf, type ServiceName } from '../services.ts'
import { parametersOf, pathsOf } from './operations.ts'
import { headersOf } from './headers.ts'
import { responsesOf } from './responses.ts'
import { schemasOf } from './schemas.ts'
import { API_VERSION, OPENAPI_VERSION, type OpenapiDocument, type Paths } from './types.ts'

/** Where the service runs. */
type OpenapiOptions = {
  /** The service's public address without `/api/v1`: `https://packs.test`. */
  readonly apiUrl: string
  /** The site's public address. */
  readonly siteUrl: string
  /** What the service's keys begin with, before the underscore. */
  readonly keyPrefix: string
}

/** The OpenAPI 3.1 document of a service, made from its endpoints (spec 4, 9). */
export function buildOpenapi(service: ServiceName, options: OpenapiOptions): OpenapiDocument {
  const siteUrl = withoutSlash(options.siteUrl)
  const words = wordsOf(siteUrl)[service]
  const endpoints = endpointsOf[service]
  const used = new Set(Object.values(endpoints).map(({ topic }) => topic))
  const paths = pathsOf(endpoints)
  return {
    openapi: OPENAPI_VERSION,
    info: {
      title: words.title,
      summary: words.summary,
      version: API_VERSION,
      description: guide(words),
      contact: { name: 'Who runs this service', url: siteUrl },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [
      { url: withoutSlash(options.apiUrl) + API_PREFIX, description: 'This installation.' },
    ],
    security: [{ apiKey: [] }],
    tags: [...used].map((name) => ({ name, description: topics[name] })),
    paths,
    components: {
      securitySchemes: { apiKey: keyScheme(options.keyPrefix) },
      ...componentsOf(service, paths),
    },
  }
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '')
}

function keyScheme(keyPrefix: string) {
  return {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: `${keyPrefix}_ and 43 letters, digits, - or _`,
    description: `An API key: \`${keyPrefix}_\` followed by 43 characters of base64url (letters, digits, \`-\` and \`_\`).`,
  }
}

type Words = Record<
  'title' | 'summary' | 'intro' | 'keys' | 'sharedWrites' | 'refusals' | 'conditions' | 'outside',
  string
>

const wordsOf = (siteUrl: string): Readonly<Record<ServiceName, Words>> => ({
  packs: {
    title: 'Mapcrate packs API',
    summary: 'Read public map packs, and keep your own.',
    intro:
      'A pack is a named pool of beatmaps arranged in slots, with a visibility and, a few seconds after it was saved, stats. Anyone with a key reads public and unlisted packs; private and hidden ones exist for their owner alone.',
    keys: `Keys are made on the account page of ${siteUrl}, one for each account`,
    sharedWrites:
      ' Saving, editing or deleting packs and magnet links on the site counts toward the same writes.',
    refusals:
      '`{ "error": { "code", "message" } }`: check the code, show the message. While the operator lets nothing be changed, writes are answered 503 `unavailable`; `Retry-After` says when to try again.',
    conditions: 'PUT and DELETE honour `If-Match`.',
    outside: `## Beside the API

Anyone can open a pack key at \`${siteUrl}/k#\` followed by the key. \`${siteUrl}/packs/index.json\` is a search index of public packs; it needs no key and counts toward no limit.`,
  },
  pools: {
    title: 'Mapcrate tournament-pools API',
    summary: 'Draft the pools of tournaments, and release them round by round.',
    intro:
      'A tournament has rounds, and a staff that drafts their pools in secret: hosts, poolers, testers and referees. A slot of a draft has a beatmap, a placeholder, or neither. A released round is a public pack of the packs service. Anyone with a key reads what is released of public tournaments; everything else exists for the staff alone.',
    keys: "Keys are made on this service's account page, one for each account",
    sharedWrites:
      ' These are not the quotas of the packs service, whose keys are others. What the pages of this service change has a share of its own.',
    refusals:
      '`{ "error": { "code", "message", "reason" } }`: check the code, and the reason for its cause; show the message. While the operator lets nothing be changed, writes are answered 503 `unavailable` with the reason `read_only`, and everything may be with `store_away`; `Retry-After` says when to try again.',
    conditions:
      'PUT, PATCH and DELETE honour `If-Match`; whole rounds are replaced and deleted only with it, and answered 428 `precondition_required` without. Slots are changed one by one without it: each change says what it replaces.',
    outside: `Texts are counted in UTF-16 code units, so that a character outside the Basic Multilingual Plane, such as 🏆, counts twice; \`maxLength\` counts characters, and allows more.

## Two people in one round

\`PATCH /tournaments/{slug}/rounds/{round}/slots\` changes slots if they are still as in \`from\`: changes of different slots never overwrite one another. Where a slot is no longer so, nothing is changed, and the answer is 409 \`conflict\` with \`slots\`: what is there now.`,
  },
})

const topics: Readonly<Record<Topic, string>> = {
  Account: 'Who you are to the service.',
  Packs: 'Named pools of beatmaps, arranged in slots.',
  Tournaments: 'What pools are drafted for.',
  Rounds: 'Drafts of pools, changed slot by slot, and released as packs.',
  Staff: 'Who drafts, and who may do what.',
  Discussion: 'Candidates for slots, votes and remarks.',
  Beatmaps: 'Where beatmaps were pooled.',
  Description: 'The service as data.',
}

/** The short guide at the head of a document, in Markdown. */
function guide({ intro, keys, sharedWrites, refusals, conditions, outside }: Words): string {
  return `${intro}

## Keys

Every request but the one for this document needs an API key: \`Authorization: Bearer\` and the key. ${keys}, and shown once; a new key ends the old one at once. Keys belong on servers and in bots: no CORS headers are sent.

## Quotas

Each account has ${REQUESTS_PER_MINUTE} requests a minute, and ${WRITES_PER_MINUTE} of them may be writes (POST, PUT, PATCH, DELETE, whatever the path or outcome).${sharedWrites} Each address has ${FAILURES_PER_MINUTE} failed key attempts a minute. Counters restart at the top of each minute. Every response says in \`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\` what is left; over a quota the answer is 429 with \`Retry-After\`.

## Answers

JSON in UTF-8. A refusal is ${refusals} Beside what each operation lists, with a key an unknown path is 404 \`not_found\`, and a known path with another method 405 \`method_not_allowed\` with \`Allow\`. HEAD is GET without the body; OPTIONS is answered 204 with \`Allow\`. Requests that are not well-formed HTTP are refused with the same body and headers. Answers to GET carry an \`ETag\` and honour \`If-None-Match\`; ${conditions} Answers of 1 KB and more are compressed as \`Accept-Encoding\` allows.

${outside}`.trimEnd()
}

/** The components that the paths refer to, directly or through one another; no others. */
function componentsOf(service: ServiceName, paths: Paths): OpenapiDocument['components'] {
  const components: OpenapiDocument['components'] = {
    schemas: schemasOf[service],
    parameters: parametersOf[service],
    headers: headersOf[service],
    responses: responsesOf[service],
  }
  const used = new Set<string>()
  const collect = (part: unknown): void => {
    for (const [, section = '', name = ''] of JSON.stringify(part).matchAll(REFERENCE)) {
      if (used.has(`${section}/${name}`)) continue
      used.add(`${section}/${name}`)
      collect(components[section]?.[name])
    }
  }
  collect(paths)
  const sections = Object.entries(components).map(([section, parts]) => [
    section,
    Object.fromEntries(Object.entries(parts).filter(([name]) => used.has(`${section}/${name}`))),
  ])
  return Object.fromEntries(sections)
}

const REFERENCE = /"\$ref":"#\/components\/(\w+)\/([\w-]+)"/g

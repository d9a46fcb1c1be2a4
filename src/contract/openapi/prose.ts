import type { Topic } from '../endpoint.ts'
import { FAILURES_PER_MINUTE, REQUESTS_PER_MINUTE, WRITES_PER_MINUTE } from '../quotas.ts'
import type { ServiceName } from '../services.ts'

export const titles: Readonly<Record<ServiceName, string>> = {
  packs: 'Mapcrate packs API',
  pools: 'Mapcrate tournament-pools API',
}

export const summaries: Readonly<Record<ServiceName, string>> = {
  packs: 'Read public map packs, and keep your own.',
  pools: 'Who owns a key of the tournament-pools service.',
}

export const topics: Readonly<Record<Topic, string>> = {
  Account: 'Who you are to the service.',
  Packs: 'Named pools of beatmaps, arranged in slots.',
  Description: 'The service as data.',
}

const intros: Readonly<Record<ServiceName, string>> = {
  packs:
    'A pack is a named pool of beatmaps arranged in slots, with a visibility and, a few seconds after it was saved, stats. Anyone with a key reads public and unlisted packs; private and hidden ones exist for their owner alone.',
  pools:
    'The tournament-pools service has its own keys and its own counters. It says who owns a key; its pools are published as packs of the packs service.',
}

const outside = (siteUrl: string): Readonly<Record<ServiceName, string>> => ({
  packs: `## Beside the API

Anyone can open a pack key at \`${siteUrl}/k#\` followed by the key. \`${siteUrl}/packs/index.json\` is a search index of public packs; it needs no key and counts toward no limit.`,
  pools: '',
})

const keys: Readonly<Record<ServiceName, (siteUrl: string) => string>> = {
  packs: (siteUrl) => `Keys are made on the account page of ${siteUrl}, one for each account`,
  pools: () => "Keys are made on this service's account page, one for each account",
}

const sharedWrites: Readonly<Record<ServiceName, string>> = {
  packs:
    ' Saving, editing or deleting packs and magnet links on the site counts toward the same writes.',
  pools: '',
}

/** The guide in short that stands at the head of a document, in Markdown. */
export const guide = (service: ServiceName, siteUrl: string): string =>
  `${intros[service]}

## Keys

Every request but the one for this document needs an API key: \`Authorization: Bearer\` and the key. ${keys[service](siteUrl)}, and shown once; a new key ends the old one at once. Keys belong on servers and in bots: no CORS headers are sent.

## Quotas

Each account has ${REQUESTS_PER_MINUTE} requests a minute, and ${WRITES_PER_MINUTE} of them may be writes (POST, PUT, PATCH, DELETE, whatever the path or outcome).${sharedWrites[service]} Each address has ${FAILURES_PER_MINUTE} failed key attempts a minute. Counters restart at the top of each minute. Every response says in \`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\` what is left; over a quota the answer is 429 with \`Retry-After\`.

## Answers

JSON in UTF-8. A refusal is \`{ "error": { "code", "message" } }\`: check the code, show the message. Beside what each operation lists, with a key an unknown path is 404 \`not_found\`, and a known path with another method 405 \`method_not_allowed\` with \`Allow\`. HEAD is GET without the body; OPTIONS is answered 204 with \`Allow\`. Requests that are not well-formed HTTP are refused with the same body and headers. Answers to GET carry an \`ETag\` and honour \`If-None-Match\`; PUT and DELETE honour \`If-Match\`. Answers of 1 KB and more are compressed as \`Accept-Encoding\` allows.

${outside(siteUrl)[service]}`.trimEnd()

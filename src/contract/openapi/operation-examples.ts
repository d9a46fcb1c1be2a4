import {
  fullInputExample,
  hiddenPackExample,
  newPackExample,
  packExample,
  plainInputExample,
  replacedPackExample,
  userExample,
} from '../examples.ts'
import { openapiExample } from '../openapi-reply.ts'
import type { Examples } from './types.ts'

const inputs = {
  plain: { summary: 'Name and slots are enough', value: plainInputExample },
  full: { summary: 'A bucket of your own, for all to see', value: fullInputExample },
}

const pastTheEnd = {
  summary: 'A page past the end',
  value: { packs: [], page: 7, pageCount: 1, total: 1 },
}

/** What each operation is sent and answers, by operation id. */
export const operationExamples: Readonly<
  Record<string, { readonly request?: Examples; readonly reply?: Examples }>
> = {
  getMe: { reply: { owner: { summary: "The key's owner", value: { user: userExample } } } },
  listMyPacks: {
    reply: {
      mine: {
        summary: 'Three packs, one of them hidden',
        value: {
          packs: [packExample, newPackExample, hiddenPackExample],
          page: 1,
          pageCount: 1,
          total: 3,
        },
      },
      pastTheEnd,
    },
  },
  listPacks: {
    reply: {
      public: {
        summary: 'One public pack',
        value: { packs: [packExample], page: 1, pageCount: 1, total: 1 },
      },
      pastTheEnd,
    },
  },
  createPack: {
    request: inputs,
    reply: {
      created: { summary: 'Saved, unlisted, without stats', value: { pack: newPackExample } },
    },
  },
  getPack: {
    reply: {
      complete: { summary: 'With stats and a magnet link', value: { pack: packExample } },
      plain: { summary: 'Saved a moment ago', value: { pack: newPackExample } },
    },
  },
  replacePack: {
    request: { full: inputs.full },
    reply: {
      replaced: {
        summary: 'Other maps: magnet links cleared, stats to follow',
        value: { pack: replacedPackExample },
      },
    },
  },
  getOpenapi: {
    reply: { document: { summary: 'In outline', value: openapiExample } },
  },
}

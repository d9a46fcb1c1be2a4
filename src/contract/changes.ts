import { type Static, Type } from 'typebox'
import * as bounds from './bounds.ts'
import { about, closed, list, open, Slug, text, Timestamp } from './primitives.ts'

const changeKinds = ['created', 'changed', 'hidden', 'shown', 'deleted'] as const
export type ChangeKind = (typeof changeKinds)[number]

/** A place in the feed of changes. Opaque: only what was received can be sent. */
export const Cursor = Type.String({
  ...text('A place in the feed.', 22, 22, bounds.CURSOR_PATTERN),
  examples: ['Zm9vYmFyYmF6cXV4Y29ycw'],
})

/** Query of `GET /changes`. */
export const ChangeQuery = open('Where to begin, and how long to wait.', {
  after: Type.Optional(Cursor),
  wait: Type.Optional(Type.String({ pattern: bounds.WAIT_PATTERN })),
})
export type ChangeQuery = Static<typeof ChangeQuery>

export const changeExample = {
  cursor: 'Zm9vYmFyYmF6cXV4Y29ycw',
  at: '2026-10-03T18:30:00.000Z',
  kind: 'changed',
  slug: 'q7Jm2_xT0a',
}

/** What has happened to a pack, as the caller may know it (D-73). */
export const PackChange = closed(about('What has happened to a pack.', changeExample), {
  cursor: Cursor,
  at: Timestamp,
  kind: Type.Enum(changeKinds, {
    description:
      "Of a public pack: `created`; `changed`, its owner has saved it; `hidden`, it is no longer public, or a moderator has hidden it; `shown`, it has become public, or public again; `deleted`. Of the caller's own packs of any visibility: `hidden` and `shown` by a moderator, and `changed` for every save.",
  }),
  slug: Slug,
})
export type PackChange = Static<typeof PackChange>

/** Response of `GET /changes`. */
export const ChangePage = closed(
  about('Changes in the order of their commits.', {
    changes: [changeExample],
    cursor: 'Zm9vYmFyYmF6cXV4Y29ycw',
    more: false,
  }),
  {
    changes: list(PackChange, 'Oldest first; empty if nothing has come.', bounds.MAX_CHANGES),
    cursor: { ...Cursor, description: 'Send it as `after` to continue.' },
    more: Type.Boolean({ description: 'Whether more can be read at once.' }),
  },
)
export type ChangePage = Static<typeof ChangePage>

/**
 * What the documents show: made-up, but right in every detail, each pack key included. Plain data,
 * so that any schema may use it; a test holds each to its schema.
 */

export const userExample = { id: 'aX3kP9_qLm2Z', gameId: 1234567, username: 'pool_host' }

const finalSlots = [
  { mod: 'NM', index: 1, beatmapId: 4392947 },
  { mod: 'NM', index: 2, beatmapId: 4392960 },
  { mod: 'HD', index: 1, beatmapId: 4392949 },
  { mod: 'HR', index: 1, beatmapId: 4392958 },
  { mod: 'DT', index: 1, beatmapId: 4392966 },
  { mod: 'RC', index: 1, beatmapId: 4393036 },
  { mod: 'TB', index: 1, beatmapId: 4393066 },
]

const riceBucket = { code: 'RC', color: 3, mods: { kind: 'free' } }

const qualifierSlots = [
  { mod: 'NM', index: 1, beatmapId: 2809623 },
  { mod: 'HD', index: 1, beatmapId: 4392963 },
  { mod: 'HR', index: 1, beatmapId: 1428309 },
  { mod: 'DT', index: 1, beatmapId: 4393043 },
]

export const plainInputExample = {
  name: 'Autumn Cup Qualifiers',
  slots: qualifierSlots,
}

export const fullInputExample = {
  name: 'Autumn Cup Grand Finals',
  slots: finalSlots,
  buckets: [riceBucket],
  visibility: 'public',
  description: 'Best of 13, two bans each.',
}

export const magnetExample = {
  kind: 'magnet',
  url: 'magnet:?xt=urn:btih:0123456789abcdef0123456789abcdef01234567&dn=Autumn%20Cup',
  createdAt: '2026-10-04T09:12:30.500Z',
}

export const statsExample = {
  srMin: 5.94,
  srMax: 7.81,
  srAvg: 6.88,
  lenMin: 95,
  lenMax: 258,
  bpmMin: 174,
  bpmMax: 333,
  mods: ['NM', 'HD', 'HR', 'DT', 'FM', 'TB'],
  modes: ['base'],
  count: 7,
  complete: true,
  computedAt: '2026-10-03T18:30:04.120Z',
}

/** What POST answers to `plainInputExample`. */
export const newPackExample = {
  slug: 'Vt4_m0XbR-',
  name: 'Autumn Cup Qualifiers',
  visibility: 'unlisted',
  slots: qualifierSlots,
  exports: [],
  createdAt: '2026-09-12T14:05:00.000Z',
  updatedAt: '2026-09-12T14:05:00.000Z',
  packKey: 'pk1.ARVBdXR1bW4gQ3VwIFF1YWxpZmllcnMEAAGXvqsBAQGDkIwCAgHVllcDAdOQjAJKXw',
  ownerName: 'pool_host',
}

const finalsKey =
  'pk3.AxdBdXR1bW4gQ3VwIEdyYW5kIEZpbmFscwcAAQIDBP0DAlJDAgUHAAHzj4wCAAKAkIwCAQH1j4wCAgH-j4wCAwGGkIwCBQHMkIwCBgHqkIwCbzQ'

const finalsHead = {
  slug: 'q7Jm2_xT0a',
  name: 'Autumn Cup Grand Finals',
  visibility: 'public',
  description: 'Best of 13, two bans each.',
  slots: finalSlots,
  buckets: [
    { code: 'NM' },
    { code: 'HD' },
    { code: 'HR' },
    { code: 'DT' },
    { code: 'FM' },
    riceBucket,
    { code: 'TB' },
  ],
}

const finalsTail = {
  createdAt: '2026-10-01T20:00:00.000Z',
  updatedAt: '2026-10-03T18:30:00.000Z',
  packKey: finalsKey,
  ownerName: 'pool_host',
}

/** What PUT answers to `fullInputExample`: other maps, so no magnet links and no stats yet. */
export const replacedPackExample = { ...finalsHead, exports: [], ...finalsTail }

/** The same pack when its stats are there and its owner has recorded a link. */
export const packExample = {
  ...finalsHead,
  exports: [magnetExample],
  stats: statsExample,
  ...finalsTail,
}

/** A pack as only its owner sees it: a moderator hid it. */
export const hiddenPackExample = {
  slug: 'h3Zc8yQ1-w',
  name: 'a',
  visibility: 'public',
  slots: [{ mod: 'HR', index: 2, beatmapId: 300 }],
  exports: [],
  hiddenAt: '2026-08-03T07:00:00.000Z',
  createdAt: '2026-08-02T11:45:10.250Z',
  updatedAt: '2026-08-02T11:45:10.250Z',
  packKey: 'pk1.AQFhAQICrAKFPA',
  ownerName: 'pool_host',
}

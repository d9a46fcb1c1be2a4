import { afterAll, expect, it } from 'vitest'
import * as bounds from '../../src/contract/bounds.ts'
import { openHouse } from '../support/house.ts'
import { aPack } from '../support/samples.ts'
import { documents } from '../contract/documents.ts'
import { withoutQuotas } from './spend.ts'
import { newScene, type Scene } from './tournament-scene.ts'

// Texts are counted in UTF-16 code units (D-19), as the guide and the document of tournaments say; `maxLength` of a
// schema counts code points, and allows more.
const house = await openHouse({ withPorts: withoutQuotas })
afterAll(() => house.close())

type Field = readonly [
  name: string,
  most: number,
  send: (text: string, scene: Scene) => Promise<number>,
]

const statusOf = async (asked: Promise<{ readonly status: number }>): Promise<number> =>
  (await asked).status

/** Sends a round whose only slot is this. */
const withSlot =
  (slotOf: (text: string) => object) =>
  (text: string, { host, path }: Scene) => {
    const body = { name: `Round ${text.length}`, slots: [{ mod: 'NM', index: 1, ...slotOf(text) }] }
    return statusOf(host.ask('POST', `${path}/rounds`, { body }))
  }

const fields: readonly Field[] = [
  [
    'name of a pack',
    bounds.NAME_LENGTH,
    async (name) => statusOf((await house.host()).post(aPack({ name }))),
  ],
  [
    'description of a pack',
    bounds.DESCRIPTION_LENGTH,
    async (description) => statusOf((await house.host()).post(aPack({ description }))),
  ],
  ...(
    [
      ['name', bounds.NAME_LENGTH],
      ['shortName', bounds.SHORT_NAME_LENGTH],
      ['description', bounds.DESCRIPTION_LENGTH],
    ] as const
  ).map(([field, most]): Field => [
    `${field} of a tournament`,
    most,
    (text, { host, path }) => statusOf(host.ask('PATCH', path, { body: { [field]: text } })),
  ]),
  ...(['name', 'packName'] as const).map((field): Field => [
    `${field} of a round`,
    bounds.NAME_LENGTH,
    (text, { host, path }) =>
      statusOf(
        host.ask('POST', `${path}/rounds`, { body: { name: 'Finals', slots: [], [field]: text } }),
      ),
  ]),
  [
    'placeholder of a slot',
    bounds.PLACEHOLDER_LENGTH,
    withSlot((placeholder) => ({ placeholder })),
  ],
  ['title of a slot', bounds.DETAIL_LENGTH, withSlot((title) => ({ details: { title } }))],
  [
    'text of a remark',
    bounds.REMARK_LENGTH,
    (text, { host, roundPath }) =>
      statusOf(host.ask('POST', `${roundPath}/remarks`, { body: { text } })),
  ],
]

const astral = '\u{1f3c6}'

it.each(fields)('D-19: %s has at most %i UTF-16 code units', async (_, most, send) => {
  const half = most / 2
  for (const [text, isTaken] of [
    ['a'.repeat(most), true],
    ['a'.repeat(most + 1), false],
    [astral.repeat(half), true],
    [`${astral.repeat(half - 1)}ab`, true],
    [`${astral.repeat(half)}a`, false],
    [astral.repeat(half + 1), false],
    [astral.repeat(most), false],
  ] as const) {
    const status = await send(text, await newScene(house))
    expect(status < 300, `${text.length} units: ${status}`).toBe(isTaken)
    if (!isTaken) expect(status).toBe(400)
  }
})

it('the document of tournaments says how texts are counted', () => {
  const { description } = documents.pools.info as { readonly description: string }
  expect(description).toContain('Texts are counted in UTF-16 code units')
})

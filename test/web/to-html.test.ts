import * as fc from 'fast-check'
import { type ComponentChildren, Fragment, h, type VNode } from 'preact'
import { renderToString as renderByPreact } from 'preact-render-to-string'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Frame, type Page } from '../../src/web/frame.tsx'
import { asServed } from '../../src/web/page-data.ts'
import { browse } from '../../src/web/pages/browse.tsx'
import { home } from '../../src/web/pages/home.tsx'
import { map } from '../../src/web/pages/map.tsx'
import { owner } from '../../src/web/pages/owner.tsx'
import { pack } from '../../src/web/pages/pack.tsx'
import { tournament } from '../../src/web/pages/tournament.tsx'
import { tournaments } from '../../src/web/pages/tournaments.tsx'
import { renderToString } from '../../src/web/serving/to-html.ts'
import { pageDataOf } from '../support/browser.ts'
import { openTournament } from '../support/public-tournament.ts'
import type { SiteHouse } from '../support/site-house.ts'
import { takeOver } from '../support/usage-scene.ts'
import { everyKind, openPoolHouse, savePack, settleStats } from './pool-page.ts'

let house: SiteHouse

beforeAll(async () => {
  house = await openPoolHouse()
})
afterAll(() => house.close())

const pages = new Map<string, Page>(
  Object.entries({ browse, home, map, owner, pack, tournament, tournaments }),
)

test('the server writes each page as Preact writes it', async () => {
  const player = await house.signedIn(7001)
  const host = await house.signedIn(7001, 'pools')
  const slug = await savePack(house, player)
  const bare = await savePack(house, player, { slots: [{ mod: 'NM', index: 1, beatmapId: 160 }] })
  await takeOver(house.ports)
  await settleStats(house)
  const { buckets = [], slots } = everyKind
  const { slug: cup } = await openTournament(house.ports, host.viewer?.id ?? '', {}, [
    { name: 'Qualifiers', bestOf: 9, buckets, slots, at: 'now' },
  ])
  for (const [service, paths] of [
    ['packs', ['/', '/packs', `/p/${slug}`, `/p/${bare}`, '/maps/101', '/u/Peridot']],
    ['packs', ['/packs?q=harbour', '/packs?q=nothing+has+this']],
    ['pools', ['/', '/?search=harbour', `/t/${cup}`]],
  ] as const) {
    for (const path of paths) {
      const { text } = await house.browser(service).open(path)
      const data = pageDataOf({ text })
      const Page = pages.get(data.page)!
      const html = asServed(data, () => renderByPreact(h(Frame, { Page })))
      expect(text.includes(`<div id="app">${html}</div>`), path).toBe(true)
    }
  }
})

/** Without the types of properties: they are any. */
const element = h as unknown as (type: unknown, ...rest: unknown[]) => VNode
const text = fc.oneof(fc.string(), fc.constantFrom('', '"', '<b>', '&amp;', "it's", '𝄞'))
const value = fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null), fc.constant(undefined))
const inHtml = ['class', 'htmlFor', 'tabIndex', 'dateTime', 'aria-hidden', 'draggable']
const inSvg = [
  'class',
  'viewBox',
  'preserveAspectRatio',
  'stroke-width',
  'aria-label',
  'x',
  'tabindex',
]
const props = (names: readonly string[]) =>
  fc.dictionary(fc.constantFrom(...names, 'data-mod', 'key'), value, { maxKeys: 4 })

const { content } = fc.letrec<{ content: ComponentChildren; node: VNode; drawing: VNode }>(
  (tie) => {
    const inside = fc.array(tie('content'), { maxLength: 4 })
    const make = (type: fc.Arbitrary<string>, names: readonly string[], children = inside) =>
      fc
        .tuple(type, props(names), children)
        .map(([tag, more, within]) => element(tag, more, within))
    return {
      content: fc.oneof({ maxDepth: 5 }, value, tie('node')),
      node: fc.oneof(
        make(fc.constantFrom('p', 'div', 'a'), inHtml),
        make(
          fc.constantFrom('br', 'img', 'input'),
          ['value', 'checked', 'maxLength'],
          fc.constant([]),
        ),
        make(fc.constant('svg'), inSvg, fc.array(tie('drawing'), { maxLength: 3 })),
        inside.map((within) => element(Fragment, null, within)),
        inside.map((within) =>
          element(
            ({ children }: { children: ComponentChildren }) => [children, 'and'],
            null,
            within,
          ),
        ),
        text.map((value) => element('textarea', { value })),
        fc.tuple(text, fc.array(text, { maxLength: 3 })).map(([value, all]) =>
          element(
            'select',
            { value },
            all.map((each) => element('option', { value: each }, each)),
          ),
        ),
        text.map((html) =>
          element('div', { dangerouslySetInnerHTML: { __html: `<i>${html}</i>` } }),
        ),
      ),
      drawing: make(fc.constantFrom('g', 'path', 'text'), inSvg),
    }
  },
)

test('whatever is rendered is the same HTML as of Preact', () => {
  const check = (children: ComponentChildren): void => {
    const whole = (): VNode => element('main', null, children)
    expect(renderToString(whole())).toBe(renderByPreact(whole()))
  }
  fc.assert(fc.property(content, check), { numRuns: 1_000 })
})

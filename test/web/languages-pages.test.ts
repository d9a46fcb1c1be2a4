import type { Browser as Chromium } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { languages } from '#texts/languages'
import { guidesIn } from '../../scripts/guides-plugin.ts'
import { axeViolations } from '../support/axe.ts'
import { launchChromium } from '../support/chromium.ts'
import { closeWindow, openRealPage, overflowOf, stretchedButtons } from '../support/real-page.ts'
import { openPlace, openSiteScene, type Place, places } from './site-scene.ts'

// Pages in each language, and in English of longer words, written to the right and to the left: what is cut, does not fit
// or is in plain English there would be so in languages to come (D-107).

const widths = [360, 768, 1_280]

let scene: Awaited<ReturnType<typeof openSiteScene>>
let chromium: Chromium

beforeAll(async () => {
  chromium = await launchChromium()
  scene = await openSiteScene({ isPseudo: true })
})
afterAll(async () => {
  await chromium.close()
  await scene.house.close()
})
beforeEach(() => scene.house.clock.nextMinute())

/** Those in a language: guides that are not translated, the reference and what moderators read are in English for everybody. */
function placesIn(language: string): readonly Place[] {
  const guides = new Set(guidesIn(language).map((name) => `/docs/${name}`))
  return places.filter(([path, , viewer]) =>
    path.startsWith('/docs/')
      ? guides.has(path)
      : !path.startsWith('/moderation') && viewer !== 'moderator',
  )
}

const pseudo = ['en-XA', 'ar-XB']
const others = Object.keys(languages).filter((language) => language !== 'en')

/**
 * Colours are the same in all languages. They are tried in English (every-page.test.ts), and in the first of the other
 * languages that has the page, for what is only there in those.
 */
function hasItsColorsTried(language: string, place: Place): boolean {
  const has = (each: string): boolean => placesIn(each).some((one) => String(one) === String(place))
  return language === others.find(has)
}

it('the colours of every page that is in another language are tried in one', () => {
  const tried = others.flatMap((language) =>
    placesIn(language).filter((place) => hasItsColorsTried(language, place)),
  )
  const all = others.flatMap(placesIn)
  expect(tried.map(String).toSorted()).toEqual([...new Set(all.map(String))].toSorted())
})

/**
 * The words on a page that no text of the catalogue has: each vowel of theirs has an accent. What people have written is
 * isolated, and programs read the rest.
 */
const plainWords = `(() => {
  const apart = 'bdi, .paste-text, [dir=auto], code, kbd, samp, script, style, noscript, time, .chip, [data-mod], [lang]:not(html)'
  // What the site, the beatmaps and the rounds of the scene are called, and formats that have one name everywhere.
  const names = /Nordlicht|Mapcrate|Cups|BPM|osu|Nine Rivers|Harbour|Insane|arbor|Lights|Cup|Peridot|Qualifiers|Round of 16|Semifinals|Finals|custom map|again|JSON|BBCode|CSV|collection\\.db|bracket\\.json|Markdown|Excel|https?:[^ ]+|magnet:\\S+|127\\.0\\.0\\.1\\S*|!mp .*/g
  const found = []
  const look = (text, where) => {
    const words = (text ?? '').replaceAll(names, '').replaceAll(/\\b\\d+ [A-Z][a-z]+ \\d{4}/g, '').match(/[A-Za-z]*[aeiouAEIOU][A-Za-z]*/g) ?? []
    for (const word of words) if (word.length > 2) found.push(where + ': ' + text.trim().slice(0, 80))
  }
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (!node.parentElement.closest(apart)) look(node.data, node.parentElement.className || node.parentElement.tagName)
  }
  for (const element of document.querySelectorAll('[aria-label], [title], [placeholder], [alt]')) {
    if (element.closest(apart)) continue
    for (const name of ['aria-label', 'title', 'placeholder', 'alt']) look(element.getAttribute(name), name)
  }
  return [...new Set(found)]
})()`

/** Buttons and links in them of which a part is out of sight. */
const cutButtons = `Array.from(document.querySelectorAll('button, .button, summary, th, label'))
  .filter((each) => each.checkVisibility() && !each.closest('.sr-only') && each.clientWidth > 1)
  .filter((each) => each.scrollWidth > each.clientWidth + 1 && getComputedStyle(each).overflowX !== 'visible')
  .map((each) => each.textContent.slice(0, 80))`

/** Names of the header, of fields and of columns that end in an ellipsis; those of people may. */
const cutNames = `Array.from(document.querySelectorAll('header :is(a, a *), th, th *, label, legend, .list-head > span'))
  .filter((each) => each.checkVisibility() && !each.closest('.sr-only, bdi, [dir=auto]'))
  .filter((each) => getComputedStyle(each).textOverflow === 'ellipsis' && each.scrollWidth > each.clientWidth)
  .map((each) => each.textContent)`

/** What fields ask for that does not fit into them; an address as an example may be cut. */
const cutPlaceholders = `(() => {
  const canvas = document.createElement('canvas').getContext('2d')
  return Array.from(document.querySelectorAll('input[placeholder]'))
    .filter((each) => each.checkVisibility() && each.clientWidth > 1 && each.value === '' && !/:/.test(each.placeholder))
    .filter((each) => {
      const { paddingLeft, paddingRight } = getComputedStyle(each)
      const { font, letterSpacing } = getComputedStyle(each, '::placeholder')
      Object.assign(canvas, { font, letterSpacing: letterSpacing === 'normal' ? '0px' : letterSpacing })
      const room = each.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight)
      return canvas.measureText(each.placeholder).width > room + 0.5
    })
    .map((each) => each.placeholder)
})()`

/**
 * Texts that are not written as the language has them: with the decimal point of another, with two spaces, or in Chinese with
 * a space after a sentence. What people and programs have written is as they have.
 */
const foreignWriting = `(() => {
  const apart = 'bdi, [dir=auto], code, kbd, samp, pre, script, style, noscript, time, textarea, [lang]:not(html)'
  const { lang } = document.documentElement
  const decimal = new Intl.NumberFormat(lang).format(1.5).charAt(1)
  const other = decimal === ',' ? /\\d\\.\\d(?!\\d\\d(?!\\d))/ : /\\d,\\d(?!\\d\\d(?!\\d))/
  const found = []
  const look = (text) => {
    if (other.test((text ?? '').replaceAll(/https?:\\S+|127\\.0\\.0\\.1\\S*/g, ''))) found.push('number: ' + text.trim().slice(0, 80))
  }
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (!node.parentElement.closest(apart)) look(node.data)
  }
  for (const element of document.querySelectorAll('[aria-label], [title]')) {
    if (!element.closest(apart)) look(element.ariaLabel), look(element.title)
  }
  for (const element of document.querySelectorAll('p, li, dd, dt, td, th, h1, h2, h3, label, summary, legend')) {
    if (element.closest(apart + ', header') || element.querySelector('p, li, textarea, pre, table')) continue
    const copy = element.cloneNode(true)
    for (const each of copy.querySelectorAll('.button, .small-copy, script, style, .chip')) each.replaceWith('\\n')
    const text = copy.textContent
    const at = text.search(lang.startsWith('zh') ? /  |[。，；：？！、] (?!\\n|$)/ : /  /)
    if (at >= 0) found.push('space: ' + text.slice(Math.max(0, at - 20), at + 20))
  }
  return [...new Set(found)]
})()`

/** What is in the page's language and script within what is marked as English. */
const unmarked = `(() => {
  const found = []
  const look = (text, element) => {
    const within = element.closest('[lang]')
    if (within.lang !== 'en' || element.closest('bdi, [dir=auto]')) return
    if (/\\p{Script=Hangul}|\\p{Script=Han}/u.test(text ?? '')) found.push(text.trim().slice(0, 80))
  }
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) look(node.data, node.parentElement)
  for (const element of document.querySelectorAll('[aria-label], [title], [placeholder]')) {
    for (const name of ['aria-label', 'title', 'placeholder']) look(element.getAttribute(name), element)
  }
  return [...new Set(found)]
})()`

/** Rows of which some mods are out of sight, as they may be on a phone or after a long name. */
const cutMods = `Array.from(document.querySelectorAll('.row-mods'))
  .filter((each) => each.checkVisibility() && each.scrollHeight > each.clientHeight + 1)
  .map((each) => each.textContent)`

/** Moments of which the end is out of sight: there, their zone is named. */
const cutTimes = `Array.from(document.querySelectorAll('time'))
  .filter((each) => {
    for (let box = each; each.checkVisibility() && box !== document.body; box = box.parentElement) {
      const { overflowX, textOverflow } = getComputedStyle(box)
      const isCut = overflowX !== 'visible' && textOverflow === 'ellipsis'
      if (isCut && box.scrollWidth > box.clientWidth && box.getBoundingClientRect().right < each.getBoundingClientRect().right) return true
    }
    return false
  })
  .map((each) => each.textContent)`

/** Short labels of controls that are broken into lines: they would look like two. */
const brokenLabels = `Array.from(document.querySelectorAll('button, .button, .chip, input[type=radio] + span, nav a'))
  .filter((each) => each.checkVisibility() && !each.closest('.sr-only') && each.textContent.trim().length <= 16)
  .filter((each) => {
    const walker = document.createTreeWalker(each, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (node.parentElement.closest('.sr-only')) continue
      const range = document.createRange()
      range.selectNodeContents(node)
      if (new Set(Array.from(range.getClientRects(), ({ top }) => Math.round(top))).size > 1) return true
    }
    return false
  })
  .map((each) => each.textContent)`

/** A text for much of what may be asked and said of one; words in them have no vowels. */
const pasted = [
  'NM1 101\nNM2 102\nXX9 xyz\nDT1 105 +1\nTB 999999999\nhtg',
  'NM1\t101\t4.2\nNM1\t102\t4.5\nHD1\t103 104\t5',
  'nm\n101\n102\nhd\n103',
  '{"nm": [101, 102], "hd": "x"',
  '{"rnds": [{"nm": 5, "mps": [{"id": 101}]}]}',
  'pk1.AAAA',
  'brl',
] as const

/** Dialogs, each with the button that opens it. */
const dialogs = [
  ['/t/{cup}/edit', 'pools', 'host', '.side-card.release .actions > .button'],
  ['/p/{pack}', 'packs', 'host', '.button.danger'],
] as const

describe.each([...pseudo, ...others])('in %s', (language) => {
  it('what is read of a pasted text, and what is wrong with it', async () => {
    const { page } = await openRealPage(chromium, scene.house, {
      from: scene.viewers.packs.host,
      service: 'packs',
      path: `/new?lang=${language}`,
    })
    for (const text of pasted) {
      await page.locator('#edit-paste').fill(text)
      await page.locator('.paste-summary, .paste-hint.edit-danger').first().waitFor()
      await page.waitForTimeout(500)
      await page.waitForLoadState('networkidle')
      if (pseudo.includes(language)) {
        const found = (await page.evaluate(plainWords)) as string[]
        expect.soft([text, found]).toEqual([text, []])
      }
      await page.setViewportSize({ width: 360, height: 900 })
      expect.soft([text, await overflowOf(page)]).toEqual([text, 0])
      await page.setViewportSize({ width: 1_280, height: 900 })
    }
    await closeWindow(page)
  })

  it.each(dialogs)('a dialog of %s of %s, before %s', async (path, service, viewer, button) => {
    const { page } = await openRealPage(chromium, scene.house, {
      from: scene.viewers[service][viewer],
      service,
      path: `${scene.filled(path)}?lang=${language}`,
    })
    await page.waitForLoadState('load')
    await page.locator(button).first().click()
    await page.locator('dialog[open] h2').waitFor()
    await page.locator('dialog[open] [aria-busy=true]').waitFor({ state: 'detached' })
    await page.waitForLoadState('networkidle')
    if (pseudo.includes(language)) expect.soft(await page.evaluate(plainWords)).toEqual([])
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 })
      const found = [await page.evaluate(cutButtons), await page.evaluate(brokenLabels)]
      expect.soft([width, await overflowOf(page), ...found]).toEqual([width, 0, [], []])
    }
    await closeWindow(page)
  })

  it.each(placesIn(language))('%s of %s, before %s', async (...place: Place) => {
    // Where moments are named in two zones.
    const look = { timezoneId: 'Asia/Kathmandu' }
    const page = await openPlace(chromium, scene, place, language, look)
    await page.locator('.skeleton-row').first().waitFor({ state: 'detached' })
    expect(await page.evaluate('document.documentElement.lang')).toBe(language)
    if (pseudo.includes(language)) expect.soft(await page.evaluate(plainWords)).toEqual([])
    else {
      const hasColors = hasItsColorsTried(language, place)
      expect.soft(await axeViolations(page, { hasColors })).toEqual([])
      expect.soft(await page.evaluate(foreignWriting)).toEqual([])
      expect.soft(await page.evaluate(unmarked)).toEqual([])
    }
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 })
      const found = [
        await page.evaluate(cutButtons),
        await page.evaluate(cutNames),
        pseudo.includes(language) ? [] : await page.evaluate(cutPlaceholders),
        width < 760 || pseudo.includes(language) ? [] : await page.evaluate(cutMods),
        await page.evaluate(cutTimes),
        await page.evaluate(brokenLabels),
        await stretchedButtons(page),
      ]
      expect
        .soft([width, await overflowOf(page), ...found])
        .toEqual([width, 0, [], [], [], [], [], [], []])
    }
    await closeWindow(page)
  })
})

// What moderators read is in English for everybody, and says so; so does what is around it.
const moderated = places.filter(
  ([path, , viewer]) => path.startsWith('/moderation') || viewer === 'moderator',
)
describe.each(['ko', 'zh-Hans'])('for moderators whose pages are in %s', (language) => {
  it.each(moderated)('%s of %s, before %s', async (path, service, viewer) => {
    const { page } = await openRealPage(chromium, scene.house, {
      from: scene.viewers[service][viewer],
      service,
      path: `${scene.filled(path)}${path.includes('?') ? '&' : '?'}lang=${language}`,
    })
    await page.waitForLoadState('networkidle')
    expect(await page.evaluate('document.documentElement.lang')).toBe(language)
    expect(await page.locator('[lang=en]').count()).toBeGreaterThan(0)
    expect(await page.evaluate(unmarked)).toEqual([])
    await closeWindow(page)
  })
})

/** What an article in English and the page around it both show, where that is not marked as English. */
const unmarkedHeadings = `(() => {
  const headings = new Set(Array.from(document.querySelectorAll('[lang=en] :is(h2, h3)'), (each) => each.textContent))
  const isUnmarked = (each) => headings.has(each.textContent.trim()) && each.closest('[lang]').lang !== 'en'
  return { count: headings.size, found: Array.from(document.querySelectorAll('a, span'), (each) => isUnmarked(each) ? each.textContent : '').filter(Boolean) }
})()`

describe('in Korean, a guide in English', () => {
  // The table of formats has no parts.
  const others = new Set([...guidesIn('ko'), 'format-table'])
  const guides = places.filter(
    ([path]) => path.startsWith('/docs/') && !others.has(path.slice('/docs/'.length)),
  )

  it.each(guides)(
    '%s of %s is marked as English, with the list of its parts (D-108)',
    async (...place) => {
      const page = await openPlace(chromium, scene, place, 'ko')
      // The reference is read when its page is there.
      const marked = async () => {
        const { count, found } = await page.evaluate<{ count: number; found: string[] }>(
          unmarkedHeadings,
        )
        return [count > 0, found]
      }
      await expect.poll(marked).toEqual([true, []])
      await closeWindow(page)
    },
  )
})

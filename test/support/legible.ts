import type { CDPSession, Page } from 'playwright-core'

/** One that ends takes its settings with it. */
const sessions = new WeakMap<Page, CDPSession>()

/** Sets how large text is where nothing says otherwise, as the settings of a browser do; 16 px are usual. */
export const setTextSize = async (page: Page, size: number): Promise<void> => {
  const devTools = sessions.get(page) ?? (await page.context().newCDPSession(page))
  sessions.set(page, devTools)
  const fontSizes = { standard: size, fixed: (size * 13) / 16 }
  await devTools.send('Page.setFontSizes', { fontSizes })
  await page.evaluate(
    'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))',
  )
}

/**
 * What cannot be read as it stands: words and numbers that are broken into lines, numbers and labels of which a part is
 * out of sight, and texts that lie over each other. What scrolls can be brought into view, and what is wider than a
 * whole line has to be broken.
 */
export const illegible = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    type Box = Record<'left' | 'right' | 'top' | 'bottom', number>
    const apart =
      'script, style, noscript, option, textarea, svg, .sr-only, .skip-link, code, pre, kbd, samp'
    const labels = 'button, .button, th, label, legend, .chip, dt, summary, nav a, h1, h2, h3'
    const isNumber = (text: string): boolean =>
      /^[★×#+−-]?\s?\d[\d.,:–]*\s?[★%×]?$/.test(text) && text.length <= 24
    const found = new Set<string>()
    const texts: { readonly node: Node; readonly text: string; readonly box: Box }[] = []

    /** The part of a box that is not cut off by what it is in, and what cuts it. */
    const seenOf = (box: Box, parent: Element) => {
      const seen = { left: box.left, right: box.right, top: box.top, bottom: box.bottom }
      let cutBy: Element | null = null
      let canScroll = false
      let isOver = false
      for (let each: Element | null = parent; each; each = each.parentElement) {
        const style = getComputedStyle(each)
        const { overflowX, overflowY, position, boxShadow, clipPath, textOverflow } = style
        if (clipPath !== 'none') return null
        // What floats over the page, or stays in sight while the rest moves below it.
        isOver ||=
          /fixed|sticky/.test(position) || (position === 'absolute' && boxShadow !== 'none')
        const { left, right, top, bottom } = each.getBoundingClientRect()
        const clip = { left, right, top, bottom }
        if (textOverflow === 'ellipsis') {
          clip.left += Number.parseFloat(style.paddingLeft)
          clip.right -= Number.parseFloat(style.paddingRight)
        }
        canScroll ||= /auto|scroll/.test(overflowX + overflowY)
        if (overflowX !== 'visible') {
          if (!canScroll && (box.left < clip.left - 1 || box.right > clip.right + 1)) cutBy ??= each
          seen.left = Math.max(seen.left, clip.left)
          seen.right = Math.min(seen.right, clip.right)
        }
        if (overflowY !== 'visible') {
          seen.top = Math.max(seen.top, clip.top)
          seen.bottom = Math.min(seen.bottom, clip.bottom)
        }
      }
      return { seen, cutBy, canScroll, isOver }
    }

    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const [text, parent] = [node.textContent ?? '', node.parentElement!]
      if (text.trim() === '' || parent.closest(apart)) continue
      if (!parent.checkVisibility({ visibilityProperty: true })) continue
      const range = document.createRange()
      range.selectNodeContents(node)
      const rects = Array.from(range.getClientRects()).filter(({ width }) => width > 1)
      const isLabel = isNumber(text.trim()) || parent.closest(labels) !== null
      const where = `${text.trim().slice(0, 40)} in ${parent.className || parent.tagName}`
      for (const rect of rects) {
        const shown = seenOf(rect, parent)
        if (shown === null) continue
        const { seen, cutBy, canScroll, isOver } = shown
        const isOut = seen.bottom - seen.top < 2 || seen.right - seen.left < 2
        if (isOut && isLabel && !canScroll) found.add(`out of sight: ${where}`)
        if (cutBy !== null && isLabel && !isOut && !parent.closest('bdi, [dir=auto]')) {
          found.add(`cut: ${where}`)
        }
        // Letters are not as high as their line may be.
        const spare = rect.height / 4
        const box = { ...seen, top: seen.top + spare, bottom: seen.bottom - spare }
        if (!isOut && !isOver && box.bottom > box.top) texts.push({ node, text: where, box })
      }
      if (new Set(rects.map(({ top }) => Math.round(top))).size < 2) continue
      // One of a clipped pixel's width breaks anywhere.
      if (seenOf(rects[0]!, parent) === null) continue
      for (const { 0: word, index } of text.matchAll(/[★#]?\d[\d.,:–]*|[\p{L}\p{N}’']+/gu)) {
        if (word.length > 14 || /[\p{Script=Han}\p{Script=Hiragana}]/u.test(word)) continue
        range.setStart(node, index)
        range.setEnd(node, index + word.length)
        const parts = Array.from(range.getClientRects())
        const block = parent.closest<HTMLElement>(':not(a, b, bdi, span, i, time, strong)')
        const room = block?.clientWidth || innerWidth
        const wide = parts.reduce((sum, { width }) => sum + width, 0)
        const lines = new Set(parts.map(({ top }) => Math.round(top))).size
        if (lines > 1 && wide < room) found.add(`broken: ${word} of ${where}`)
      }
    }
    texts.sort((a, b) => a.box.top - b.box.top)
    for (const [at, { node, text, box }] of texts.entries()) {
      for (let next = at + 1; next < texts.length; next += 1) {
        const other = texts[next]!
        if (other.box.top >= box.bottom - 2) break
        // An ellipsis divides a line into what is seen and the whole.
        if (other.node === node) continue
        const wide = Math.min(box.right, other.box.right) - Math.max(box.left, other.box.left)
        const high = Math.min(box.bottom, other.box.bottom) - other.box.top
        if (wide > 2 && high > 2) found.add(`over each other: ${text} / ${other.text}`)
      }
    }
    return [...found]
  })

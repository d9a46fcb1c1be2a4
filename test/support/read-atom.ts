import type { Page } from 'playwright-core'

type AtomLink = { readonly rel: string; readonly type: string; readonly href: string }
type AtomEntry = {
  readonly id: string
  readonly title: string
  readonly author: string
  readonly published: string
  readonly updated: string
  readonly summary: string
  readonly links: readonly AtomLink[]
}
export type AtomFeed = Pick<AtomEntry, 'id' | 'title' | 'author' | 'updated' | 'links'> & {
  readonly entries: readonly AtomEntry[]
}

/**
 * An Atom feed as the XML parser of a browser reads it. Throws where it is not well-formed, is of another
 * namespace, or lacks what RFC 4287 requires of a feed and of each entry, or has it twice.
 *
 * @param page any page whose security policy lets scripts be evaluated.
 */
export const readAtom = (page: Page, xml: string): Promise<AtomFeed> =>
  page.evaluate(`(${READER})(${JSON.stringify(xml)})`)

const READER = `(xml) => {
  const root = new DOMParser().parseFromString(xml, 'application/xml').documentElement
  const fail = (why) => { throw new Error(why) }
  if (root.querySelector('parsererror') || root.localName !== 'feed') fail(root.textContent)
  for (const each of [root, ...root.querySelectorAll('*')]) {
    if (each.namespaceURI !== 'http://www.w3.org/2005/Atom') fail('foreign ' + each.localName)
  }
  const childrenOf = (of, name) => [...of.children].filter(({ localName }) => localName === name)
  const one = (of, name) => {
    const found = childrenOf(of, name)
    return found.length === 1 ? found[0] : fail(found.length + ' of ' + name)
  }
  const text = (of, name) => one(of, name).textContent
  const moment = (of, name) => {
    const value = text(of, name)
    return /^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$/.test(value) ? value : fail(name + ' ' + value)
  }
  const common = (of) => ({
    id: new URL(text(of, 'id')).href,
    title: text(of, 'title'),
    updated: moment(of, 'updated'),
    author: text(one(of, 'author'), 'name'),
    links: childrenOf(of, 'link').map((link) => ({
      rel: link.getAttribute('rel'),
      type: link.getAttribute('type'),
      href: new URL(link.getAttribute('href')).href,
    })),
  })
  const entries = childrenOf(root, 'entry').map((entry) => ({
    ...common(entry),
    published: moment(entry, 'published'),
    summary: text(entry, 'summary'),
  }))
  if (new Set(entries.map(({ id }) => id)).size < entries.length) fail('two entries with one id')
  return { ...common(root), entries }
}`

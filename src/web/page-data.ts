import { PAGE_DATA_ID, type PageData } from '../contract/page-data.ts'

let read: PageData | undefined

/** What the server put into this page. Throws on a page that was not made by it. */
export const pageData = (): PageData => {
  if (read === undefined) {
    const element = document.getElementById(PAGE_DATA_ID)
    if (element === null) throw new Error(`This page has no #${PAGE_DATA_ID}.`)
    read = JSON.parse(element.textContent) as PageData
  }
  return read
}

/**
 * The address of a page of the packs site: `/packs`. On the tournament-pools service it leads over
 * to the packs site, but for the docs, which both have.
 */
export const pageHref = (path: string): string => {
  const { service, siteUrl } = pageData()
  return service === 'pools' && !path.startsWith('/docs') ? siteUrl + path : path
}

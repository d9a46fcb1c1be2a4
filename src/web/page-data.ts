import { PAGE_DATA_ID, type PageData } from '../contract/page-data.ts'

let read: PageData | undefined

/** What the server put into this page. Throws on a page that was not made by it. */
export function pageData(): PageData {
  read ??= JSON.parse(document.getElementById(PAGE_DATA_ID)?.textContent ?? '') as PageData
  return read
}

/** The address of a page of the packs site, for both services. Both have the docs themselves. */
export const pageHref = (path: string): string => {
  const { service, siteUrl } = pageData()
  return service === 'pools' && !path.startsWith('/docs') ? siteUrl + path : path
}

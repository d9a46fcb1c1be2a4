import { pageData } from '../page-data.ts'
import { SAMPLE_API, SAMPLE_POOLS, SAMPLE_SITE } from './guide.ts'

/** A text or HTML of a guide with the addresses of this installation, so that its samples work as they are. */
export const withAddresses = (text: string): string => {
  const { apiUrl, poolsUrl, siteUrl } = pageData()
  return text
    .replaceAll(SAMPLE_API, `${apiUrl}/api/`)
    .replaceAll(SAMPLE_SITE, siteUrl)
    .replaceAll(SAMPLE_POOLS, poolsUrl)
}

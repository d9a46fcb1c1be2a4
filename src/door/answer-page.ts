import { API_PREFIX } from '../contract/endpoint.ts'
import type { PackPage } from '../contract/packs.ts'
import type { PackList } from '../ports/packs.ts'
import type { ServiceContext } from './context.ts'
import type { JsonBody } from './json-body.ts'
import { pageBody, pageCountOf } from './present-pack.ts'

const linkHeader = (url: string, page: number, pageCount: number): string => {
  const link = (rel: string, to: number) => `<${url}?page=${to}>; rel="${rel}"`
  return [
    link('first', 1),
    ...(page > 1 ? [link('prev', Math.min(page - 1, pageCount))] : []),
    ...(page < pageCount ? [link('next', page + 1)] : []),
    link('last', pageCount),
  ].join(', ')
}

/** One page of packs and the way to its neighbours (spec 2.7, D-13). */
export const answerPage = (
  { settings }: ServiceContext,
  path: string,
  page: number,
  list: PackList,
): { json: JsonBody<PackPage>; headers: Record<string, string> } => ({
  json: pageBody(list, page, settings.poolsOwnerName),
  headers: { link: linkHeader(`${settings.apiUrl}${API_PREFIX}${path}`, page, pageCountOf(list)) },
})

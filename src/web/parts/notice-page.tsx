import * as texts from '#texts/common'
import { QUERY_LENGTH, SEARCH_LENGTH } from '../../contract/bounds.ts'
import { pageData, required } from '../page-data.ts'
import { LinkButton } from './buttons.tsx'

/** What happened in place of a page, with a search and ways on. */
export const NoticePage = () => (
  <main id="main" class="notice">
    <NoticeContent />
  </main>
)

export function NoticeContent() {
  const { title, text, ways } = required('notice')
  const { service } = pageData()
  const { action, label, ...field } = searches[service]
  return (
    <>
      <h1>{title}</h1>
      <p>{text}</p>
      <form class="notice-search" role="search" action={action}>
        <label class="sr-only" for="q">
          {label}
        </label>
        <input {...field} class="field" id="q" type="search" />
        <button class="button" type="submit">
          {texts.search}
        </button>
      </form>
      <p class="actions">
        {ways.map(({ label: way, href }) => (
          <LinkButton key={href} label={way} href={href} />
        ))}
      </p>
    </>
  )
}

const searches = {
  packs: {
    action: '/packs',
    name: 'q',
    maxLength: QUERY_LENGTH,
    label: texts.searchPacks,
    placeholder: texts.searchPacksHint,
  },
  pools: {
    action: '/',
    name: 'search',
    maxLength: SEARCH_LENGTH,
    label: texts.searchTournaments,
    placeholder: texts.searchTournamentsHint,
  },
} as const

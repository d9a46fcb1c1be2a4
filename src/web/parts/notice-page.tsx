import type { ServiceName } from '../../contract/services.ts'
import { QUERY_LENGTH, SEARCH_LENGTH } from '../../contract/bounds.ts'
import { pageData, required } from '../page-data.ts'
import { LinkButton } from './buttons.tsx'

/** What happened in place of a page, with a search and ways on. */
export function NoticePage() {
  const { title, text, ways } = required('notice')
  const { action, name, label, more, length } = searches[pageData().service]
  return (
    <main id="main" class="notice">
      <h1>{title}</h1>
      <p>{text}</p>
      <form class="notice-search" role="search" action={action}>
        <label class="sr-only" for="q">
          {label}
          {more}
        </label>
        <input
          class="field"
          id="q"
          name={name}
          type="search"
          placeholder={label}
          maxLength={length}
        />
        <button class="button" type="submit">
          Search
        </button>
      </form>
      <p class="actions">
        {ways.map(({ label: way, href }) => (
          <LinkButton key={href} label={way} href={href} />
        ))}
      </p>
    </main>
  )
}

const searches: Readonly<
  Record<
    ServiceName,
    {
      readonly action: string
      readonly name: string
      readonly label: string
      readonly more: string
      readonly length: number
    }
  >
> = {
  packs: {
    action: '/packs',
    name: 'q',
    label: 'Search packs',
    more: ' by name, owner or description',
    length: QUERY_LENGTH,
  },
  pools: {
    action: '/',
    name: 'search',
    label: 'Search tournaments',
    more: ' by name',
    length: SEARCH_LENGTH,
  },
}

import type { ServiceName } from '../../contract/services.ts'
import { escapeHtml } from './escape-html.ts'

/** What stands on a page that has nothing else to show: what happened, and where to go on. */
export type Notice = {
  readonly title: string
  /** Plain sentences: what happened, what was kept, what to do. */
  readonly text: string
  /** Ways on, the likeliest first. */
  readonly ways: readonly { readonly label: string; readonly href: string }[]
}

export const homeward: Notice['ways'][number] = { label: 'To the start page', href: '/' }

/** The same page whether something is missing, private or hidden (D-29). */
export const nothingHere = (service: ServiceName): Notice => ({
  title: 'Nothing here',
  text: 'There is no such page, or it is not open to you.',
  ways: [...(service === 'packs' ? [{ label: 'Browse packs', href: '/packs' }] : []), homeward],
})

/** The notice as the content of a page that needs no script. */
export const noticeHtml = ({ title, text, ways }: Notice): string => {
  const links = ways.map(
    ({ label, href }) => `<a class="button" href="${escapeHtml(href)}">${escapeHtml(label)}</a>`,
  )
  return `<main class="notice">
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(text)}</p>
<p class="actions">${links.join('\n')}</p>
</main>`
}

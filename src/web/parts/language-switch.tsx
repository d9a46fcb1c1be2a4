import * as texts from '#texts/common'
import { language } from '#texts/language'
import { languages } from '#texts/languages'
import type { TargetedMouseEvent } from 'preact'
import { LANGUAGE_PARAMETER } from '../../contract/visitor.ts'
import { call } from '../api.ts'
import { address, pageData } from '../page-data.ts'

const names = Object.entries(languages)

/** The languages of the site, each by its own name; nothing where there is only one. */
export const LanguageSwitch = () =>
  names.length < 2 ? null : (
    <nav aria-label={texts.language}>
      <ul role="list">
        {names.map(([code, name]) => (
          <li key={code}>
            <a
              href={hrefIn(code)}
              lang={code}
              hreflang={code}
              aria-current={code === language ? 'true' : undefined}
              onClick={(event) => choose(event, code)}
            >
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )

/**
 * This page in another language, which the browser keeps from then on. Relative to the page's own path, which the server does
 * not know of every page.
 */
function hrefIn(code: string): string {
  const { search, hash } = address()
  const { again = search } = pageData().notice ?? {}
  const [path, query] = again.split(/\?(.*)/)
  const params = new URLSearchParams(query)
  params.set(LANGUAGE_PARAMETER, code)
  return `${path}?${params.toString()}${hash}`
}

/** Keeps the choice with the account, too, before the page is left. */
function choose(event: TargetedMouseEvent<HTMLAnchorElement>, code: string): void {
  // What the page shows may be another part of it by now.
  const href = hrefIn(code)
  event.currentTarget.href = href
  if (pageData().viewer === null || event.ctrlKey || event.metaKey || event.shiftKey) return
  event.preventDefault()
  const go = (): void => location.assign(href)
  // Without it, the page is in that language all the same.
  call('setLanguage', { body: { language: code } }).then(go, go)
}

/** Takes the language out of the address, which is the same in each: it is chosen now. */
export function forgetAsked(): void {
  const url = new URL(location.href)
  if (!url.searchParams.has(LANGUAGE_PARAMETER)) return
  url.searchParams.delete(LANGUAGE_PARAMETER)
  history.replaceState(history.state, '', url)
}

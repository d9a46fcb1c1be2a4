// Runs before the first paint, from the head, as a classic script: it must stay free of imports. What it
// does is what would move or flash if it came later.
const root = document.documentElement
root.classList.add('scripted')
// The page's script, or a file that it imports, has not come: there may be nothing to be seen.
addEventListener(
  'error',
  ({ target }) => {
    if (target instanceof HTMLScriptElement) root.classList.add('script-failed')
  },
  true,
)
try {
  // Both sites share it (`parts/header.tsx`).
  const theme = /(?:^|; )theme=(light|dark)(?:;|$)/.exec(document.cookie)?.[1]
  if (theme !== undefined) root.dataset['theme'] = theme
} catch {
  // Cookies are off: the system's theme it is.
}

// In the page's language as the reader writes it, as `localeFor` has it.
const { lang } = root
let locale = lang
try {
  const own = new Intl.Locale(navigator.language)
  if (own.language === new Intl.Locale(lang).language) locale = own.baseName
} catch {
  // Some browsers are in no language that there is.
}

// The same formats as in `parts/times.tsx`.
const dateFormat = (options: Intl.DateTimeFormatOptions): ((at: string) => string) => {
  const format = new Intl.DateTimeFormat(locale, options)
  return (at) => format.format(new Date(at))
}
const [day, moment] = [
  dateFormat({ dateStyle: 'medium' }),
  dateFormat({ dateStyle: 'medium', timeStyle: 'short' }),
]
const dayOfYear = dateFormat({ day: 'numeric', month: 'short' })
const monthOfYear = dateFormat({ month: 'short', year: 'numeric' })
const thisYear = new Date(performance.timeOrigin + performance.now()).getFullYear()
const utcMoment = dateFormat({ dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })

const formats: Readonly<Record<string, (at: string) => string>> = {
  day,
  moment,
  short: (at) => (new Date(at).getFullYear() === thisYear ? dayOfYear : monthOfYear)(at),
  zones: (at) => {
    const [local, utc, ofDay] = [moment(at), `${utcMoment(at)} UTC`, `${day(at)}, `]
    if (utc === `${local} UTC`) return utc
    return `${local} (${utc.startsWith(ofDay) ? utc.slice(ofDay.length) : utc})`
  },
}

const times = document.getElementsByTagName('time')
let written = 0

/** Writes the moments that have been parsed since the last time. */
const writeTimes = (): void => {
  let last: Node | null = document.readyState === 'loading' ? document.body : null
  while (last?.lastChild) last = last.lastChild
  for (let time = times[written]; time !== undefined; time = times[written]) {
    // The rest of its text may still come.
    if (time.contains(last)) return
    const { as = '' } = time.dataset
    const text = time.lastChild
    if (text instanceof Text) text.data = formats[as]?.(time.dateTime) ?? text.data
    written += 1
  }
}
const parsing = new MutationObserver(writeTimes)
parsing.observe(document, { childList: true, subtree: true })
document.addEventListener(
  'readystatechange',
  () => {
    parsing.disconnect()
    writeTimes()
    // What is served is the same for everybody, up to the end of the page data.
    const data = document.getElementById('page-data')?.textContent
    if (data?.endsWith('"viewer":null}') === false) root.classList.add('signed-in')
  },
  { once: true },
)

import { CallFailure, explain } from '../site-failure.ts'

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

/** What a recorded magnet link is called: its name, or the beginning of its hash. */
export const magnetName = (url: string): string => {
  const parameters = url.slice(url.indexOf('?') + 1).split('&')
  const value = (name: string): string =>
    decode(parameters.find((each) => each.startsWith(`${name}=`))?.slice(name.length + 1) ?? '')
  const name = value('dn').trim()
  return name === '' ? `${value('xt').split(':').at(-1)?.slice(0, 12)}…` : name
}

/** Why a link was not recorded or removed, in words for whoever looks at the form. */
export const explainMagnet = (error: unknown): string => {
  const said = explain(error).replace(/^Url /, 'The link ')
  if (!(error instanceof CallFailure)) return said
  if (error.code === 'rate_limited' && error.retryAfter !== null) {
    return `Too many saves this minute. Try again in ${error.retryAfter} seconds.`
  }
  return error.code === 'conflict' && said.includes('has changed')
    ? `${said} Reload the page to see the current version.`
    : said
}

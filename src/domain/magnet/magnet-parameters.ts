import { Failure } from '../../contract/failure.ts'

const SCHEME = /^magnet:\?/i
/** Several topics may be numbered: `xt.1`, `xt.2`. */
const NUMBER = /\.[0-9]+$/

/** A plus stands for a space, as programs that read magnet links have it. */
const decode = (text: string): string => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw new Failure('bad_request', 'url must use valid percent-encoded UTF-8')
  }
}

/** The values of a link's `xt` and `dn`, decoded. All else in it is not even decoded (D-43). */
export const magnetParameters = (url: string): Readonly<Record<'xt' | 'dn', readonly string[]>> => {
  if (!SCHEME.test(url)) throw new Failure('bad_request', 'url must begin with magnet:?')
  const [query = ''] = url.replace(SCHEME, '').split('#', 1)
  const found = { xt: [] as string[], dn: [] as string[] }
  for (const parameter of query.split('&')) {
    const cut = parameter.indexOf('=')
    const name = parameter.slice(0, Math.max(cut, 0)).toLowerCase().replace(NUMBER, '')
    if (name === 'xt' || name === 'dn') found[name].push(decode(parameter.slice(cut + 1)))
  }
  return found
}

type Rules = {
  readonly createHTML: (html: string) => string
  readonly createScriptURL: (url: string) => string
}

/** The part of Trusted Types that is used here; TypeScript has no types for it. */
declare const trustedTypes:
  | { readonly createPolicy: (name: string, rules: Rules) => Rules }
  | undefined

const rules: Rules = { createHTML, createScriptURL }

/**
 * The only policy that the content security policy admits: the only way from a string to markup, and to the
 * script of a worker. Each throws a TypeError for any other string.
 */
export const trusted: Rules =
  typeof trustedTypes === 'undefined' ? rules : trustedTypes.createPolicy('mapcrate', rules)

/** Returns HTML of a guide as it is. Throws if it holds any markup but this, which cannot run a script. */
function createHTML(html: string): string {
  const allowed =
    /<\/?(?:a|blockquote|br|code|del|em|hr|li|ol|p|strong|ul)(?: href="(?:https?:\/\/|[/#])[^"<>]*"(?: hreflang="en")?| start="\d+")?>/g
  if (html.replaceAll(allowed, '').includes('<'))
    throw new TypeError('a guide holds foreign markup')
  return html
}

/** Returns the path of a built file of this site as it is. */
function createScriptURL(url: string): string {
  if (!/^\/assets\/[\w-]+(?:\.[\w-]+)*\.js$/.test(url))
    throw new TypeError('not a script of this site')
  return url
}

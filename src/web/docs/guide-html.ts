import { withAddresses } from './addresses.ts'

/** What the HTML of guides is made of: no element or attribute here can run a script. */
const TAG =
  /<\/?(?:a|blockquote|br|code|del|em|hr|li|ol|p|strong|ul)(?: href="(?:https?:\/\/|[/#])[^"<>]*"| start="\d+")?>/g

/** Returns guide HTML as it is. Throws when it holds markup that no guide is made of. */
const createHTML = (html: string): string => {
  if (html.replaceAll(TAG, '').includes('<')) throw new TypeError('a guide holds foreign markup')
  return html
}

type HtmlPolicy = { readonly createHTML: (html: string) => string }

/** The part of Trusted Types that is used here; TypeScript has no types for it. */
declare const trustedTypes:
  | { readonly createPolicy: (name: string, rules: HtmlPolicy) => HtmlPolicy }
  | undefined

/**
 * The only policy that the site's content security policy admits: the only way for a string to
 * become markup on a page. Browsers without Trusted Types apply the same check.
 */
const policy: HtmlPolicy =
  typeof trustedTypes === 'undefined'
    ? { createHTML }
    : trustedTypes.createPolicy('mapcrate', { createHTML })

/** Properties that fill an element with HTML of a guide, which is made when the pages are built. */
export const guideHtml = (
  html: string,
): { readonly dangerouslySetInnerHTML: { readonly __html: string } } => ({
  dangerouslySetInnerHTML: { __html: policy.createHTML(withAddresses(html)) },
})

/**
 * The request target as the router should see it: absolute form becomes a path (RFC 9112, 3.2.2),
 * and a path that does not percent-decode becomes one that merely does not exist.
 */
export const rewriteTarget = ({ url = '/' }: { url?: string | undefined }): string => {
  if (url.startsWith('/') && !url.includes('%')) return url
  const target = url.replace(/^https?:\/\/[^/?#]*/i, '')
  const rooted = target.startsWith('/') || target === '*' ? target : `/${target}`
  try {
    decodeURIComponent(rooted.replace(/[?#].*$/s, ''))
    return rooted
  } catch {
    return rooted.replaceAll('%', '%25')
  }
}

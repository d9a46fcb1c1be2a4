import type { onRequestHookHandler } from 'fastify'
import { isSecure, type Settings } from '../door/context.ts'

const YEAR_SECONDS = 31_536_000

/** What pages may load, and from where: our own files, and the covers of beatmaps. */
export const contentSecurityPolicy = (coversUrl: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src 'self' ${new URL(coversUrl).origin} data:`,
    "connect-src 'self'",
    "font-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    // No string becomes markup or script, but for the guides' own HTML (web/docs/guide-page.tsx).
    "require-trusted-types-for 'script'",
    'trusted-types mapcrate',
  ].join('; ')

/** No page of ours needs any of these. */
const PERMISSIONS = [
  'accelerometer',
  'camera',
  'geolocation',
  'gyroscope',
  'magnetometer',
  'microphone',
  'payment',
  'usb',
]
  .map((feature) => `${feature}=()`)
  .join(', ')

/** Sets what every answer of the site carries, errors included. */
export const setSiteHeaders = (settings: Settings): onRequestHookHandler => {
  const standing = {
    'content-security-policy': contentSecurityPolicy(settings.coversUrl),
    'referrer-policy': 'same-origin',
    'permissions-policy': PERMISSIONS,
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
  }
  return (_request, reply, done) => {
    void reply.headers(standing)
    // Asked anew each time: the address is known only once the service listens.
    if (isSecure(settings)) {
      void reply.header('strict-transport-security', `max-age=${YEAR_SECONDS}`)
    }
    done()
  }
}

import { ground } from '../preview/palette.ts'
import { SITE_NAME } from '../site-context.ts'

/** The sizes in which the mark is drawn as a picture, in pixels. */
export const iconSizes = [180, 192, 512] as const

/** What a device needs to keep the site as an app. */
export const webManifest = JSON.stringify({
  name: SITE_NAME,
  short_name: SITE_NAME,
  description: 'Map packs for tournaments.',
  start_url: '/',
  display: 'standalone',
  background_color: ground,
  theme_color: ground,
  icons: [
    { src: '/favicon.svg', type: 'image/svg+xml', sizes: 'any' },
    ...[192, 512].map((size) => ({
      src: `/icon-${size}.png`,
      type: 'image/png',
      sizes: `${size}x${size}`,
      purpose: 'any maskable',
    })),
  ],
})

/** The mark of the site: three slots in a crate. */
export const faviconSvg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">
<rect width="64" height="64" rx="14" fill="${ground}"/>
<rect x="14" y="16" width="36" height="8" rx="4" fill="#60a5fa"/>
<rect x="14" y="28" width="27" height="8" rx="4" fill="#f87171"/>
<rect x="14" y="40" width="18" height="8" rx="4" fill="#c084fc"/>
</svg>
`

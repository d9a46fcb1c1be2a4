import type { Guide } from '../docs/guide.ts'
import { GuidePage } from '../docs/guide-page.tsx'
import { Overview } from '../docs/overview.tsx'
import { mount } from '../frame.tsx'
import { address } from '../page-data.ts'

const loaders: Readonly<Record<string, () => Promise<{ readonly guide: Guide }>>> = {
  '/docs/into-the-game': async () => import('guide:into-the-game'),
  '/docs/api': async () => import('guide:api'),
  '/docs/client': async () => import('guide:client'),
  '/docs/cli': async () => import('guide:cli'),
  '/docs/tournaments': async () => import('guide:tournaments'),
  '/docs/history': async () => import('guide:history'),
  '/docs/formats': async () => import('guide:formats'),
  '/docs/format-table': async () => import('guide:format-table'),
  '/docs/pack-keys': async () => import('guide:pack-keys'),
}

const pathHere = (): string => address().pathname.replace(/\/$/, '')

// A reader loads the guide that they read, the server all of them.
const isServer = typeof document === 'undefined'
const loaded = Object.entries(loaders).map(async ([path, load]) =>
  isServer || path === pathHere() ? [[path, (await load()).guide] as const] : [],
)
const guides = new Map((await Promise.all(loaded)).flat())

export const docs = mount(() => {
  const path = pathHere()
  const guide = guides.get(path)
  return guide === undefined ? <Overview /> : <GuidePage path={path} guide={guide} />
})

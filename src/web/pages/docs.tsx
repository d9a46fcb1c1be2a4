import { guide as api } from 'guide:api'
import { guide as packKeys } from 'guide:pack-keys'
import { GuidePage } from '../docs/guide-page.tsx'
import { Overview } from '../docs/overview.tsx'
import { mount } from '../mount.tsx'

const guides = new Map([
  ['/docs/api', api],
  ['/docs/pack-keys', packKeys],
])

mount(() => {
  const path = location.pathname.replace(/\/$/, '')
  const guide = guides.get(path)
  return guide === undefined ? <Overview /> : <GuidePage path={path} guide={guide} />
})

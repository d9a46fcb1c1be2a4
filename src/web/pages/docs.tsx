import { guide as api } from 'guide:api'
import { guide as cli } from 'guide:cli'
import { guide as client } from 'guide:client'
import { guide as formatTable } from 'guide:format-table'
import { guide as formats } from 'guide:formats'
import { guide as history } from 'guide:history'
import { guide as packKeys } from 'guide:pack-keys'
import { guide as tournaments } from 'guide:tournaments'
import { GuidePage } from '../docs/guide-page.tsx'
import { Overview } from '../docs/overview.tsx'
import { mount } from '../frame.tsx'
import { address } from '../page-data.ts'

const guides = new Map([
  ['/docs/api', api],
  ['/docs/client', client],
  ['/docs/cli', cli],
  ['/docs/tournaments', tournaments],
  ['/docs/history', history],
  ['/docs/formats', formats],
  ['/docs/format-table', formatTable],
  ['/docs/pack-keys', packKeys],
])
export const docs = mount(() => {
  const path = address().pathname.replace(/\/$/, '')
  const guide = guides.get(path)
  return guide === undefined ? <Overview /> : <GuidePage path={path} guide={guide} />
})

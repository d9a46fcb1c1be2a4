import { mount } from '../frame.tsx'
import { PackPage } from '../pack/pack-page.tsx'
import { pageData } from '../page-data.ts'

export const pack = mount(() => {
  const { pack } = pageData()
  if (pack === undefined) throw new Error('This page has no pack.')
  return <PackPage first={pack} />
})

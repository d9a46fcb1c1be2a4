import { mount } from '../frame.tsx'
import { PackPage } from '../pack/pack-page.tsx'
import { pageData } from '../page-data.ts'

mount(() => {
  const { pack } = pageData()
  if (pack === undefined) throw new Error('This page has no pack.')
  return <PackPage first={pack} />
}, 'pack')

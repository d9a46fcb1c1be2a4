import { mount } from '../frame.tsx'
import { OwnerPage } from '../owner/owner-page.tsx'
import { pageData } from '../page-data.ts'

export const owner = mount(() => {
  const { owner: shown } = pageData()
  if (shown === undefined) throw new Error('This page has no owner.')
  return <OwnerPage owner={shown} />
})

import { mount } from '../frame.tsx'
import { MapPage } from '../map/map-page.tsx'
import { pageData } from '../page-data.ts'

export const map = mount(() => {
  const { map: shown } = pageData()
  if (shown === undefined) throw new Error('This page has no beatmap.')
  return <MapPage map={shown} />
})

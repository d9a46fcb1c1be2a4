import { mount } from '../frame.tsx'
import { MapPage } from '../map/map-page.tsx'
import { required } from '../page-data.ts'

export const map = mount(() => <MapPage map={required('map')} />)

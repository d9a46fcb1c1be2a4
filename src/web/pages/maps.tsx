import { MapsPage } from '../beatmap/maps-page.tsx'
import { mount } from '../frame.tsx'

export const maps = mount(() => <MapsPage />)

import { mount } from '../frame.tsx'
import { BeatmapPage } from '../beatmap/beatmap-page.tsx'
import { required } from '../page-data.ts'

export const map = mount(() => <BeatmapPage beatmap={required('map')} />)

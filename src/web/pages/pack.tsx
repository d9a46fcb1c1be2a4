import { mount } from '../frame.tsx'
import { PackPage } from '../pack/pack-page.tsx'
import { required } from '../page-data.ts'

export const pack = mount(() => <PackPage first={required('pack')} />)

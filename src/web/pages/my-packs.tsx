import { mount } from '../frame.tsx'
import { MyPacksPage } from '../my-packs/my-packs-page.tsx'

mount(() => <MyPacksPage />)

import { mount } from '../mount.tsx'
import { MyPacksPage } from '../my-packs/my-packs-page.tsx'

mount(() => <MyPacksPage />)

import { FrontPage } from '../browse/front-page.tsx'
import { mount } from '../frame.tsx'

export const home = mount(() => <FrontPage />)

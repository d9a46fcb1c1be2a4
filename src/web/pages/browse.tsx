import { Catalogue } from '../browse/catalogue.tsx'
import { mount } from '../frame.tsx'

export const browse = mount(() => (
  <main id="main">
    <h1>Browse packs</h1>
    <Catalogue />
  </main>
))

import { Catalogue } from '../browse/catalogue.tsx'
import { mount } from '../mount.tsx'

mount(() => (
  <main id="main">
    <h1>Browse packs</h1>
    <Catalogue />
  </main>
))

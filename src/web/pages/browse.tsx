import * as texts from '#texts/browse'
import { Catalogue } from '../browse/catalogue.tsx'
import { mount } from '../frame.tsx'

export const browse = mount(() => (
  <main id="main">
    <h1>{texts.browsePacks}</h1>
    <Catalogue />
  </main>
))

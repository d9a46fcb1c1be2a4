import { mount } from '../mount.tsx'

mount(() => (
  <main id="main">
    <h1>Browse packs</h1>
  </main>
))

import { mount } from '../mount.tsx'

mount(() => (
  <main id="main">
    <h1>Map packs for tournaments</h1>
  </main>
))

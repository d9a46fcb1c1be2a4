import { Catalogue } from '../browse/catalogue.tsx'
import { mount } from '../frame.tsx'
import { LinkButton, NewPackLink } from '../parts/buttons.tsx'

export const home = mount(() => (
  <main id="main">
    <div class="introduction">
      <h1>Map packs for tournaments</h1>
      <p>
        Paste a spreadsheet and get a pool with stars, lengths and mods calculated. Share it as a
        link, or as one line of text that anyone can open.
      </p>
      <p class="actions">
        <NewPackLink />
        <LinkButton label="Open a key" href="/k" />
        <LinkButton tone="quiet" label="API guide" href="/docs/api" />
      </p>
    </div>
    <Catalogue />
  </main>
))

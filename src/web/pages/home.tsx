import { Catalogue } from '../browse/catalogue.tsx'
import { mount } from '../frame.tsx'
import { LinkButton } from '../parts/buttons.tsx'

mount(() => (
  <main id="main">
    <div class="introduction">
      <h1>Map packs for tournaments</h1>
      <p>
        Paste a spreadsheet and get a pool with stars, lengths and mods calculated. Share it as a
        link, or as one line of text that anyone can open.
      </p>
      <p class="actions">
        <LinkButton tone="primary" href="/new">
          New pack
        </LinkButton>
        <LinkButton href="/k">Open a key</LinkButton>
        <LinkButton tone="quiet" href="/docs/api">
          API guide
        </LinkButton>
      </p>
    </div>
    <Catalogue />
  </main>
))

import type { JSX } from 'preact'
import { LogView } from './log-view.tsx'
import { PacksView } from './packs-view.tsx'
import '../style/moderation.css'

const views = [
  ['Packs', '/moderation', PacksView],
  ['Log', '/moderation?view=log', LogView],
] as const

/** What moderators do: look after packs, and read who did what. */
export const ModerationPage = (): JSX.Element => {
  const isLog = new URLSearchParams(location.search).get('view') === 'log'
  const [here, , View] = views[isLog ? 1 : 0]
  return (
    <main id="main">
      <header class="moderation-head">
        <h1>Moderation</h1>
        <nav aria-label="Moderation">
          {views.map(([label, href]) => (
            <a key={href} href={href} aria-current={label === here ? 'page' : undefined}>
              {label}
            </a>
          ))}
        </nav>
      </header>
      <View />
    </main>
  )
}

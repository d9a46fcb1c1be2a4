import type { JSX } from 'preact'
import { KeyForm } from './key-form.tsx'
import { OpenedPool } from './opened-pool.tsx'
import { useOpened } from './use-opened.ts'
import '../style/open-key.css'
import '../style/pack-page.css'
import '../style/side-card.css'

/** What a pack key holds, or where to paste one. The key stays behind the `#` of the address. */
export const OpenKeyPage = (): JSX.Element => {
  const opened = useOpened()
  if (opened.state === 'open') {
    return (
      <main id="main" class="pack-page">
        <OpenedPool key={opened.packKey} pool={opened.pool} packKey={opened.packKey} />
      </main>
    )
  }
  return (
    <main id="main" class="open-key">
      <h1>Open a pack key</h1>
      <p class="open-key-lead">
        A pack key is a whole pool in one line of text. It is decoded in your browser and never sent
        anywhere. Only beatmap ids are sent, to look up titles.
      </p>
      {opened.state === 'refused' && (
        <div class="refusal" role="alert">
          <h2>{opened.title}</h2>
          <p>{opened.remedy}</p>
        </div>
      )}
      <KeyForm />
    </main>
  )
}

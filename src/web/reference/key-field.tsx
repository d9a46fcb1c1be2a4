import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { pageData } from '../page-data.ts'
import { Button } from '../parts/buttons.tsx'

type Props = {
  readonly value: string
  /** What is wrong with it; null when nothing is. */
  readonly problem: string | null
  readonly onChange: (key: string) => void
}

/** Takes a key, hidden unless asked to show it. It lives in this page's memory and nowhere else. */
export const KeyField = ({ value, problem, onChange }: Props): JSX.Element => {
  const [isShown, show] = useState(false)
  const { keyPrefix } = pageData()
  return (
    <div class="console-field">
      <label for="console-key">API key</label>
      <div class="key-row">
        <input
          id="console-key"
          class="field"
          {...(isShown ? { type: 'text' as const } : { type: 'password' as const })}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          placeholder={`${keyPrefix}_…`}
          value={value}
          aria-invalid={problem !== null}
          aria-describedby="console-key-note"
          onInput={({ currentTarget }) => onChange(currentTarget.value)}
        />
        <Button tone="quiet" aria-pressed={isShown} onClick={() => show(!isShown)}>
          {isShown ? 'Hide' : 'Show'}
          <span class="sr-only"> the key</span>
        </Button>
      </div>
      <p id="console-key-note" class={problem === null ? 'console-note' : 'console-problem'}>
        {problem ?? (
          <>
            The key stays on this page and is forgotten when you leave. Create one on{' '}
            <a href="/account">your account page</a>.
          </>
        )}
      </p>
    </div>
  )
}

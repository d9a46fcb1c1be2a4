import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { CodeBlock } from '../docs/code-block.tsx'
import { asCurl, asFetch, type WireRequest } from './request.ts'

const ways = [
  ['curl', 'command', asCurl],
  ['fetch', 'code', asFetch],
] as const

type Props = {
  readonly request: WireRequest
  readonly server: string
  readonly keyName: string | null
}

/** The call as one would make it elsewhere; never with the key itself. */
export const SameCall = ({ request, server, keyName }: Props): JSX.Element => {
  const [chosen, choose] = useState(0)
  const [, what, write] = ways[chosen] ?? ways[0]
  return (
    <div class="same-call">
      <div class="same-call-ways" role="group" aria-labelledby="same-call-title">
        <h3 id="same-call-title">Code</h3>
        {ways.map(([name], at) => (
          <button
            key={name}
            type="button"
            class="way"
            aria-pressed={at === chosen}
            onClick={() => choose(at)}
          >
            {name}
          </button>
        ))}
      </div>
      <CodeBlock text={write(request, server, keyName)} what={what} />
    </div>
  )
}

import type { JSX } from 'preact'
import { API_PREFIX } from '../../contract/endpoint.ts'

/** How a call begins: `POST /api/v1/packs`. */
export const MethodLine = ({ method, path }: Record<'method' | 'path', string>): JSX.Element => (
  <span class="method-line">
    <span class={`method ${method.toLowerCase()}`}>{method}</span>{' '}
    <code>
      <span class="quiet-text">{API_PREFIX}</span>
      {path}
    </code>
  </span>
)

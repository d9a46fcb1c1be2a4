import type { JSX } from 'preact'
import { CodeBlock } from '../docs/code-block.tsx'
import type { Api, Call, CallReply } from './document.ts'
import { MethodLine } from './method-line.tsx'
import { Prose, ProseBlocks } from './prose.tsx'
import { HeaderList } from './replies.tsx'

/** What the refusals of all calls mean, each once. */
const refusalsOf = (calls: readonly Call[]): readonly CallReply[] => {
  const all = calls.flatMap(({ replies }) => replies).filter(({ status }) => Number(status) >= 400)
  const seen = new Map(all.map((reply) => [reply.description, reply]))
  return [...seen.values()].toSorted((x, y) => x.status.localeCompare(y.status))
}

/** What all calls of a service have in common, and the calls. */
export const ReferenceHome = ({
  api: { calls, standing, server, description },
}: {
  readonly api: Api
}): JSX.Element => (
  <div class="docs-article reference-home">
    <ul class="call-list">
      {calls.map(({ id, method, path, summary }) => (
        <li key={id}>
          <a href={`#${id}`}>
            <MethodLine method={method} path={path} />
            <span>{summary}</span>
          </a>
        </li>
      ))}
    </ul>
    <h2>Base URL</h2>
    <CodeBlock text={server} what="base URL" />
    <ProseBlocks text={description} />
    <h2>Response headers</h2>
    <HeaderList headers={standing} />
    <h2>Errors</h2>
    <dl class="header-list">
      {refusalsOf(calls).map(({ status, description }) => (
        <div key={description}>
          <dt>
            <b class={`status status-${status.charAt(0)}`}>{status}</b>
          </dt>
          <dd>
            <Prose text={description} />
          </dd>
        </div>
      ))}
    </dl>
  </div>
)

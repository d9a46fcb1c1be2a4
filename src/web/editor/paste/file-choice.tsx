import type { JSX } from 'preact'
import { count } from '../../format.ts'
import type { OpenFile } from './use-paste.ts'
import { PersonText } from '../../parts/person-text.tsx'

type Props = { readonly file: OpenFile; readonly onChoose: (at: number) => void }

/** Which file stands in the box, and which pool of it. */
export const FileChoice = ({ file, onChoose }: Props): JSX.Element => {
  if (file.problem !== null) {
    return (
      <p class="paste-file edit-danger" role="alert">
        <b>
          <PersonText text={file.name} />
        </b>{' '}
        could not be read: {file.problem}
      </p>
    )
  }
  const { pools, chosen } = file
  return (
    <div class="paste-file">
      <p>
        From{' '}
        <b>
          <PersonText text={file.name} />
        </b>
        {pools.length === 1 && (
          <>
            , <PersonText text={pools[0]?.name} />
          </>
        )}
      </p>
      {pools.length > 1 && (
        <label>
          Choose one of {pools.length} rounds or collections
          <select
            id="edit-file-pool"
            class="field"
            value={chosen ?? ''}
            onChange={({ currentTarget: { value } }) => value !== '' && onChoose(Number(value))}
          >
            <option value="" disabled>
              Choose one
            </option>
            {pools.map(({ name, beatmaps }, at) => (
              <option key={at} value={at}>
                <PersonText text={name} /> ({count(beatmaps, 'beatmap')})
              </option>
            ))}
          </select>
        </label>
      )}
      {chosen !== null && (pools[chosen]?.leftOut.length ?? 0) > 0 && (
        <ul class="edit-danger" role="list" aria-label="Not imported from the file">
          {pools[chosen]?.leftOut.map((text, at) => (
            <li key={at}>Left out: {text}</li>
          ))}
        </ul>
      )}
    </div>
  )
}

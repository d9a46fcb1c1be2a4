import { deleteKey } from '#texts/editing'
import * as texts from '#texts/keys'

export type KeyListProps = { readonly of: 'pack' | 'round' }

const laneKeys = [
  [texts.moveKeys, texts.moveKeysMeaning],
  [texts.stepKeys, texts.stepKeysMeaning],
  [texts.enterKey, texts.enterKeyMeaning],
  [deleteKey, texts.deleteKeyMeaning],
] as const

const keysOf = {
  pack: [
    ...laneKeys,
    [texts.pasteKeys, texts.pasteKeysMeaning],
    [texts.undoKeys, texts.undoKeysMeaning],
    [texts.saveKeys, texts.saveKeysMeaning],
  ],
  round: [
    ...laneKeys,
    [texts.moveKeys, texts.moveRoundByKeys],
    [texts.pasteKeys, texts.pasteByKeys],
    [texts.undoKeys, texts.undoByKeys],
  ],
} as const

export const KeyList = ({ of }: KeyListProps) => (
  <>
    <dl>
      {keysOf[of].map(([key, what], at) => (
        <div key={at}>
          <dt>
            <kbd>{key}</kbd>
          </dt>
          <dd>{what}</dd>
        </div>
      ))}
    </dl>
    <p>{texts.keysOnMac}</p>
  </>
)

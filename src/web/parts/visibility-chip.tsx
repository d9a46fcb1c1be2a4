import type { Visibility } from '../../contract/pack.ts'

const meanings: Readonly<Record<Visibility, string>> = {
  private: 'Only its owner sees it',
  unlisted: 'Whoever has the link sees it',
  public: 'Everyone finds it',
}

/** Who may see a pack. */
export const VisibilityChip = ({ visibility }: { readonly visibility: Visibility }) => (
  <span class={`visibility ${visibility}`} title={meanings[visibility]}>
    {visibility}
  </span>
)

import type { Visibility } from '../../contract/packs.ts'

const meanings: Readonly<Record<Visibility, string>> = {
  private: 'Only the owner',
  unlisted: 'Anyone with the link',
  public: 'Everyone',
}

/** Who may see a pack. */
export const VisibilityChip = ({ visibility }: { readonly visibility: Visibility }) => (
  <span class={`visibility ${visibility}`} title={meanings[visibility]}>
    {visibility}
  </span>
)

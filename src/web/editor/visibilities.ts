import type { Visibility } from '../../contract/pack.ts'

/** Who may see a pack, in words, the widest last. Held to the contract by its type alone. */
export const visibilityWords: Readonly<Record<Visibility, readonly [name: string, who: string]>> = {
  private: ['Private', 'Only you'],
  unlisted: ['Unlisted', 'Anyone with the link'],
  public: ['Public', 'Everyone, listed in Browse'],
}

export const visibilityNames = Object.keys(visibilityWords) as Visibility[]

export const isVisibility = (value: unknown): value is Visibility =>
  (visibilityNames as unknown[]).includes(value)

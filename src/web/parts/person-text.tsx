import type { JSX } from 'preact'
import { withoutDirection } from '../../pool/text.ts'

/**
 * Text that a person or the platform wrote, isolated from the text around it (D-47). An element that
 * cuts its text has `dir="auto"` and `shownText` instead: its own direction decides which end is cut.
 */
export const PersonText = ({ text }: { readonly text: string | undefined }): JSX.Element => (
  <bdi>{shownText(text)}</bdi>
)

/** The text without directional formatting, which texts stored before D-47 may hold. */
export const shownText = (text: string | undefined): string => withoutDirection(text ?? '')

import { announce } from '../parts/toasts.tsx'

/** Says what a moderator has done: pages for moderators are in English alone. */
export const announceInEnglish = (text: string): void => announce(text, 'plain', undefined, 'en')

import { dateFormat, shortDayFormat } from '../format.ts'

// As those of `format.ts`: what moderators read is in English for everybody.

export const formatDay = dateFormat({ dateStyle: 'medium' }, 'en')
export const formatMoment = dateFormat({ dateStyle: 'medium', timeStyle: 'short' }, 'en')
export const formatShortDay = shortDayFormat('en')

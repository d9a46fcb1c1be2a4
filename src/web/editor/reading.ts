/** What a text stands for, or why it stands for nothing. */
export type Reading<T> = { readonly value: T } | { readonly reason: string }

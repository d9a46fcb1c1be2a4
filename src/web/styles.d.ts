/** Style sheets are imported for the bundler to find; they export nothing. */
declare module '*.css'

/** The path of a built worker below the site's address. */
declare module '*?worker&url' {
  const path: string
  // oxlint-disable-next-line import/no-default-export -- what the bundler makes of it
  export default path
}

/** Style sheets are imported for the bundler to find; they export nothing. */
declare module '*.css'

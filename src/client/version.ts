/** The version of the package, as in `package.json`; the client names it in `User-Agent`. */
export const CLIENT_VERSION = '0.1.0'

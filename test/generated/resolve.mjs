// For generators of clients and for what they make: they need the API of TypeScript 5, which 7 has not, and import
// files without an ending, as bundlers have it.
import { existsSync } from 'node:fs'
import { registerHooks } from 'node:module'

registerHooks({
  resolve(specifier, context, next) {
    if (specifier === 'typescript') return next('typescript-5', context)
    if (!/^\.{1,2}(?:\/|$)/.test(specifier) || !context.parentURL?.endsWith('.ts')) {
      return next(specifier, context)
    }
    const found = [`${specifier}.ts`, `${specifier}/index.ts`].find((each) =>
      existsSync(new URL(each, context.parentURL)),
    )
    return next(found ?? specifier, context)
  },
})

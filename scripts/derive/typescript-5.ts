/**
 * Generators of clients need the compiler API that TypeScript 7 no longer has. After an import of this file they get the
 * TypeScript 5 that the console installs only for this.
 */
import { registerHooks } from 'node:module'

const consoleFolder = new URL('../../console/package.json', import.meta.url).href

registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier, specifier === 'typescript' ? { ...context, parentURL: consoleFolder } : context),
})

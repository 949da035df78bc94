/**
 * The console's API types, by openapi-typescript, which needs the compiler API that TypeScript 7 no longer has: it gets
 * the TypeScript 5 that the console installs only for this.
 */
import { registerHooks } from 'node:module'
import type { OpenAPI3 } from 'openapi-typescript'

const consoleFolder = new URL('../../console/package.json', import.meta.url).href

registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier, specifier === 'typescript' ? { ...context, parentURL: consoleFolder } : context),
})

const head = '// Derived from docs/openapi.json by `npm run derive`: do not edit.\n\n'

/** Forms for params of operations are drawn from their JSON Schema, so for the types they are plain objects. */
export async function consoleTypes(document: Record<string, unknown>): Promise<string> {
  const { default: openApiTypes, astToString } = await import('openapi-typescript')
  const { schemas = {} } = document.components as { schemas?: Record<string, unknown> }
  const plain = Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [
      name,
      name.startsWith('Operation_') ? { type: 'object' } : schema,
    ]),
  )
  const components = { ...(document.components as object), schemas: plain }
  return head + astToString(await openApiTypes({ ...document, components } as unknown as OpenAPI3))
}

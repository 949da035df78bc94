/**
 * The console's types of the API, by openapi-typescript, which needs the compiler API that TypeScript 7 no longer has: it is
 * given the TypeScript 5 that the console has installed for this and nothing else.
 */
import { registerHooks } from 'node:module'
import type { OpenAPI3 } from 'openapi-typescript'

const consoleFolder = new URL('../../console/package.json', import.meta.url).href

registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier, specifier === 'typescript' ? { ...context, parentURL: consoleFolder } : context),
})

const head = '// Derived from docs/openapi.json by `npm run derive`: do not edit.\n\n'

/** Params of operations are forms of their own there, drawn from their JSON Schema: for the types they are just objects. */
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

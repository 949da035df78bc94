/** The console's API types, by openapi-typescript. */
import './typescript-5.ts'
import type { OpenAPI3 } from 'openapi-typescript'

const head = '// Derived from docs/openapi.json by `npm run derive`: do not edit.\n\n'

export async function consoleTypes(document: Record<string, unknown>): Promise<string> {
  const { default: openApiTypes, astToString } = await import('openapi-typescript')
  return head + astToString(await openApiTypes(document as unknown as OpenAPI3))
}

/** The catalogue as the API tells it, for tests: read from the service's own code, which the console itself never is. */
import type { JsonSchema } from './schema.ts'

export interface TestOperation {
  id: string
  params: JsonSchema
  examples: { name: string; params: Record<string, unknown> }[]
}

const source = (path: string) => new URL(`../../../../src/${path}`, import.meta.url).href

export async function catalogueOf(): Promise<TestOperation[]> {
  const { catalogue } = (await import(source('operations/index.ts'))) as { catalogue: Map<string, TestOperation> }
  const { publishedSchema } = (await import(source('domain/published-schema.ts'))) as {
    publishedSchema(schema: JsonSchema): JsonSchema
  }
  return [...catalogue.values()].map(({ id, params, examples }) => ({ id, params: publishedSchema(params), examples }))
}

/** As src/domain/output.ts has them. */
export async function outputOf(): Promise<{
  OutputSettings: JsonSchema
  formatOptions: Record<string, Record<string, string>>
}> {
  return (await import(source('domain/output.ts'))) as Awaited<ReturnType<typeof outputOf>>
}

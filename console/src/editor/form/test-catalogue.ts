/** The operations as in the API, for tests. They are imported from the service, which the console itself never does. */
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

/** The schemas of src/domain/workflows/output.ts. */
export async function outputOf(): Promise<{
  OutputSettings: JsonSchema
  formatOptions: Record<string, Record<string, string>>
}> {
  return (await import(source('domain/workflows/output.ts'))) as Awaited<ReturnType<typeof outputOf>>
}

/** The schema and the kinds of src/domain/workflows/outputs.ts. */
export async function outputsOf(): Promise<{ NamedOutputSettings: JsonSchema }> {
  return (await import(source('domain/workflows/outputs.ts'))) as Awaited<ReturnType<typeof outputsOf>>
}

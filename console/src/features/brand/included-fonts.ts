import type { Operation } from '../../api/types.ts'
import type { JsonSchema } from '../../editor/form/schema.ts'

/** The fonts of the service: the examples of the first operation that has a font. */
export function includedFonts(operations: readonly Operation[]): string[] {
  for (const { params } of operations) {
    const examples = (params as JsonSchema).properties?.font?.examples
    if (examples !== undefined) return examples.map(String)
  }
  return []
}

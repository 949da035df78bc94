/** Converts operations to response bodies. */
import { publishedSchema } from '../../../domain/published-schema.ts'
import type { Operation } from '../../../operations/define.ts'

export function operationRecord(operation: Operation) {
  const { id, version, title, summary, keywords, group, inputs, params, outputs, alpha, frames } = operation
  return {
    id,
    version,
    title,
    summary,
    keywords,
    group,
    inputs: Object.entries(inputs).map(([name, { description, required, many, mask }]) => ({
      ...{ name, description, required, many },
      ...(mask && { mask }),
    })),
    params: publishedSchema(params),
    outputs: {
      image: outputs.image ?? null,
      values: outputs.values ?? {},
      ...(outputs.structured && { structured: outputs.structured }),
    },
    alpha,
    frames,
    asks: operation.usesModel?.capability ?? null,
    deterministic: operation.deterministic === true,
    examples: operation.examples.map(({ name, params }) => ({ name, params })),
  }
}

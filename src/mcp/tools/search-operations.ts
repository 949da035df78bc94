import Type, { type TSchema } from 'typebox'
import { search } from '../../../shared/search.ts'
import { publishedSchema } from '../../domain/published-schema.ts'
import type { Operation } from '../../operations/define.ts'
import { defineTool, reads } from '../tool.ts'

/** Operations with their schema in one answer; others are listed by name. */
const detailedMax = 3
const listedMax = 12

export const searchOperations = defineTool({
  name: 'search_operations',
  title: 'Search operations',
  description:
    'Finds operations, the types of the nodes of a workflow, by words such as "round corners", "remove background" or "text on image". Returns the JSON Schema of the params, the inputs and an example of the best three, and the ids of others. Use it before you write a node. With `id`, returns that operation.',
  needs: [],
  annotations: reads,
  input: Type.Object(
    {
      words: Type.String({ default: '', maxLength: 200, description: 'One task in a few words, in English.' }),
      id: Type.Optional(Type.String({ maxLength: 64, description: 'The id of an operation, such as `resize`.' })),
    },
    { additionalProperties: false },
  ),
  async run({ words, id }, { services: { catalogue } }) {
    const all = [...catalogue.values()].map((operation) => ({ ...operation, names: [operation.id] }))
    const found =
      id === undefined ? (words.trim() === '' ? all : search(all, words)) : all.filter((each) => each.id === id)
    const isOverview = id === undefined && words.trim() === ''
    const detailed = isOverview ? [] : found.slice(0, detailedMax)
    const others = isOverview ? found : found.slice(detailedMax, listedMax)
    const say =
      found.length === 0
        ? 'No operation matches. Search with other words, or without words for a list of all.'
        : 'A node has `type` (the id), `inputs` (input name to node id) and `params`.'
    return {
      say,
      data: {
        operations: detailed.map(detailsOf),
        others: others.map(({ id, summary }) => (isOverview ? id : { id, summary })),
      },
    }
  },
})

function detailsOf({ id, title, summary, inputs, params, outputs, usesModel, examples }: Operation) {
  const [example] = examples
  return {
    id,
    title,
    summary,
    inputs: Object.entries(inputs).map(([name, { description, required, many }]) => ({
      name,
      description,
      ...(required ? { required } : {}),
      ...(many ? { many } : {}),
    })),
    params: withoutAnnotations(publishedSchema(params)),
    ...(outputs.values && { values: Object.keys(outputs.values) }),
    ...(usesModel && { callsAiModel: usesModel.capability, costsMoney: true }),
    ...(example && { example: { params: example.params } }),
  }
}

/** Removes titles and keywords for forms, which an agent doesn't need. */
function withoutAnnotations(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutAnnotations)
  if (typeof schema !== 'object' || schema === null) return schema
  const { properties, ...rest } = schema as { properties?: Record<string, TSchema> }
  const kept = Object.entries(rest).filter(([name]) => !name.startsWith('x-') && name !== 'title')
  const inner = kept.map(([name, value]) => [name, name === 'default' ? value : withoutAnnotations(value)])
  const named = Object.entries(properties ?? {}).map(([name, value]) => [name, withoutAnnotations(value)])
  return { ...Object.fromEntries(inner), ...(properties && { properties: Object.fromEntries(named) }) }
}

import Type, { type TSchema } from 'typebox'
import { type Searchable, searchResults } from '../../../shared/search.ts'
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
    'Finds operations, the types of the nodes of a workflow, by words such as "round corners", "remove background" or "text on image". Returns the JSON Schema of the params, the inputs and an example of the best, at most three, and the ids of others. Use it before you write a node. With `id`, returns that operation.',
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
    const all: Found[] = [
      ...[...catalogue.values()].map((operation) => ({ ...operation, names: [operation.id], operation })),
      usedWorkflow,
    ]
    if (id === undefined && words.trim() === '')
      return { say: 'The ids of all operations.', data: { operations: [], others: all.map((each) => each.id) } }
    const found =
      id === undefined
        ? searchResults(all, words)
        : all.filter((each) => each.id === id).map((entry) => ({ entry, missing: 0 }))
    // With their schema, only those with as many words as the best one.
    const detailed = found.filter(({ missing }) => missing === found[0]?.missing).slice(0, detailedMax)
    const others = found.filter((each) => !detailed.includes(each)).slice(0, listedMax - detailedMax)
    const say =
      found.length === 0
        ? 'No operation matches. Search with other words, or without words for a list of all.'
        : 'A node has `type` (the id), `inputs` (input name to node id) and `params`. In examples, inputs have ids of other nodes.'
    return {
      say,
      data: {
        operations: detailed.map(({ entry }) => (entry.operation ? detailsOf(entry.operation) : usedWorkflowDetails)),
        others: others.map(({ entry: { id, summary } }) => ({ id, summary })),
      },
    }
  },
})

interface Found extends Searchable {
  operation?: Operation
}

/** A node that isn't an operation, but that agents search for as one. */
const usedWorkflow = {
  id: 'workflow',
  title: 'Workflow',
  names: ['workflow'],
  group: 'Workflows',
  summary: 'Executes a published workflow as a node, in a fixed version.',
  keywords: ['component', 'reuse', 'sub workflow', 'another workflow', 'nested', 'include', 'saved workflow'],
}

const usedWorkflowDetails = {
  id: usedWorkflow.id,
  title: usedWorkflow.title,
  summary: usedWorkflow.summary,
  inputs: 'Its parameters of the format image.',
  params: 'Its parameters.',
  example: { type: 'workflow', workflow: 'badge@1', inputs: { photo: 'square' }, params: { label: 'New' } },
}

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
    ...(example && { example: { type: id, ...wiresOf(example.inputs), params: example.params } }),
  }
}

/** Files of an example become ids of nodes: `coffee.jpg` is `coffee`. */
function wiresOf(inputs: Operation['examples'][number]['inputs'] = {}): { inputs?: object } {
  const nodeOf = (file: string) => file.replace(/\.\w+$/, '')
  const wires = Object.entries(inputs).map(([name, files]) => [
    name,
    typeof files === 'string' ? nodeOf(files) : files.map(nodeOf),
  ])
  return wires.length === 0 ? {} : { inputs: Object.fromEntries(wires) }
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

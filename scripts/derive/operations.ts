/** A page for each operation, and the index of them. */
import type { AlphaRule, Example, FramesRule, Operation } from '../../src/operations/define.ts'
import { groups } from '../../src/operations/define.ts'
import { goldens } from '../../test/golden/render.ts'
import { code, fenced, pageHead, table } from './markdown.ts'
import { paramRows, paramRules } from './params.ts'
import { documentOf, nodeOf } from './workflow.ts'
import { toYaml } from './yaml.ts'

const alphas: Record<AlphaRule, string> = {
  kept: 'Transparency does not change.',
  moved: 'Transparency moves with the pixels.',
  made: 'The descriptions below define its effect on transparency.',
}

const animations: Record<FramesRule, string> = {
  each: 'Processes every frame of an animation.',
  whole: 'Processes all frames of an animation together.',
  first: 'Uses only the first frame of an animation.',
  none: '',
}

export function operationPage(operation: Operation): string {
  const { id, version, title, summary, keywords, group, outputs, alpha, frames, examples } = operation
  return [
    pageHead(title, `src/operations/${group}/${id}.ts`),
    `${summary}\n`,
    `Type \`${id}\`, version ${version}, group ${group}. ${[`${repeatsOf(operation)}.`, outputs.image === undefined ? '' : alphas[alpha], animations[frames]].filter(Boolean).join(' ')}\n`,
    `Keywords: ${keywords.join(', ')}.\n`,
    ...modelUseOf(operation),
    '## Inputs\n',
    socketsOf(operation),
    '## Params\n',
    paramsOf(operation),
    '## Outputs\n',
    `${outputs.image ?? 'No image. Other nodes read its values in templates.'}\n`,
    valuesOf(operation),
    ...framesOf(operation),
    '## Examples\n',
    ...examples.flatMap((example) => exampleOf(operation, example)),
    '## Complete workflow\n',
    'Save this document as a file in the root folder of the project. `npx tintype workflows apply <file>` uploads its images\nand saves the workflow.\n',
    fenced('yaml', toYaml(documentOf(operation, examples[0] as Example))),
  ].join('\n')
}

export function operationsIndex(operations: Operation[]): string {
  const used = groups.filter((group) => operations.some((operation) => operation.group === group))
  return [
    pageHead('Operations', 'src/operations'),
    `All ${operations.length} operations, with their params and examples. [How workflows are written](../guide/workflows.md)\nexplains how to connect nodes. \`GET /v1/operations\` returns the same as JSON, with the JSON Schema of the params.\n`,
    ...used.flatMap((group) => [
      `## ${group === 'ai' ? 'AI' : `${group.charAt(0).toUpperCase()}${group.slice(1)}`}\n`,
      table(
        ['Operation', 'Description', 'Example'],
        operations
          .filter((operation) => operation.group === group)
          .map((operation) => [
            `[${code(operation.id)}](${operation.id}.md)`,
            operation.summary,
            outputsOf(operation, operation.examples[0] as Example).join(''),
          ]),
      ),
    ]),
  ].join('\n')
}

function repeatsOf({ deterministic }: Operation): string {
  if (typeof deterministic === 'function') return 'With a seed, results for the same inputs and params are cached'
  return deterministic ? 'The same inputs and params always return the same result' : 'The result depends on its source'
}

/** Text for operations that call AI models. The first examples of operations with local models use those. */
function modelUseOf({ usesModel, reads }: Operation): string[] {
  if (usesModel === undefined) return []
  const which = reads?.models ? 'The example with a provider shows' : 'The examples on this page show'
  return [
    `Requires an AI model with the capability \`${usesModel.capability}\` ([AI models](../guide/ai-models.md)). \`npx tintype providers\` and\n\`GET /v1/providers\` list the available models. ${which} the responses of a fake provider.\n`,
  ]
}

function socketsOf({ inputs }: Operation): string {
  const sockets = Object.entries(inputs)
  if (sockets.length === 0) return 'None.\n'
  return table(
    ['Socket', 'Accepts', 'Description'],
    sockets.map(([name, { description, required, many }]) => [
      code(name),
      `${many ? 'several nodes' : 'one node'}, ${required ? 'required' : 'optional'}`,
      description,
    ]),
  )
}

function paramsOf({ params }: Operation): string {
  const rows = paramRows(params)
  if (rows.length === 0) return 'None.\n'
  const rules = paramRules(params).map((rule) => `- ${rule}\n`)
  const list = rules.length > 0 ? `\n${rules.join('')}` : ''
  return `${table(['Param', 'Type', 'Default', 'Range', 'Unit', 'Description'], rows)}${list}`
}

function valuesOf({ outputs: { image, values = {} } }: Operation): string {
  const valueEntries = Object.entries(values as Record<string, { description?: string }>)
  const common = 'Templates can read `width`, `height` and `format` of the image, such as `{{ nodes.<id>.width }}`'
  if (valueEntries.length === 0) return `${common}.\n`
  const start =
    image === undefined ? 'Templates can read these values, such as `{{ nodes.<id>.text }}`' : `${common}, and`
  return `${start}:\n\n${valueEntries.map(([name, { description = '' }]) => `- \`${name}\`: ${description}\n`).join('')}`
}

function framesOf({ outputs: { drawn } }: Operation): string[] {
  if (drawn === undefined) return []
  const rows = Object.entries(drawn).map(([id, description]) => `- \`${id}\`: ${description}\n`)
  return [
    `The step reports [frames](../guide/previews.md#frames-where-a-step-draws), with the params that set them:\n\n${rows.join('')}`,
  ]
}

function exampleOf(operation: Operation, example: Example): string[] {
  const title = `${example.name.charAt(0).toUpperCase()}${example.name.slice(1)}`
  return [
    `### ${title}\n`,
    ...outputsOf(operation, example).map((each) => `${each}\n`),
    fenced('yaml', toYaml({ [operation.id]: nodeOf(operation, example) })),
  ]
}

/** Its golden image; empty without one. */
function outputsOf({ id, outputs }: Operation, { name }: Example): string[] {
  if (outputs.image === undefined) return []
  const golden = goldens().find(({ operation, example }) => operation.id === id && example.name === name)
  if (golden === undefined) throw new Error(`the example "${name}" of ${id} has no golden image`)
  return [`![${name}](../../test/golden/${golden.name}.png)`]
}

/** A page for each operation, and the index of them. */
import type { AlphaRule, Example, FramesRule, Operation } from '../../src/operations/define.ts'
import { groups } from '../../src/operations/define.ts'
import { goldens } from '../../test/golden/render.ts'
import { code, fenced, pageHead, table } from './markdown.ts'
import { paramRows, paramRules } from './params.ts'
import { documentOf, nodeOf } from './workflow.ts'
import { toYaml } from './yaml.ts'

const alphas: Record<AlphaRule, string> = {
  kept: 'Every pixel keeps its transparency.',
  moved: 'Transparency goes where the pixels go.',
  made: 'What is transparent is told below.',
}

const animations: Record<FramesRule, string> = {
  each: 'Of an animation, every frame is taken.',
  whole: 'An animation is taken as a whole.',
  first: 'Of an animation, only the first frame counts.',
  none: '',
}

export function operationPage(operation: Operation): string {
  const { id, version, title, summary, group, outputs, alpha, frames, examples } = operation
  return [
    pageHead(title, `src/operations/${group}/${id}.ts`),
    `${summary}\n`,
    `Type \`${id}\`, version ${version}, group ${group}; ${[`${repeatsOf(operation)}.`, outputs.image === undefined ? '' : alphas[alpha], animations[frames]].filter(Boolean).join(' ')}\n`,
    ...asksOf(operation),
    '## Images in\n',
    socketsOf(operation),
    '## Params\n',
    paramsOf(operation),
    '## Out\n',
    `${outputs.image ?? 'No image, and nothing can be wired to it: other nodes read its values.'}\n`,
    valuesOf(operation),
    '## Examples\n',
    ...examples.flatMap((example) => exampleOf(operation, example)),
    '## In a workflow\n',
    'A whole document. Saved as a file in the folder of the project, `npx tintype workflows apply <file>` uploads the\npictures that it names and saves it.\n',
    fenced('yaml', toYaml(documentOf(operation, examples[0] as Example))),
  ].join('\n')
}

export function operationsIndex(operations: Operation[]): string {
  const used = groups.filter((group) => operations.some((operation) => operation.group === group))
  return [
    pageHead('Operations', 'src/operations'),
    `What a node of a workflow can do: ${operations.length} operations. [How workflows are written](../guide/workflows.md)\ntells how nodes are wired together. \`GET /v1/operations\` gives the same as JSON, with the JSON Schema of the params.\n`,
    ...used.flatMap((group) => [
      `## ${group === 'ai' ? 'AI' : `${group.charAt(0).toUpperCase()}${group.slice(1)}`}\n`,
      table(
        ['operation', 'what it does', 'for example'],
        operations
          .filter((operation) => operation.group === group)
          .map((operation) => [
            `[${code(operation.id)}](${operation.id}.md)`,
            operation.summary,
            shown(operation, operation.examples[0] as Example).join(''),
          ]),
      ),
    ]),
  ].join('\n')
}

function repeatsOf({ deterministic }: Operation): string {
  if (typeof deterministic === 'function')
    return 'with a seed, what it gave is served again for the same inputs and params'
  return deterministic ? 'the same inputs and params always give the same picture' : 'depends on what it reads'
}

/** Of operations that ask AI models; the first examples of those with models of their own show these. */
function asksOf({ usesModel, reads }: Operation): string[] {
  if (usesModel === undefined) return []
  const only = reads?.models ? 'the example by a provider shows' : 'pictures and examples here show'
  return [
    `It asks an AI model that can \`${usesModel.capability}\` ([AI models](../guide/ai-models.md)): \`npx tintype providers\` and\n\`GET /v1/providers\` list those that there are. No model is asked for this reference: ${only} what the operation does with the\nanswer of a stand-in.\n`,
  ]
}

function socketsOf({ inputs }: Operation): string {
  const sockets = Object.entries(inputs)
  if (sockets.length === 0) return 'None.\n'
  return table(
    ['socket', 'takes', 'what it is'],
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
  return `${table(['param', 'type', 'default', 'bounds', 'unit', 'what it is'], rows)}${list}`
}

function valuesOf({ outputs: { image, values = {} } }: Operation): string {
  const own = Object.entries(values as Record<string, { description?: string }>)
  const common = 'Templates can read `width`, `height` and `format` of it, as in `{{ nodes.<id>.width }}`'
  if (own.length === 0) return `${common}.\n`
  const start = image === undefined ? 'Templates can read, as in `{{ nodes.<id>.text }}`' : `${common}, and`
  return `${start}:\n\n${own.map(([name, { description = '' }]) => `- \`${name}\`: ${description}\n`).join('')}`
}

function exampleOf(operation: Operation, example: Example): string[] {
  const title = `${example.name.charAt(0).toUpperCase()}${example.name.slice(1)}`
  return [
    `### ${title}\n`,
    ...shown(operation, example).map((each) => `${each}\n`),
    fenced('yaml', toYaml({ [operation.id]: nodeOf(operation, example) })),
  ]
}

/** Its golden image; empty without one. */
function shown({ id, outputs }: Operation, { name }: Example): string[] {
  if (outputs.image === undefined) return []
  const golden = goldens().find(({ operation, example }) => operation.id === id && example.name === name)
  if (golden === undefined) throw new Error(`the example "${name}" of ${id} has no golden picture`)
  return [`![${name}](../../test/golden/${golden.name}.png)`]
}

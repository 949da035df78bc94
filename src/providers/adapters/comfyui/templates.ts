/**
 * Graphs for the operator's ComfyUI, one JSON file each, with the places for the values of a request. All problems are reported
 * together, each with its file and path.
 */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Capability, capabilities, type ModelTraits } from '../../../domain/models/model.ts'
import { unknownName } from '../../../domain/validate.ts'
import { modelIssues } from '../../catalog/models-file.ts'
import type { ModelRow, Price } from '../../define.ts'
import { type Fields, fieldsOf, textOf } from '../shared/responses.ts'

/** The `x-template` of a row. */
export interface ComfyTemplate {
  capability: Capability
  /** Nodes by id, in the API format. */
  graph: Record<string, GraphNode>
  inputs: TemplateInputs
  /** The node with the result: images or a text. */
  output: string
  /** The mask format of the graph. Default: `white`, in which white pixels are repainted. */
  mask: 'white' | 'black' | 'transparent'
}

export interface GraphNode {
  class_type: string
  inputs: Fields
}

/** Inputs that need each value of a request, as `[node, input]`. */
export type TemplateInputs = { [Name in InputName]?: NodeInput[] }
export type NodeInput = readonly [node: string, input: string]
type InputName = (typeof inputNames)[number]

const inputNames = [
  'prompt',
  'instructions',
  'width',
  'height',
  'aspectRatio',
  'seed',
  'scale',
  'image',
  'images',
  'mask',
] as const

/** Rows for the files of a folder, sorted by name. Throws an Error with every problem. */
export async function readTemplates(folder: string): Promise<ModelRow[]> {
  let files: string[]
  try {
    files = (await readdir(folder)).filter((file) => file.endsWith('.json')).sort()
  } catch (error) {
    throw new Error(`COMFYUI_WORKFLOWS must be a readable folder, but ${folder} can't be read (${codeOf(error)}).`)
  }
  const problems: string[] = []
  const rows: ModelRow[] = []
  for (const file of files) {
    const path = join(folder, file)
    const report = (at: string, problem: string) =>
      void problems.push(`${path}: ${at === '' ? '' : `${at}: `}${problem}.`)
    const row = rowOf(file.slice(0, -'.json'.length), await parse(path, report), report)
    if (row) rows.push(row)
  }
  if (problems.length > 0) throw new Error(problems.join('\n'))
  return rows
}

type ReportProblem = (at: string, problem: string) => void

async function parse(path: string, report: ReportProblem): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'))
  } catch (error) {
    report(
      '',
      error instanceof SyntaxError ? `is not valid JSON (${error.message})` : `can't be read (${codeOf(error)})`,
    )
    return undefined
  }
}

function rowOf(name: string, parsed: unknown, report: ReportProblem): ModelRow | undefined {
  if (parsed === undefined) return undefined
  if (!/^[\w.-]{1,100}$/.test(name)) {
    report('', 'the file name is the name of the model and must have only letters, digits, `.`, `-` and `_`')
    return undefined
  }
  const file = fieldsOf(parsed)
  if (file === undefined) {
    report('', 'must be a JSON object')
    return undefined
  }
  for (const key of Object.keys(file)) if (!keys.has(key)) report(key, unknownName('field', key, [...keys]))
  const capability = capabilities.find((id) => id === file.capability)
  if (capability === undefined) report('capability', `must be one of ${listed(capabilities)}`)
  const graph = graphOf(file.graph, report)
  const output = textOf(file.output)
  if (output === undefined || (graph && !graph[output])) report('output', 'must be the id of a node of the graph')
  const mask = masks.find((color) => color === (file.mask ?? 'white'))
  if (mask === undefined) report('mask', `must be one of ${listed(masks)}`)
  const { traits = {}, price = free } = file
  // The rules of MODELS_FILE, reported with the paths of this file.
  const issues = capability
    ? modelIssues({ models: { [`comfyui/${name}`]: { can: { [capability]: traits }, price } } })
    : []
  for (const { path, message } of issues)
    report(path.replace(`models.comfyui/${name}.`, '').replace(`can.${capability}`, 'traits'), message)
  if (!graph) return undefined
  const inputs = inputsOf(file.inputs, graph, report)
  if (!capability || !output || !mask || !inputs || issues.length > 0) return undefined
  const can = traitsOf(capability, traits as ModelTraits, inputs, report)
  const template: ComfyTemplate = { capability, graph, inputs, output, mask }
  return { name, can: { [capability]: can }, price: price as Price, 'x-template': template }
}

const keys = new Set(['capability', 'graph', 'inputs', 'output', 'mask', 'traits', 'price'])
const masks = ['white', 'black', 'transparent'] as const
/** The machine belongs to the operator. */
const free = { asOf: '2026-11', per: 'call', usd: 0 }

function graphOf(value: unknown, report: ReportProblem): Record<string, GraphNode> | undefined {
  const graph = fieldsOf(value)
  if (graph === undefined || Object.keys(graph).length === 0) {
    report('graph', 'must have the nodes by id, as exported by "Export (API)" of ComfyUI')
    return undefined
  }
  if (Array.isArray(graph.nodes)) {
    report('graph', 'is in the format of the editor. Export it with "Export (API)"')
    return undefined
  }
  const wrong = Object.entries(graph).filter(
    ([, node]) => textOf(fieldsOf(node)?.class_type) === undefined || fieldsOf(fieldsOf(node)?.inputs) === undefined,
  )
  for (const [id] of wrong) report(`graph.${id}`, 'must be an object with `class_type` and `inputs`')
  return wrong.length > 0 ? undefined : (graph as Record<string, GraphNode>)
}

/** `"6.inputs.text"`, or a list of such paths. */
function inputsOf(value: unknown, graph: Record<string, GraphNode>, report: ReportProblem): TemplateInputs | undefined {
  const inputs = value === undefined ? {} : fieldsOf(value)
  if (inputs === undefined) {
    report('inputs', 'must be an object')
    return undefined
  }
  const places: TemplateInputs = {}
  for (const [name, paths] of Object.entries(inputs)) {
    const known = inputNames.find((input) => input === name)
    if (known === undefined) {
      report(`inputs.${name}`, unknownName('input', name, inputNames))
      continue
    }
    places[known] = [paths].flat().flatMap((path): NodeInput[] => {
      const [, node = '', input = ''] = /^(.+)\.inputs\.([^.]+)$/.exec(String(path)) ?? []
      if (graph[node]) return [[node, input]]
      const problem =
        node === '' ? 'must be a path such as `6.inputs.text`' : `names node ${node}, which the graph doesn't have`
      report(`inputs.${name}`, `${JSON.stringify(path)} ${problem}`)
      return []
    })
  }
  return places
}

/** A graph supports only params that it has inputs for. The essential params of a capability must have an input. */
function traitsOf(
  capability: Capability,
  traits: ModelTraits,
  inputs: TemplateInputs,
  report: ReportProblem,
): ModelTraits {
  const has = (name: InputName) => (inputs[name]?.length ?? 0) > 0
  const imagesMax = inputs.images?.length || (has('image') ? 1 : 0)
  const needs: Partial<Record<Capability, InputName[]>> = { inpaint: ['mask'], generate: ['prompt'], write: ['prompt'] }
  for (const name of needs[capability] ?? [])
    if (!has(name)) report(`inputs.${name}`, `is required for ${capability}: the path of an input in the graph`)
  if (imagesMax === 0 && capability !== 'generate' && capability !== 'write')
    report('inputs.image', `is required for ${capability}: the path of an input in the graph`)
  const { sizes, aspectRatios, scales, ...rest } = traits
  if (sizes && !(has('width') && has('height'))) report('traits.sizes', 'requires `inputs.width` and `inputs.height`')
  if (aspectRatios && !has('aspectRatio')) report('traits.aspectRatios', 'requires `inputs.aspectRatio`')
  if (traits.seed && !has('seed')) report('traits.seed', 'requires `inputs.seed`')
  if (traits.prompt && !has('prompt')) report('traits.prompt', 'requires `inputs.prompt`')
  if ((traits.imagesMax ?? 0) > imagesMax)
    report('traits.imagesMax', 'must be at most the number of paths in `inputs.images`')
  return {
    ...rest,
    ...(has('width') && has('height') && { sizes: sizes ?? anySize }),
    ...(aspectRatios && { aspectRatios }),
    // A graph with a fixed scale needs no input for it.
    ...(scales && { scales }),
    seed: has('seed'),
    prompt: has('prompt'),
    imagesMax: traits.imagesMax ?? imagesMax,
  }
}

/** Latents have an eighth of the size of the image. */
const anySize = { free: { sideMin: 64, sideMax: 4096, step: 8 } }

function listed(values: Iterable<string>): string {
  return [...values].map((value) => `\`${value}\``).join(', ')
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'unknown'
}

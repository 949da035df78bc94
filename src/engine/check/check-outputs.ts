/** Checks `output` and `outputs`: their settings, the nodes that they name, and that no file is made twice. */
import { partsOfWire } from '../../../shared/names.ts'
import type { Reference } from '../../../shared/template/template.ts'
import { list } from '../../../shared/text.ts'
import { type Check, checker, joinPath } from '../../domain/validate.ts'
import { checkOutputOptions, OutputSettings } from '../../domain/workflows/output.ts'
import { checkNamedOutput, NamedOutputSettings, type OutputKind, outputKindOf } from '../../domain/workflows/outputs.ts'
import type { WorkflowDocument } from '../../domain/workflows/workflow.ts'
import type { Issue } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { fixOfNode, fixOfWire, missingNode, withoutImage } from './check-sockets.ts'
import type { CheckedNode, CheckedOutput } from './checked-workflow.ts'
import type { Lists } from './lists.ts'
import { wireProblem } from './used-workflow.ts'
import { parseTemplated } from './values.ts'
import { givesImage } from './wires.ts'

export interface ParsedOutputs {
  /** The primary one first. */
  outputs: [CheckedOutput, ...CheckedOutput[]]
  issues: Issue[]
  references: { at: string; found: Reference[]; text: string }[]
  overLimit: boolean
}

const checkPrimaryShape = checker(OutputSettings)
const checkPrimary: Check = (settings, at = '') => [
  ...checkPrimaryShape(settings, at),
  ...checkOutputOptions(settings as Record<string, unknown>, at),
]
const checkNamedShape = checker(NamedOutputSettings)
const namedChecks = Object.fromEntries(
  (['image', 'set', 'pdf'] as const).map((kind): [OutputKind, Check] => [
    kind,
    (settings, at = '') => [
      ...checkNamedShape(settings, at),
      ...checkNamedOutput(kind, settings as Record<string, unknown>, at),
    ],
  ]),
) as Record<OutputKind, Check>

export function parseOutputs(document: WorkflowDocument): ParsedOutputs {
  const { node: primaryNode, ...primarySettings } = document.output
  const primary = parseOutput({ name: undefined, at: 'output', nodes: [primaryNode], kind: 'image' }, primarySettings)
  const all: ParsedOutputs = { ...primary, outputs: [primary.output] }
  for (const [name, { node, ...settings }] of Object.entries(document.outputs ?? {})) {
    if (all.issues.length >= limits.issuesMax) break
    const kind = outputKindOf(settings)
    const at = `outputs.${name}`
    const parsed = parseOutput({ name, at, nodes: [node].flat(), kind }, settings)
    all.outputs.push(parsed.output)
    all.issues.push(...parsed.issues)
    all.references.push(...parsed.references)
    all.overLimit ||= parsed.overLimit
    if (Array.isArray(node) && kind !== 'pdf')
      all.issues.push({
        path: `${at}.node`,
        message:
          'must be one node id, not a list: only a PDF has pages. Set `format: pdf`, or add an output for each node.',
      })
  }
  all.issues.push(...sameFiles(all.outputs), ...tooManyFiles(all.outputs))
  return all
}

function parseOutput(
  { kind, ...about }: Pick<CheckedOutput, 'name' | 'at' | 'nodes' | 'kind'>,
  settings: Record<string, unknown>,
) {
  const { at, name, nodes } = about
  const schema = name === undefined ? OutputSettings : NamedOutputSettings
  const checkSettings = name === undefined ? checkPrimary : namedChecks[kind]
  const { parsed, issues, overLimit } = parseTemplated(settings, schema, checkSettings, at)
  const ids = nodes.map((wire) => partsOfWire(wire).node)
  const output: CheckedOutput = {
    ...about,
    kind,
    node: ids[0] ?? '',
    nodes: ids,
    wires: nodes,
    settings: parsed,
    checkSettings,
  }
  const references = parsed.templates.map(({ path, template }) => ({
    at: joinPath(at, path),
    found: template.references,
    text: template.text,
  }))
  return { output, issues, references, overLimit }
}

/** Files that are the same before templates are rendered. */
function sameFiles(outputs: readonly CheckedOutput[]): Issue[] {
  const known = new Map<string, string>()
  return outputs.flatMap(({ at, wires, settings: { values } }) => {
    const file = JSON.stringify([wires, Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1))])
    const first = known.get(file)
    known.set(file, first ?? at)
    return first === undefined
      ? []
      : [{ path: at, message: `is the same file as "${first}". Remove one of them, or change a setting.` }]
  })
}

function tooManyFiles(outputs: readonly CheckedOutput[]): Issue[] {
  return filesIssue(outputs.map(({ settings }) => settings.values))
}

/** The number of files of outputs. A template counts as one. */
export function countFiles(settings: readonly Record<string, unknown>[]): number {
  const countOf = (values: unknown) => (Array.isArray(values) ? values.length : 1)
  return settings.reduce((sum, { widths, formats }) => sum + countOf(widths) * countOf(formats), 0)
}

/** The issue of outputs with more files than an execution stores. */
export function filesIssue(settings: readonly Record<string, unknown>[]): Issue[] {
  const count = countFiles(settings)
  if (count <= limits.outputFilesMax) return []
  const message = `must have at most ${limits.outputFilesMax} files together with "output", not ${count}. Remove widths, formats or outputs.`
  return [{ path: 'outputs', message }]
}

/** The nodes of outputs that don't exist, have no image, or a list of images where one is needed. */
export function outputNodeIssues(
  outputs: readonly CheckedOutput[],
  { document, nodes, lists }: { document: WorkflowDocument; nodes: ReadonlyMap<string, CheckedNode>; lists: Lists },
): Issue[] {
  return outputs.flatMap(({ at, name, nodes: named, wires, kind }) => {
    const isList = name !== undefined && Array.isArray(document.outputs?.[name]?.node)
    return named.flatMap((id, i): Issue[] => {
      const path = isList ? `${at}.node.${i}` : `${at}.node`
      if (!Object.hasOwn(document.nodes, id))
        return [{ path, message: missingNode(id, document), ...fixOfNode(id, document, nodes) }]
      const node = nodes.get(id)
      const operation = node?.operation
      const problem = node && wireProblem(wires[i] ?? id, node.used)
      if (problem) return [{ path, message: problem }]
      if (operation && !givesImage(operation))
        return [{ path, message: withoutImage(id, operation), ...fixOfWire(document, nodes) }]
      if (!lists.has(id) || kind === 'pdf') return []
      const origins = list([...(lists.get(id) ?? [])])
      const instead = name === undefined ? '' : ', or set "format" to "pdf" for a page for each image'
      return [
        {
          path,
          message: `names a list of images (\`each\` of ${origins}), but the output is one image. Add a "choose" node, or combine the images with "grid", "stack", "montage" or "animate"${instead}.`,
        },
      ]
    })
  })
}

/** Outputs that would have no image. A PDF needs one page, and leaves out those without an image. */
export function emptyOutputIssues(
  outputs: readonly CheckedOutput[],
  nodes: ReadonlyMap<string, CheckedNode>,
  order: readonly string[],
): Issue[] {
  const empty = emptyNodes(nodes, order)
  return outputs.flatMap(({ at, name, nodes: named }) => {
    if (!named.every((id) => empty.has(id))) return []
    const [first = ''] = named
    const consequence = name === undefined ? 'the workflow would have no output' : 'the output would have no image'
    return [
      {
        path: `${at}.node`,
        message: nodes.get(first)?.choice
          ? `can choose the image of a node that is skipped and has no image, so ${consequence}. Connect an input to that node, or remove its \`when\`.`
          : `has no image to pass on if its \`when\` is false, so ${consequence}. Connect an input, or remove \`when\`.`,
      },
    ]
  })
}

/**
 * Nodes that may have no image: nodes that may be skipped (by their `when`, or because a required input may be empty) and whose
 * first input may be empty too.
 */
function emptyNodes(nodes: ReadonlyMap<string, CheckedNode>, order: readonly string[]): Set<string> {
  const empty = new Set<string>()
  for (const id of order) {
    const node = nodes.get(id)
    if (node === undefined) continue
    const starved = Object.entries(node.inputs).some(
      ([name, sources]) =>
        node.operation.inputs[name]?.required === true && sources.every((source) => empty.has(source)),
    )
    const first = Object.values(node.inputs).flat()[0]
    // The image that it chooses can be any of them.
    if (node.choice && node.inputs[node.choice.socket]?.some((source) => empty.has(source))) empty.add(id)
    if (node.used && Object.values(node.inputs).some((sources) => sources.some((source) => empty.has(source))))
      empty.add(id)
    if ((node.when !== true || starved) && (first === undefined || empty.has(first))) empty.add(id)
  }
  return empty
}

/** Edits of the outputs next to the primary one, as recipes for `change` of the document store. */
import { outputNamePattern } from '../../../../shared/names.ts'
import type { NamedOutput, WorkflowDocument } from '../../api/workflow-document.ts'
import { addNode } from './edits.ts'
import { freeName } from './free-name.ts'

/** A size that many services expect, with the node and the output that make it. */
export interface Preset {
  name: string
  title: string
  width: number
  height: number
}

export const presets: readonly Preset[] = [
  { name: 'link-preview', title: 'Link preview', width: 1200, height: 630 },
  { name: 'story', title: 'Story', width: 1080, height: 1920 },
  { name: 'square', title: 'Square', width: 1080, height: 1080 },
  { name: 'pin', title: 'Pin', width: 1000, height: 1500 },
  { name: 'wide', title: 'Wide', width: 1600, height: 900 },
  { name: 'display-ad', title: 'Display ad', width: 300, height: 250 },
]

/** The kind of an output, as in src/domain/workflows/outputs.ts. */
export type OutputKind = 'image' | 'set' | 'pdf'

export function outputKindOf({ format, widths, formats }: NamedOutput): OutputKind {
  if (format === 'pdf') return 'pdf'
  return widths === undefined && formats === undefined ? 'image' : 'set'
}

/** Widths from a phone to a wide screen with two pixels per CSS pixel. */
const widthsAtFirst = [480, 960, 1440, 1920]
/** The settings of a new output of each kind, and the name that it gets. */
const kinds: Readonly<Record<OutputKind, { name: string; settings: NamedOutput }>> = {
  // A smaller copy: without a setting, it would be the same file as the primary output.
  image: { name: 'small', settings: { width: 600 } },
  set: { name: 'photo', settings: { widths: widthsAtFirst, formats: ['avif', 'webp', 'jpeg'] } },
  pdf: { name: 'document', settings: { format: 'pdf', pageSize: 'A4' } },
}

const namePattern = new RegExp(outputNamePattern)

/** Why the name is not possible; undefined if it is. */
export function outputNameProblem(document: WorkflowDocument, name: string): string | undefined {
  if (!namePattern.test(name))
    return 'A name starts with a letter a-z, followed by a-z, 0-9, _ or -. It has at most 64 characters.'
  return Object.hasOwn(document.outputs ?? {}, name) ? `An output ${name} already exists.` : undefined
}

/** Adds an output of the image that the primary output has. Returns its name. */
export function addOutput(document: WorkflowDocument, kind: OutputKind): string {
  const { name, settings } = kinds[kind]
  return add(document, name, { ...sourceOf(document), ...structuredClone(settings) })
}

/** Adds an output with a node that crops the image of the primary output to the size. Returns its name. */
export function addPreset(document: WorkflowDocument, preset: Preset): string {
  const { name, width, height } = preset
  const source = presetSource(document, preset)
  const node = addNode(document, {
    id: name,
    type: 'resize',
    ...(source === undefined ? {} : { inputs: { image: source } }),
    params: { width, height, fit: 'cover', position: 'attention' },
  })
  return add(document, name, { node })
}

/** Operations that only cut or scale, to the size in their params. */
const cutting: readonly string[] = ['crop', 'resize', 'smart-crop']

/** The image of the primary output, or the one that it was cut from, if it is too small for the size. */
function presetSource(document: WorkflowDocument, { width, height }: Preset): string | undefined {
  const seen = new Set<string>()
  const isTooSmall = (size: unknown, wanted: number) => typeof size === 'number' && size < wanted
  let source = document.output?.node
  while (source !== undefined && !seen.has(source)) {
    seen.add(source)
    const { type = '', inputs = {}, params = {} } = document.nodes[source] ?? {}
    const { image } = inputs
    if (!cutting.includes(type) || typeof image !== 'string') break
    if (!isTooSmall(params.width, width) && !isTooSmall(params.height, height)) break
    source = image
  }
  return source
}

function sourceOf({ output }: WorkflowDocument): NamedOutput {
  return output?.node === undefined ? {} : { node: output.node }
}

function add(document: WorkflowDocument, preferred: string, output: NamedOutput): string {
  const name = freeName(preferred, (candidate) => Object.hasOwn(document.outputs ?? {}, candidate))
  document.outputs = { ...document.outputs, [name]: output }
  return name
}

/** Returns the problem; undefined if it succeeded. */
export function renameOutput(document: WorkflowDocument, from: string, to: string): string | undefined {
  if (from === to || document.outputs === undefined) return undefined
  const problem = outputNameProblem(document, to)
  if (problem !== undefined) return problem
  const renamed = Object.entries(document.outputs).map(([name, output]) => [name === from ? to : name, output])
  document.outputs = Object.fromEntries(renamed)
  return undefined
}

export function removeOutput(document: WorkflowDocument, name: string): void {
  const { [name]: _, ...others } = document.outputs ?? {}
  if (Object.keys(others).length > 0) document.outputs = others
  else delete document.outputs
}

/** Makes another kind of file. Settings that it does not have are removed: `names` are those that it has. */
export function setOutputKind(
  document: WorkflowDocument,
  name: string,
  kind: OutputKind,
  names: readonly string[],
): void {
  const output = document.outputs?.[name]
  if (output === undefined || outputKindOf(output) === kind) return
  const { node, format, ...settings } = output
  const kept = Object.entries({ format: format === 'pdf' ? undefined : format, ...settings }).filter(
    ([setting, value]) => value !== undefined && names.includes(setting),
  )
  const source = kind === 'pdf' ? node : [node].flat()[0]
  document.outputs = {
    ...document.outputs,
    [name]: {
      ...(source === undefined ? {} : { node: source }),
      ...Object.fromEntries(kept),
      ...(kind === 'image' ? {} : structuredClone(kinds[kind].settings)),
    },
  }
}

/** The SVG that is imported, and the document that it becomes. */
import { type Canvas, canvasOf } from './canvas.ts'
import { definitionsOf, type ElementsById } from './definitions.ts'
import { uniqueNames } from './layer-names.ts'
import { chooseInSwitches, resolveTransforms, type Unsupported } from './prepare.ts'
import { elementsIn, readSvg, type SvgElement } from './read-svg.ts'
import { type Rules, rulesOf } from './styles.ts'
import { expandUses } from './uses.ts'

/** The SVG, with what several layers need of it. */
export interface Source {
  root: SvgElement
  rules: Rules
  canvas: Canvas
  byId: ElementsById
  unsupported: Unsupported
  /** The outermost definitions, and all elements in them. */
  definitions: readonly SvgElement[]
  defined: ReadonlySet<SvgElement>
}

export interface ImportedImage {
  /** The value in the document until the image is uploaded. */
  placeholder: string
  fileName: string
  type: string
  base64: string
}

export interface ReportRow {
  layer: string
  became: string
  /** Differences, and what to do. */
  note: string
}

/** The document as far as layers were added to it. */
export interface Draft {
  parameters: Record<string, unknown>[]
  images: ImportedImage[]
  report: ReportRow[]
  nodes: Record<string, unknown>
  /** Lines of the node `card`. */
  html: string[]
  css: string[]
  /** Nodes whose images the node `card` draws. */
  wires: string[]
  /** Return a name that is not used yet. */
  nodeIds: (stem: string) => string
  parameterNames: (stem: string) => string
}

export function sourceOf(text: string): Source {
  const root = readSvg(text)
  const unsupported = chooseInSwitches(root)
  const rules = rulesOf(root)
  const canvas = canvasOf(root)
  const byId = elementsById(root)
  unsupported.push(...resolveTransforms(root, rules))
  expandUses(root, byId, rules)
  const definitions = [...definitionsOf(root)]
  return {
    root,
    rules,
    canvas,
    byId,
    unsupported,
    definitions,
    defined: new Set(definitions.flatMap((each) => [...elementsIn(each)])),
  }
}

/** Elements by id: the first of equal ids counts, as in browsers. */
function elementsById(root: SvgElement): ElementsById {
  const byId = new Map<string, SvgElement>()
  for (const element of elementsIn(root)) {
    const { id } = element.attributes
    if (id && !byId.has(id)) byId.set(id, element)
  }
  return byId
}

export function emptyDraft({ width, height }: Canvas): Draft {
  const nodeIds = uniqueNames()
  nodeIds('card')
  return {
    parameters: [],
    images: [],
    report: [],
    nodes: {},
    html: [],
    css: [
      `body { width: ${width}px; height: ${height}px; position: relative; overflow: hidden }`,
      'img, div { position: absolute; white-space: pre }',
      `.shapes { left: 0; top: 0; width: ${width}px; height: ${height}px }`,
    ],
    wires: [],
    nodeIds,
    parameterNames: uniqueNames(),
  }
}

/** Adds the CSS of one element of the card. */
export function addStyle({ css }: Draft, id: string, style: Record<string, string>): void {
  const declarations = Object.entries(style).map(([key, value]) => `${key}: ${value}`)
  css.push(`#${id} { ${declarations.join('; ')} }`)
}

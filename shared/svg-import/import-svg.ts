/**
 * Converts an SVG to a workflow document: texts and images become elements of one `html` node, with parameters for those with a name,
 * and the shapes between them become `svg` nodes, in the same order.
 */
import { addStyle, type Draft, emptyDraft, type ImportedImage, type ReportRow, type Source, sourceOf } from './draft.ts'
import { addImage } from './image-layer.ts'
import { asName, idOf, nameOf } from './layer-names.ts'
import { layersOf, textShadowsOf } from './layers.ts'
import { escapeLiquid } from './liquid.ts'
import { elementsIn, hasOwnText, type SvgElement } from './read-svg.ts'
import { addShapes, noteShape } from './shape-nodes.ts'
import { isBlended } from './styles.ts'
import { SvgProblem } from './svg-problem.ts'
import { textLayer } from './text-layer.ts'
import { escapeXml } from './write-svg.ts'

export interface ImportedSvg {
  document: {
    name: string
    description: string
    parameters: Record<string, unknown>[]
    nodes: Record<string, unknown>
    output: Record<string, unknown>
  }
  images: ImportedImage[]
  report: ReportRow[]
}

const layersMax = 150

/** Throws `SvgProblem` if the file is not an SVG that can be imported. */
export function importSvg(text: string, name: string): ImportedSvg {
  const source = sourceOf(text)
  const draft = emptyDraft(source.canvas)
  addLayers(source, draft)
  noteStyleSheets(source, draft)
  noteUnsupported(source, draft)
  const { parameters, nodes, html, css, wires, images, report } = draft
  const { width, height } = source.canvas
  nodes.card = {
    type: 'html',
    ...(wires.length > 0 && { inputs: { images: wires } }),
    params: { html: html.join('\n'), css: css.join('\n'), width, height },
  }
  const output = { node: 'card', format: 'png' }
  return { document: { name, description: 'Imported from an SVG.', parameters, nodes, output }, images, report }
}

/** Adds the layers in the order of drawing. */
function addLayers(source: Source, draft: Draft): void {
  const { root, canvas, byId, rules } = source
  let shapes = new Set<SvgElement>()
  for (const layer of layersOf(root, canvas, byId, rules)) {
    const { leaf, image, effect } = layer
    if (layer.becomes === 'shape') {
      shapes.add(leaf)
      noteShape(layer, source, draft)
      continue
    }
    addShapes(shapes, source, draft)
    shapes = new Set()
    if (draft.html.length > layersMax)
      throw new SvgProblem(`The SVG has more than ${layersMax} layers of texts and images, the maximum. Flatten some.`)
    const notes = isBlended(leaf, rules) ? ['its blend mode is not supported'] : []
    if (image === undefined) addText(leaf, notes, source, draft)
    else
      addImage(leaf, image, effect === undefined ? notes : [...notes, `its ${effect} is not supported`], source, draft)
  }
  addShapes(shapes, source, draft)
}

/** Adds a row to the report for each element that is drawn without a feature, and each name that no layer has. */
function noteUnsupported({ root, rules, unsupported }: Source, { report }: Draft): void {
  for (const [element, feature] of unsupported.slice(0, rowsMax))
    report.push({
      layer: nameOf(element, rules) ?? element.name,
      became: 'left out',
      note: `${feature} is not supported`,
    })
  const reported = new Set(report.map(({ layer }) => layer))
  const names = [...elementsIn(root)].flatMap(({ attributes }) => attributes['data-param'] ?? [])
  for (const name of [...new Set(names)].slice(0, rowsMax))
    if (!reported.has(name.trim()))
      report.push({
        layer: name,
        became: 'left out',
        note: 'data-param is for one text, image or shape: set it on each',
      })
}

const rowsMax = 20

/** Adds a row to the report for each selector and at-rule that is not applied. */
function noteStyleSheets({ rules: { leftOut } }: Source, { report }: Draft): void {
  for (const text of [...leftOut].slice(0, rowsMax)) {
    const layer = text.length > 40 ? `${text.slice(0, 40)}…` : text
    const fix = text === '@font-face' ? 'Upload the font' : 'Set the properties on the elements'
    report.push({ layer, became: 'left out', note: `this part of the style sheet is not supported. ${fix}` })
  }
  if (leftOut.size > rowsMax)
    report.push({
      layer: 'style sheet',
      became: 'left out',
      note: `${leftOut.size - rowsMax} other parts are not supported`,
    })
}

/** The part with all words of the text, which can have its own name. */
function onlyPartOf(element: SvgElement): SvgElement {
  const parts = element.children.filter((child) => typeof child !== 'string')
  const [part] = parts
  return part !== undefined && parts.length === 1 && !hasOwnText(element) ? onlyPartOf(part) : element
}

/** An element of the HTML, and its parameter if it has a name. */
function addText(element: SvgElement, notes: readonly string[], { canvas, byId, rules }: Source, draft: Draft): void {
  const layer = textLayer(element, canvas.matrix, rules, textShadowsOf(element, byId, rules))
  const label = nameOf(onlyPartOf(element), rules)
  const id = draft.nodeIds(idOf(label ?? 'text'))
  const parameter = label === undefined ? undefined : draft.parameterNames(asName(label))
  addStyle(draft, id, layer.style)
  draft.html.push(
    `<div id="${id}">${parameter === undefined ? escapeLiquid(escapeXml(layer.text)) : `{{ ${parameter} }}`}</div>`,
  )
  if (parameter !== undefined)
    draft.parameters.push({
      name: parameter,
      type: 'string',
      default: layer.text,
      description: `Text of the layer ${JSON.stringify(label)}.`,
    })
  draft.report.push({
    layer: label ?? layer.text.slice(0, 40),
    became: parameter === undefined ? 'text' : `parameter ${parameter}`,
    note: [
      ...(parameter === undefined ? ['without a name: give the layer an id or data-param to make it a parameter'] : []),
      ...layer.notes,
      ...notes,
    ].join('; '),
  })
}

/** Nodes with the shapes between two texts or images. */
import { isDefinition, referencesOf } from './definitions.ts'
import type { Draft, Source } from './draft.ts'
import { asName, explicitNameOf, nameOf } from './layer-names.ts'
import { type Layer, withoutImages } from './layers.ts'
import { elementsIn, type SvgElement } from './read-svg.ts'
import { inherited, isBlended } from './styles.ts'
import { SvgProblem } from './svg-problem.ts'
import { isDropped, writeAround, writeAttributes, writeSvg } from './write-svg.ts'

const svgCharsMax = 262_144

/** Adds an `svg` node, which has all elements of the file except those of other layers. */
export function addShapes(shapes: ReadonlySet<SvgElement>, source: Source, draft: Draft): void {
  const { root, rules, canvas, byId, definitions, defined } = source
  if (shapes.size === 0) return
  const id = draft.nodeIds('shapes')
  const body = root.children.map((child) => writeKept(child, shapes)).join('')
  const kept = Object.entries(root.attributes).filter(([key]) =>
    /^(id$|preserveAspectRatio$|fill|stroke|color|font|opacity|style|class)/.test(key),
  )
  const size = `width="${canvas.width}" height="${canvas.height}" viewBox="${canvas.viewBox}"${writeAttributes(Object.fromEntries(kept))}`
  const references = referencesOf(shapes, byId, rules)
  const needed = new Set([...references].flatMap((each) => [...elementsIn(each)]))
  const unneeded = new Set([...defined].filter((each) => each.name === 'image' && !needed.has(each)))
  const defs = [...definitions, ...drawnElsewhere(shapes, references, defined)]
    .map((each) => writeSvg(withoutImages(each, unneeded)))
    .join('')
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${size}>${defs}${body}</svg>`
  if (svg.length > svgCharsMax)
    throw new SvgProblem(
      `The shapes of one layer have ${svg.length} characters; the maximum is ${svgCharsMax}. Simplify the paths, or export them as an image.`,
    )
  draft.nodes[id] = { type: 'svg', params: { svg } }
  draft.wires.push(id)
  draft.html.push(`<img class="shapes" src="node:${id}" alt="">`)
  draft.report.push({ layer: id, became: `svg (${shapes.size} ${shapes.size === 1 ? 'shape' : 'shapes'})`, note: '' })
}

/** Shapes of other layers that shapes of this layer repeat with `use`. */
function drawnElsewhere(
  shapes: ReadonlySet<SvgElement>,
  references: ReadonlySet<SvgElement>,
  defined: ReadonlySet<SvgElement>,
): SvgElement[] {
  const kept = new Set([...shapes].flatMap((each) => [...elementsIn(each)]))
  const isWritten = (part: SvgElement) => defined.has(part) || kept.has(part)
  // A group that has a written part, such as the root, is written with it.
  const missing = [...references].filter((each) => ![...elementsIn(each)].some(isWritten))
  const inOthers = new Set(missing.flatMap((each) => [...elementsIn(each)].slice(1)))
  const children = missing.filter((each) => !inOthers.has(each))
  return children.length > 0 ? [{ name: 'defs', attributes: {}, children, parent: undefined }] : []
}

/** Adds a row to the report, and the parameter of a colour. */
export function noteShape({ leaf, image, effect }: Layer, { rules }: Source, draft: Draft): void {
  const explicit = explicitNameOf(leaf, rules)
  const fill = explicit === undefined ? '' : (inherited(leaf, 'fill', rules) ?? 'black')
  if (effect !== undefined) {
    const what = image === undefined ? 'text' : 'image'
    const font = image === undefined ? '. It is drawn in a font of the machine' : ''
    const note = `the ${what} stays in the SVG, because it has a ${effect}${font}`
    draft.report.push({ layer: nameOf(leaf, rules) ?? what, became: 'svg', note })
  } else if (explicit !== undefined && /^(none|url\(|currentcolor|context-)/i.test(fill)) {
    const note = `its fill (${fill}) is not a colour, so it is not a parameter`
    draft.report.push({ layer: explicit, became: 'svg', note })
  } else if (explicit !== undefined) {
    const parameter = draft.parameterNames(asName(explicit))
    draft.parameters.push({
      name: parameter,
      type: 'string',
      format: 'color',
      default: fill,
      description: `Colour of the layer ${JSON.stringify(explicit)}.`,
    })
    leaf.fillParameter = parameter
    draft.report.push({ layer: explicit, became: `parameter ${parameter}`, note: 'the colour of the shape' })
  } else if (isBlended(leaf, rules)) {
    const note = 'its blend mode only affects shapes of the same svg node'
    draft.report.push({ layer: nameOf(leaf, rules) ?? leaf.name, became: 'svg', note })
  } else if (isOutlinedText(leaf)) {
    draft.report.push({
      layer: nameOf(leaf, rules) ?? leaf.attributes['aria-label'] ?? 'path',
      became: 'svg',
      note: 'this may be outlined text, which stays an image. Export the text as text to make it a parameter',
    })
  }
}

function writeKept(child: SvgElement | string, kept: ReadonlySet<SvgElement>): string {
  if (typeof child === 'string' || isDropped(child) || isDefinition(child)) return ''
  if (kept.has(child)) return writeSvg(child)
  const inner = child.children.map((grandchild) => writeKept(grandchild, kept)).join('')
  return inner === '' ? '' : writeAround(child, inner)
}

/** More subpaths than an icon has. */
function isOutlinedText({ name, attributes }: SvgElement): boolean {
  if (name !== 'path') return false
  return attributes['aria-label'] !== undefined || (attributes.d?.match(/[Mm]/g)?.length ?? 0) >= 8
}

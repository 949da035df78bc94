/**
 * Converts an SVG to a workflow document: texts and images become elements of one `html` node, with parameters for those with a name,
 * and the shapes between them become `svg` nodes, in the same order.
 */
import { parameterNamePattern, reservedParameterNames } from '../names.ts'
import { type Canvas, definitionsOf, isDefinition, referencesOf } from './definitions.ts'
import { lengthOf, multiply, numbersIn, rounded } from './geometry.ts'
import { hasSeveralLeaves, type Layer, layersOf, type PlacedImage, withoutImages } from './layers.ts'
import { elementsIn, escapeXml, isDropped, readSvg, type SvgElement, SvgProblem, writeSvg } from './read-svg.ts'
import { inherited, isBlended, opacityOf, type Rules, rulesOf } from './styles.ts'
import { matrixOf, textLayer } from './text-layer.ts'

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

const sideMax = 16_384
const layersMax = 150
const svgCharsMax = 262_144

export function importSvg(text: string, name: string): ImportedSvg {
  const root = readSvg(text)
  const rules = rulesOf(root)
  const { canvas, viewBox } = sizeOf(root)
  const { width, height } = canvas
  const byId = new Map(
    [...elementsIn(root)].flatMap((element) =>
      element.attributes.id ? [[element.attributes.id, element] as const] : [],
    ),
  )
  const parameters: Record<string, unknown>[] = []
  const images: ImportedImage[] = []
  const report: ReportRow[] = []
  const nodes: Record<string, unknown> = {}
  const html: string[] = []
  const css: string[] = [
    `body { width: ${width}px; height: ${height}px; position: relative; overflow: hidden }`,
    'img, div { position: absolute; white-space: pre }',
    `.shapes { left: 0; top: 0; width: ${width}px; height: ${height}px }`,
  ]
  const wires: string[] = []
  const nodeIds = uniqueNames()
  nodeIds('card')
  const parameterNames = uniqueNames()
  const definitions = [...definitionsOf(root)]
  const defined = new Set(definitions.flatMap((each) => [...elementsIn(each)]))
  const layers = layersOf(root, canvas, byId, rules)

  /** A shape layer has all elements except the hidden ones. */
  const flush = (shapes: ReadonlySet<SvgElement>) => {
    if (shapes.size === 0) return
    const id = nodeIds('shapes')
    const body = root.children.map((child) => writeKept(child, shapes)).join('')
    const inheritedText = Object.entries(root.attributes).flatMap(([key, value]) =>
      /^(fill|stroke|color|font|opacity|style|class)/.test(key) ? [` ${key}="${escapeXml(value)}"`] : [],
    )
    const size = `width="${width}" height="${height}" viewBox="${viewBox}"${escapeLiquid(inheritedText.join(''))}`
    const references = referencesOf(shapes, byId, rules)
    const needed = new Set([...references].flatMap((each) => [...elementsIn(each)]))
    const unneeded = new Set([...defined].filter((each) => each.name === 'image' && !needed.has(each)))
    const defs = [...definitions, ...drawnElsewhere(shapes, references)]
      .map((each) => writeSvg(withoutImages(each, unneeded)))
      .join('')
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${size}>${escapeLiquid(defs)}${body}</svg>`
    if (svg.length > svgCharsMax)
      throw new SvgProblem(
        `The shapes of one layer have ${svg.length} characters; the maximum is ${svgCharsMax}. Simplify the paths, or export them as an image.`,
      )
    nodes[id] = { type: 'svg', params: { svg } }
    wires.push(id)
    html.push(`<img class="shapes" src="node:${id}" alt="">`)
    report.push({ layer: id, became: `svg (${shapes.size} ${shapes.size === 1 ? 'shape' : 'shapes'})`, note: '' })
  }
  let shapes = new Set<SvgElement>()
  for (const layer of layers) {
    const { leaf, image, effect } = layer
    if (layer.becomes === 'shape') {
      shapes.add(leaf)
      noteShape(layer)
      continue
    }
    flush(shapes)
    shapes = new Set()
    if (html.length > layersMax)
      throw new SvgProblem(`The SVG has more than ${layersMax} layers of texts and images, the maximum. Flatten some.`)
    const notes = isBlended(leaf, rules) ? ['its blend mode is not supported'] : []
    if (image === undefined) addText(leaf, notes)
    else addImage(leaf, image, effect === undefined ? notes : [...notes, `its ${effect} is not supported`])
  }
  flush(shapes)
  nodes.card = {
    type: 'html',
    ...(wires.length > 0 && { inputs: { images: wires } }),
    params: { html: html.join('\n'), css: css.join('\n'), width, height },
  }
  const document = {
    name,
    description: 'Imported from an SVG.',
    parameters,
    nodes,
    output: { node: 'card', format: 'png' },
  }
  return { document, images, report }

  /** Shapes of other layers that shapes of this layer repeat with `use`. */
  function drawnElsewhere(shapes: ReadonlySet<SvgElement>, references: ReadonlySet<SvgElement>): SvgElement[] {
    const kept = new Set([...shapes].flatMap((each) => [...elementsIn(each)]))
    const isWritten = (part: SvgElement) => defined.has(part) || kept.has(part)
    // A group that has a written part, such as the root, is written with it.
    const missing = [...references].filter((each) => ![...elementsIn(each)].some(isWritten))
    const inOthers = new Set(missing.flatMap((each) => [...elementsIn(each)].slice(1)))
    const children = missing.filter((each) => !inOthers.has(each))
    return children.length > 0 ? [{ name: 'defs', attributes: {}, children, parent: undefined }] : []
  }

  function addText(element: SvgElement, notes: readonly string[]): void {
    const layer = textLayer(element, canvas.matrix, rules)
    const label = nameOf(element, rules)
    const id = nodeIds(idOf(label ?? 'text'))
    const parameter = label === undefined ? undefined : parameterNames(asName(label))
    css.push(
      `#${id} { ${Object.entries(layer.style)
        .map(([key, value]) => `${key}: ${value}`)
        .join('; ')} }`,
    )
    html.push(
      `<div id="${id}">${parameter === undefined ? escapeLiquid(escapeXml(layer.text)) : `{{ ${parameter} }}`}</div>`,
    )
    if (parameter !== undefined)
      parameters.push({
        name: parameter,
        type: 'string',
        default: layer.text,
        description: `Text of the layer ${JSON.stringify(label)}.`,
      })
    report.push({
      layer: label ?? layer.text.slice(0, 40),
      became: parameter === undefined ? 'text' : `parameter ${parameter}`,
      note: [
        ...(parameter === undefined
          ? ['without a name: give the layer an id or data-param to make it a parameter']
          : []),
        ...layer.notes,
        ...notes,
      ].join('; '),
    })
  }

  function addImage(element: SvgElement, { href, fit, data }: PlacedImage, notes: readonly string[]): void {
    const label = nameOf(element, rules) ?? nameOf(data, rules) ?? 'image'
    const parameter = parameterNames(asName(label))
    const id = nodeIds(idOf(label))
    const matrix = multiply(canvas.matrix, matrixOf(element))
    const [x = 0, y = 0, w = 0, h = 0] = ['x', 'y', 'width', 'height'].map(
      (key) => lengthOf(element.attributes[key]) ?? 0,
    )
    const isPlain = Math.abs(matrix[1]) < 1e-6 && Math.abs(matrix[2]) < 1e-6 && matrix[0] > 0 && matrix[3] > 0
    const [, type, base64] = /^data:(image\/(?:png|jpe?g|webp|gif));base64,([A-Za-z0-9+/=\s]+)$/.exec(href) ?? []
    const isRound = element.name === 'circle' || element.name === 'ellipse'
    const [cx, cy, rx = 0, ry = rx] = ['cx', 'cy', 'rx', 'ry'].map((key) => lengthOf(element.attributes[key]))
    const r = lengthOf(element.attributes.r)
    const box = isRound
      ? { x: (cx ?? 0) - (r ?? rx), y: (cy ?? 0) - (r ?? ry), w: 2 * (r ?? rx), h: 2 * (r ?? ry) }
      : { x, y, w, h }
    const radius = isRound ? '50%' : rx > 0 ? `${rounded(rx * (isPlain ? matrix[0] : 1))}px` : undefined
    const style = {
      left: isPlain ? `${rounded(matrix[0] * box.x + matrix[4])}px` : `${rounded(box.x)}px`,
      top: isPlain ? `${rounded(matrix[3] * box.y + matrix[5])}px` : `${rounded(box.y)}px`,
      width: `${rounded(box.w * (isPlain ? matrix[0] : 1))}px`,
      height: `${rounded(box.h * (isPlain ? matrix[3] : 1))}px`,
      'object-fit': fit,
      ...(radius && { 'border-radius': radius }),
      ...(opacityOf(element, rules) < 1 && { opacity: String(rounded(opacityOf(element, rules))) }),
      ...(!isPlain && {
        transform: `matrix(${matrix.map((number) => rounded(number, 4)).join(', ')})`,
        'transform-origin': `${rounded(-box.x)}px ${rounded(-box.y)}px`,
      }),
    }
    css.push(
      `#${id} { ${Object.entries(style)
        .map(([key, value]) => `${key}: ${value}`)
        .join('; ')} }`,
    )
    html.push(`<img id="${id}" src="node:${id}" alt="">`)
    nodes[id] = { type: 'image', params: { source: `{{ ${parameter} }}` } }
    wires.push(id)
    const declared = {
      name: parameter,
      type: 'string',
      format: 'image',
      description: `Image of the layer ${JSON.stringify(label)}.`,
    }
    if (type !== undefined && base64 !== undefined) {
      const placeholder = `./${parameter}.${type === 'image/jpg' || type === 'image/jpeg' ? 'jpg' : type.slice(6)}`
      images.push({ placeholder, fileName: placeholder.slice(2), type, base64: base64.replaceAll(/\s/g, '') })
      parameters.push({ ...declared, default: placeholder })
    } else parameters.push({ ...declared, required: true })
    report.push({
      layer: label,
      became: `parameter ${parameter}`,
      note: [
        ...(type === undefined
          ? ['the image is not embedded as PNG, JPEG, WebP or GIF: pass it with each execution']
          : []),
        ...notes,
      ].join('; '),
    })
  }

  function noteShape({ leaf, image, effect }: Layer): void {
    const explicit = leaf.attributes['data-param']
    const fill = explicit === undefined ? '' : (inherited(leaf, 'fill', rules) ?? 'black')
    if (effect !== undefined) {
      const what = image === undefined ? 'text' : 'image'
      const note = `the ${what} stays in the SVG, because it has a ${effect}`
      report.push({ layer: nameOf(leaf, rules) ?? what, became: 'svg', note })
    } else if (explicit !== undefined && /^(none|url\(|currentcolor|context-)/i.test(fill)) {
      const note = `its fill (${fill}) is not a colour, so it is not a parameter`
      report.push({ layer: explicit, became: 'svg', note })
    } else if (explicit !== undefined) {
      const parameter = parameterNames(asName(explicit))
      parameters.push({
        name: parameter,
        type: 'string',
        format: 'color',
        default: fill,
        description: `Colour of the layer ${JSON.stringify(explicit)}.`,
      })
      leaf.attributes.fill = `\ue000${parameter}\ue000`
      if (leaf.attributes.style) leaf.attributes.style = leaf.attributes.style.replace(/(^|;)\s*fill\s*:[^;]*/, '$1')
      delete leaf.attributes.class
      report.push({ layer: explicit, became: `parameter ${parameter}`, note: 'the colour of the shape' })
    } else if (isBlended(leaf, rules)) {
      const note = 'its blend mode only affects shapes of the same svg node'
      report.push({ layer: nameOf(leaf, rules) ?? leaf.name, became: 'svg', note })
    } else if (isOutlinedText(leaf)) {
      report.push({
        layer: nameOf(leaf, rules) ?? leaf.attributes['aria-label'] ?? 'path',
        became: 'svg',
        note: 'this may be outlined text, which stays an image. Export the text as text to make it a parameter',
      })
    }
  }

  function writeKept(child: SvgElement | string, kept: ReadonlySet<SvgElement>): string {
    if (typeof child === 'string' || isDropped(child) || isDefinition(child)) return ''
    if (kept.has(child)) return withParameters(escapeLiquid(writeSvg(child)))
    const inner = child.children.map((grandchild) => writeKept(grandchild, kept)).join('')
    if (inner === '') return ''
    const [head = ''] = writeSvg({ ...child, children: [] }).split('/>')
    return `${escapeLiquid(head)}>${inner}</${child.name}>`
  }

  function withParameters(svg: string): string {
    return svg.replaceAll(/\ue000([\w-]+)\ue000/g, '{{ $1 | escape }}')
  }
}

/** Returns each name once: `title`, `title-2`, `title-3`. */
function uniqueNames(): (stem: string) => string {
  const used = new Set<string>()
  const counts = new Map<string, number>()
  return (stem) => {
    let result = stem
    let count = counts.get(stem) ?? 1
    while (used.has(result)) result = `${stem}-${++count}`
    counts.set(stem, count)
    used.add(result)
    return result
  }
}

function sizeOf(root: SvgElement): { canvas: Canvas; viewBox: string } {
  const box = numbersIn(root.attributes.viewBox)
  const [minX = 0, minY = 0, boxWidth, boxHeight] = box.length === 4 ? box : []
  const width = Math.round(lengthOf(root.attributes.width) ?? boxWidth ?? 0)
  const height = Math.round(lengthOf(root.attributes.height) ?? boxHeight ?? 0)
  if (!(width >= 1 && height >= 1)) throw new SvgProblem('The SVG has no size. Set width and height, or viewBox.')
  if (width > sideMax || height > sideMax)
    throw new SvgProblem(`The SVG is ${width} x ${height} pixels large; the maximum is ${sideMax} for each side.`)
  const [w, h] = [boxWidth || width, boxHeight || height]
  const scale = Math.min(width / w, height / h)
  const [x, y] = [(width - w * scale) / 2 - minX * scale, (height - h * scale) / 2 - minY * scale]
  return { canvas: { matrix: [scale, 0, 0, scale, x, y], width, height }, viewBox: `${minX} ${minY} ${w} ${h}` }
}

/** Names that editors generate. */
const generated =
  /^(svg|text|tspan|rect|path|g|image|use|circle|ellipse|layer|group|vector|frame|clip|paint|pattern|mask|filter|_?x?\d)[\s_-]*\d*([_-]\d+)*$/i

/** The name of the layer: of the element, or of a group that has only this element. */
function nameOf(element: SvgElement, rules: Rules): string | undefined {
  for (let ancestor: SvgElement | undefined = element; ancestor?.parent !== undefined; ancestor = ancestor.parent) {
    if (ancestor !== element && hasSeveralLeaves(ancestor, rules)) return undefined
    const { 'data-param': explicit, 'data-name': named, 'inkscape:label': label, id } = ancestor.attributes
    const decoded = id?.replaceAll(/_x([0-9A-Fa-f]{2})_/g, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    )
    const found = explicit ?? [label, named, decoded].find((name) => name !== undefined && !generated.test(name.trim()))
    if (found !== undefined && found.trim() !== '') return found.trim()
  }
  return undefined
}

function asName(label: string): string {
  // Only the first characters are used: the patterns need quadratic time for long labels.
  const name = label
    .slice(0, 200)
    .normalize('NFKD')
    .replaceAll(/[^A-Za-z0-9_-]+/g, '-')
    .replaceAll(/^[^A-Za-z]+|-+$/g, '')
    .slice(0, 60)
  const cased = /^[A-Z][a-z]/.test(name) ? name.charAt(0).toLowerCase() + name.slice(1) : name
  if (!new RegExp(parameterNamePattern).test(cased)) return 'layer'
  return reservedParameterNames.has(cased) || cased === 'item' || cased === 'index' ? `${cased}-layer` : cased
}

function idOf(label: string): string {
  return asName(label).toLowerCase()
}

/** More subpaths than an icon has. */
function isOutlinedText({ name, attributes }: SvgElement): boolean {
  if (name !== 'path') return false
  return attributes['aria-label'] !== undefined || (attributes.d?.match(/[Mm]/g)?.length ?? 0) >= 8
}

function escapeLiquid(text: string): string {
  return text.replaceAll(/\{(?=[{%])/g, "{{ '{' }}")
}

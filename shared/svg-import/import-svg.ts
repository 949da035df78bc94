/**
 * Converts an SVG to a workflow document: texts and images become elements of one `html` node, with parameters for those with a name,
 * and the shapes between them become `svg` nodes, in the same order.
 */
import { parameterNamePattern, reservedParameterNames } from '../names.ts'
import { lengthOf, type Matrix, multiply, numbersIn, rounded } from './geometry.ts'
import { elementsIn, escapeXml, isDropped, readSvg, type SvgElement, SvgProblem, writeSvg } from './read-svg.ts'
import { effectOf, opacityOf, ownProperty, rulesOf } from './styles.ts'
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
  const { width, height, canvas, viewBox } = sizeOf(root)
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
  const used = new Set<string>(['card'])
  const definitions = root.children.filter((child) => typeof child !== 'string' && /^(defs|style)$/.test(child.name))

  /** A shape layer has all elements except the hidden ones. */
  const flush = (shapes: ReadonlySet<SvgElement>) => {
    if (shapes.size === 0) return
    const id = free('shapes')
    const body = root.children.map((child) => writeKept(child, shapes)).join('')
    const inheritedText = Object.entries(root.attributes).flatMap(([key, value]) =>
      /^(fill|stroke|color|font|opacity|style|class)/.test(key) ? [` ${key}="${escapeXml(value)}"`] : [],
    )
    const size = `width="${width}" height="${height}" viewBox="${viewBox}"${inheritedText.join('')}`
    const defs = definitions.map((child) => writeSvg(withoutImages(child as SvgElement, uploaded))).join('')
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
  const uploaded = new Set([...leavesOf(root)].flatMap((leaf) => imageOf(leaf, byId)?.data ?? []))
  let shapes = new Set<SvgElement>()
  for (const leaf of leavesOf(root)) {
    const image = imageOf(leaf, byId)
    const effect = leaf.name === 'text' || image ? effectOf(leaf, rules) : undefined
    if ((leaf.name === 'text' || image) && effect === undefined) {
      flush(shapes)
      shapes = new Set()
      if (html.length > layersMax)
        throw new SvgProblem(
          `The SVG has more than ${layersMax} layers of texts and images, the maximum. Flatten some.`,
        )
      if (image) addImage(leaf, image)
      else addText(leaf)
    } else {
      shapes.add(leaf)
      noteShape(leaf, effect)
    }
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

  function addText(element: SvgElement): void {
    const layer = textLayer(element, canvas, rules)
    const label = nameOf(element)
    const id = free(idOf(label ?? 'text'))
    const parameter = label === undefined ? undefined : parameterFor(label)
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
      ].join('; '),
    })
  }

  function addImage(element: SvgElement, { href, fit, data }: PlacedImage): void {
    const label = nameOf(element) ?? nameOf(data) ?? 'image'
    const parameter = parameterFor(label)
    const id = free(idOf(label))
    const matrix = multiply(canvas, matrixOf(element))
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
        transform: `matrix(${matrix.map((number) => Math.round(number * 10_000) / 10_000).join(', ')})`,
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
      note:
        type === undefined ? 'the image is not embedded as PNG, JPEG, WebP or GIF: pass it with each execution' : '',
    })
  }

  function noteShape(leaf: SvgElement, effect: string | undefined): void {
    const explicit = leaf.attributes['data-param']
    if (leaf.name === 'text') {
      report.push({
        layer: nameOf(leaf) ?? 'text',
        became: 'svg',
        note: `the text stays in the SVG, because it has a ${effect}`,
      })
    } else if (explicit !== undefined) {
      const fill = ownProperty(leaf, 'fill', rules) ?? 'black'
      const parameter = parameterFor(explicit)
      parameters.push({
        name: parameter,
        type: 'string',
        format: 'color',
        default: fill === 'none' ? 'black' : fill,
        description: `Colour of the layer ${JSON.stringify(explicit)}.`,
      })
      leaf.attributes.fill = `\ue000${parameter}\ue000`
      if (leaf.attributes.style) leaf.attributes.style = leaf.attributes.style.replace(/(^|;)\s*fill\s*:[^;]*/, '$1')
      delete leaf.attributes.class
      report.push({ layer: explicit, became: `parameter ${parameter}`, note: 'the colour of the shape' })
    } else if (isOutlinedText(leaf)) {
      report.push({
        layer: nameOf(leaf) ?? leaf.attributes['aria-label'] ?? 'path',
        became: 'svg',
        note: 'this may be outlined text, which stays an image. Export the text as text to make it a parameter',
      })
    }
  }

  function writeKept(child: SvgElement | string, kept: ReadonlySet<SvgElement>): string {
    if (typeof child === 'string' || isDropped(child) || /^(defs|style)$/.test(child.name)) return ''
    if (kept.has(child)) return withParameters(escapeLiquid(writeSvg(withoutImages(child, uploaded))))
    const inner = child.children.map((grandchild) => writeKept(grandchild, kept)).join('')
    if (inner === '') return ''
    const [head = ''] = writeSvg({ ...child, children: [] }).split('/>')
    return `${escapeLiquid(head)}>${inner}</${child.name}>`
  }

  function withParameters(svg: string): string {
    return svg.replaceAll(/\ue000([\w-]+)\ue000/g, '{{ $1 | escape }}')
  }

  function parameterFor(label: string): string {
    const stem = asName(label)
    const names = new Set(parameters.map((parameter) => String(parameter.name)))
    let result = stem
    for (let count = 2; names.has(result); count += 1) result = `${stem}-${count}`
    return result
  }

  function free(stem: string): string {
    let result = stem
    for (let count = 2; used.has(result); count += 1) result = `${stem}-${count}`
    used.add(result)
    return result
  }
}

interface PlacedImage {
  href: string
  fit: string
  /** The element with the data. */
  data: SvgElement
}

/** An `image`, or a shape that is filled with one, as Figma writes it. */
function imageOf(element: SvgElement, byId: ReadonlyMap<string, SvgElement>): PlacedImage | undefined {
  const hrefOf = ({ attributes }: SvgElement) => attributes.href ?? attributes['xlink:href'] ?? ''
  if (element.name === 'image') {
    const ratio = element.attributes.preserveAspectRatio ?? ''
    return {
      href: hrefOf(element),
      fit: ratio === 'none' ? 'fill' : /slice/.test(ratio) ? 'cover' : 'contain',
      data: element,
    }
  }
  if (!/^(rect|circle|ellipse)$/.test(element.name)) return undefined
  const [, id = ''] = /^url\(#([^)]+)\)/.exec(element.attributes.fill ?? '') ?? []
  const pattern = byId.get(id)
  if (pattern?.name !== 'pattern') return undefined
  const [inner] = [...elementsIn(pattern)].filter(({ name }) => name === 'use' || name === 'image')
  const data = inner?.name === 'use' ? byId.get(hrefOf(inner).replace(/^#/, '')) : inner
  return data?.name === 'image' ? { href: hrefOf(data), fit: 'cover', data } : undefined
}

/** Visible elements without visible children, in the order of drawing. */
function* leavesOf(element: SvgElement): Generator<SvgElement> {
  for (const child of element.children) {
    if (typeof child === 'string' || isDropped(child) || isDefinition(child)) continue
    if (child.attributes.display === 'none' || /display\s*:\s*none/.test(child.attributes.style ?? '')) continue
    if (/^(g|a|svg|switch)$/.test(child.name)) yield* leavesOf(child)
    else yield child
  }
}

function isDefinition({ name }: SvgElement): boolean {
  return /^(defs|style|clipPath|mask|filter|pattern|linearGradient|radialGradient|symbol|marker)$/.test(name)
}

/** Definitions don't need the data of images that are uploaded. */
function withoutImages(element: SvgElement, uploaded: ReadonlySet<SvgElement>): SvgElement {
  const needsImage = [...elementsIn(element)].some((part) => uploaded.has(part))
  if (!needsImage) return element
  if (uploaded.has(element)) return { ...element, name: 'g', attributes: {}, children: [] }
  const children = element.children.map((child) => (typeof child === 'string' ? child : withoutImages(child, uploaded)))
  return { ...element, children }
}

function sizeOf(root: SvgElement): { width: number; height: number; canvas: Matrix; viewBox: string } {
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
  return { width, height, canvas: [scale, 0, 0, scale, x, y], viewBox: `${minX} ${minY} ${w} ${h}` }
}

/** Names that editors generate. */
const generated =
  /^(svg|text|tspan|rect|path|g|image|use|circle|ellipse|layer|group|vector|frame|clip|paint|pattern|mask|filter|_?x?\d)[\s_-]*\d*([_-]\d+)*$/i

/** The name of the layer: of the element, or of a group that has only this element. */
function nameOf(element: SvgElement): string | undefined {
  for (let ancestor: SvgElement | undefined = element; ancestor?.parent !== undefined; ancestor = ancestor.parent) {
    if (ancestor !== element && [...leavesOf(ancestor)].length > 1) return undefined
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
  const name = label
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

/** Adds images to the card. */
import { addStyle, type Draft, type Source } from './draft.ts'
import { lengthOf, multiply, rounded } from './geometry.ts'
import { asName, idOf, nameOf } from './layer-names.ts'
import type { PlacedImage } from './layers.ts'
import type { SvgElement } from './read-svg.ts'
import { opacityOf } from './styles.ts'
import { matrixOf, viewportOf } from './viewport.ts'

/** An element of the HTML, an `image` node and its parameter. */
export function addImage(
  element: SvgElement,
  { href, fit, position, data }: PlacedImage,
  notes: readonly string[],
  { rules, canvas }: Source,
  draft: Draft,
): void {
  const label = nameOf(element, rules) ?? nameOf(data, rules) ?? 'image'
  const parameter = draft.parameterNames(asName(label))
  const id = draft.nodeIds(idOf(label))
  const matrix = multiply(canvas.matrix, matrixOf(element))
  const viewport = viewportOf(element)
  const length = (key: string) =>
    lengthOf(element.attributes[key], 16, /^(x|cx|rx|width)$/.test(key) ? viewport.width : viewport.height)
  const [x = 0, y = 0, w, h] = ['x', 'y', 'width', 'height'].map(length)
  const isRound = element.name === 'circle' || element.name === 'ellipse'
  // An image without a size has that of its file.
  const hasSize = isRound || (w !== undefined && h !== undefined)
  const isPlain = hasSize && Math.abs(matrix[1]) < 1e-6 && Math.abs(matrix[2]) < 1e-6 && matrix[0] > 0 && matrix[3] > 0
  const [, type, base64] = /^data:(image\/(?:png|jpe?g|webp|gif));base64,([A-Za-z0-9+/=\s]+)$/.exec(href) ?? []
  const [cx, cy, rx = 0, ry = rx, r] = ['cx', 'cy', 'rx', 'ry', 'r'].map(length)
  const box = isRound
    ? { x: (cx ?? 0) - (r ?? rx), y: (cy ?? 0) - (r ?? ry), w: 2 * (r ?? rx), h: 2 * (r ?? ry) }
    : { x, y, w, h }
  const radius = isRound ? '50%' : rx > 0 ? `${rounded(rx * (isPlain ? matrix[0] : 1))}px` : undefined
  const style = {
    left: isPlain ? `${rounded(matrix[0] * box.x + matrix[4])}px` : `${rounded(box.x)}px`,
    top: isPlain ? `${rounded(matrix[3] * box.y + matrix[5])}px` : `${rounded(box.y)}px`,
    ...(box.w !== undefined && { width: `${rounded(box.w * (isPlain ? matrix[0] : 1))}px` }),
    ...(box.h !== undefined && { height: `${rounded(box.h * (isPlain ? matrix[3] : 1))}px` }),
    'object-fit': fit,
    ...((position.x !== 0.5 || position.y !== 0.5) && {
      'object-position': `${position.x * 100}% ${position.y * 100}%`,
    }),
    ...(radius && { 'border-radius': radius }),
    ...(opacityOf(element, rules) < 1 && { opacity: String(rounded(opacityOf(element, rules))) }),
    ...(!isPlain && {
      transform: `matrix(${matrix.map((number) => rounded(number, 4)).join(', ')})`,
      'transform-origin': `${rounded(-box.x)}px ${rounded(-box.y)}px`,
    }),
  }
  addStyle(draft, id, style)
  draft.html.push(`<img id="${id}" src="node:${id}" alt="">`)
  draft.nodes[id] = { type: 'image', params: { source: `{{ ${parameter} }}` } }
  draft.wires.push(id)
  const declared = {
    name: parameter,
    type: 'string',
    format: 'image',
    description: `Image of the layer ${JSON.stringify(label)}.`,
  }
  if (type !== undefined && base64 !== undefined) {
    const placeholder = `./${parameter}.${type === 'image/jpg' || type === 'image/jpeg' ? 'jpg' : type.slice(6)}`
    draft.images.push({ placeholder, fileName: placeholder.slice(2), type, base64: base64.replaceAll(/\s/g, '') })
    draft.parameters.push({ ...declared, default: placeholder })
  } else draft.parameters.push({ ...declared, required: true })
  draft.report.push({
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

/** Texts of handles, for screen readers and tooltips. */
import type { Frame } from '../../../../shared/frames.ts'
import type { Grip } from './grips.ts'
import { angleOf, boundsOf, minus, pointAt, type Shape } from './shape.ts'

export function frameTitle({ id }: Pick<Frame, 'id'>): string {
  const words = id
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/[-_.]/g, ' ')
    .toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const edgeNames: Record<string, string> = {
  nw: 'top left corner',
  n: 'top edge',
  ne: 'top right corner',
  e: 'right edge',
  se: 'bottom right corner',
  s: 'bottom edge',
  sw: 'bottom left corner',
  w: 'left edge',
}
const cornerNames = ['top left corner', 'top right corner', 'bottom right corner', 'bottom left corner']
const endNames = ['start', 'end']

export function gripName(frame: Pick<Frame, 'id' | 'kind'>, grip: Grip): string {
  const title = frameTitle(frame)
  if (grip === 'move') return title
  if (grip === 'rotate') return `${title}, rotation`
  if (grip === 'fontSize') return `${title}, text size`
  if (typeof grip === 'string') return `${title}, ${edgeNames[grip]}`
  if (frame.kind === 'point') return title
  return `${title}, ${(frame.kind === 'quad' ? cornerNames : endNames)[grip] ?? `point ${grip + 1}`}`
}

/** `Left 64, top 380`: pixels of the image. */
export function gripText(frame: Pick<Frame, 'kind'>, shape: Shape, grip: Grip, hasAngle = false): string {
  if (grip === 'rotate') return `${rounded(shape.rotation)} degrees`
  if (grip === 'fontSize') return `Text size ${rounded(shape.fontSize ?? 0)}`
  if (hasAngle) return `${rounded(angleOf(minus(pointAt(shape, 1), pointAt(shape, 0))))} degrees`
  if (typeof grip === 'number') return place(pointAt(shape, grip))
  if (grip === 'move') return place(pointAt(shape, 0)) + anchorText(shape)
  const { width = 0, height = 0 } = boundsOf(frame, shape)
  const text = shape.fontSize === undefined ? '' : `, text size ${rounded(shape.fontSize)}`
  return `Width ${rounded(width)}, height ${rounded(height)}${text}`
}

/** One number for `aria-valuenow`. */
export function gripValue(frame: Pick<Frame, 'kind'>, shape: Shape, grip: Grip): number {
  if (grip === 'rotate') return rounded(shape.rotation)
  if (grip === 'fontSize') return rounded(shape.fontSize ?? 0)
  if (typeof grip === 'number') return rounded(pointAt(shape, grip)[0])
  return rounded(grip === 'move' ? pointAt(shape, 0)[0] : (boundsOf(frame, shape).width ?? 0))
}

function anchorText({ anchor, margin = 0 }: Shape): string {
  if (anchor === undefined) return ''
  return anchor === 'center' ? ', center' : `, ${anchor}, margin ${rounded(margin)}`
}

function place([x, y]: readonly [number, number]): string {
  return `Left ${rounded(x)}, top ${rounded(y)}`
}

/** Rounds to a tenth. */
export function rounded(value: number): number {
  return Math.round(value * 10) / 10 + 0
}

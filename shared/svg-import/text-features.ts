/** Baselines and decorations of texts, and features that HTML can't draw. */
import type { FontMetrics } from './fonts.ts'
import { lengthOf } from './geometry.ts'
import { elementsIn, hasOwnText, type SvgElement } from './read-svg.ts'
import { fontSizeOf, inherited, ownProperty, type Rules } from './styles.ts'
import { ignored, linesOf } from './text-lines.ts'

/** Why a text stays in the SVG, as the end of "it has a". */
export function textProblemOf(element: SvgElement, rules: Rules): string | undefined {
  const parts = [...elementsIn(element)]
  if (parts.some(({ name }) => name === 'textPath')) return ignored('text path')
  if (parts.some((part) => /^(tb|vertical|sideways)/.test(inherited(part, 'writing-mode', rules) ?? '')))
    return 'vertical writing mode'
  const baselines = parts.filter(hasOwnText).map((part) => {
    const shifts = chain(part, element).map((each) => ownProperty(each, 'baseline-shift', rules) ?? 'baseline')
    return [baselineOf(part, rules), ...shifts.filter((shift) => shift !== 'baseline' && shift !== '0')].join()
  })
  if (new Set(baselines).size > 1) return 'part with another baseline'
  return linesOf(element, rules).problem
}

/** The part and its ancestors, up to the text. */
function chain(part: SvgElement, element: SvgElement): SvgElement[] {
  return part === element || part.parent === undefined ? [part] : [part, ...chain(part.parent, element)]
}

function baselineOf(part: SvgElement, rules: Rules): string {
  const own = ownProperty(part, 'alignment-baseline', rules)
  return own === undefined || /^(auto|baseline)$/.test(own)
    ? (inherited(part, 'dominant-baseline', rules) ?? 'auto')
    : own
}

/**
 * Distance from the baseline of the letters up to the one of the position, as Chromium places them. In units of the
 * SVG.
 */
export function baselineShiftOf(part: SvgElement, element: SvgElement, metrics: FontMetrics, rules: Rules): number {
  const { ascent, descent, xHeight } = metrics
  const size = fontSizeOf(part, rules)
  const baselines: Record<string, number> = {
    middle: xHeight / 2,
    central: (ascent - descent) / 2,
    hanging: ascent * 0.8,
    mathematical: ascent / 2,
    ideographic: -descent,
    ...{ 'text-before-edge': ascent, 'before-edge': ascent, 'text-top': ascent },
    ...{ 'text-after-edge': -descent, 'after-edge': -descent, 'text-bottom': -descent },
  }
  const height = (ascent + descent) * size
  const shifts = chain(part, element).map((each) => {
    const shift = ownProperty(each, 'baseline-shift', rules) ?? ''
    if (shift === 'super') return height / 2
    if (shift === 'sub') return -height / 2
    return lengthOf(shift, size, size) ?? 0
  })
  return (baselines[baselineOf(part, rules)] ?? 0) * size - shifts.reduce((sum, shift) => sum + shift, 0)
}

/** The lines of `text-decoration`, also of ancestors. */
export function decorationOf(part: SvgElement, rules: Rules): string | undefined {
  const lines = new Set<string>()
  for (let up: SvgElement | undefined = part; up !== undefined; up = up.parent)
    for (const name of ['text-decoration', 'text-decoration-line'] as const)
      for (const [line] of (ownProperty(up, name, rules) ?? '').matchAll(/\b(underline|overline|line-through)\b/g))
        lines.add(line)
  return lines.size > 0 ? [...lines].join(' ') : undefined
}

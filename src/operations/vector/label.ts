/** Short texts that other operations write: captions, labels, marks. */
import type { OperationContext } from '../define.ts'
import type { Layer } from '../raster/over.ts'
import type { Rectangle } from '../raster/region.ts'
import { cssColor } from './css-color.ts'
import { layText } from './draw-text.ts'
import type { TextStyle } from './text-style.ts'

export interface Label extends Pick<TextStyle, 'text' | 'font' | 'weight' | 'size' | 'shadow'> {
  /** As CSS has it. */
  color: string
  align?: TextStyle['align']
  verticalAlign?: TextStyle['verticalAlign']
  linesMax?: number
}

/** Cut with an ellipsis where it does not fit in the box; without one, as large as it is. Undefined when nothing is seen. */
export async function drawLabel(
  label: Label,
  context: OperationContext,
  box?: Rectangle,
): Promise<{ layer: Layer; x: number; y: number } | undefined> {
  const laid = await layText(styleOf(label), context, box)
  try {
    return laid.draw(laid.box)
  } finally {
    laid.release()
  }
}

/** Of a label without a box. */
export async function labelSize(label: Label, context: OperationContext): Promise<{ width: number; height: number }> {
  const laid = await layText(styleOf(label), context)
  laid.release()
  return laid.box
}

function styleOf({ color, ...own }: Label): TextStyle {
  return {
    fit: 'ellipsis',
    lineHeight: 1.2,
    letterSpacing: 0,
    align: 'left',
    verticalAlign: 'middle',
    italic: false,
    language: 'auto',
    direction: 'auto',
    transform: 'none',
    markup: false,
    balance: false,
    underline: false,
    strike: false,
    outlineWidth: 0,
    outlineColor: 'black',
    color: cssColor(color),
    ...own,
  }
}

import type { Layer } from '../raster/layer/over.ts'
import { loadCanvas } from './canvas.ts'

export interface HandleStyle {
  /** Pixels, without its shadow. */
  diameter: number
  /** A CSS colour. */
  color: string
  arrowColor: string
  /** Clockwise; at 0 the arrows point left and right. */
  degrees: number
}

/** A drag handle of a divider: a disc with an arrow on either side, centred in the layer. */
export async function drawHandle({ diameter, color, arrowColor, degrees }: HandleStyle): Promise<Layer> {
  const { createCanvas } = await loadCanvas()
  const size = Math.ceil(diameter * 1.5)
  const canvas = createCanvas(size, size)
  const pen = canvas.getContext('2d')
  pen.translate(size / 2, size / 2)

  pen.save()
  pen.shadowColor = 'rgba(0, 0, 0, 0.35)'
  pen.shadowBlur = diameter * 0.16
  pen.shadowOffsetY = diameter * 0.03
  pen.fillStyle = color
  pen.beginPath()
  pen.arc(0, 0, diameter / 2, 0, 2 * Math.PI)
  pen.fill()
  pen.restore()

  pen.rotate((degrees * Math.PI) / 180)
  pen.strokeStyle = arrowColor
  pen.lineWidth = diameter * 0.07
  pen.lineCap = 'round'
  pen.lineJoin = 'round'
  for (const side of [-1, 1]) {
    const [tip, back, half] = [side * diameter * 0.29, side * diameter * 0.15, diameter * 0.14]
    pen.beginPath()
    pen.moveTo(back, -half)
    pen.lineTo(tip, 0)
    pen.lineTo(back, half)
    pen.stroke()
  }
  return { data: canvas.data(), width: size, height: size, channels: 4, premultiplied: true }
}

/** In which size a model that knows only some is to give back what it has inpainted: one of the shape of the image. */
import { type Call, ProviderProblem } from '../define.ts'

type Size = { width: number; height: number }

/** Undefined where it may be any. Throws, before anything is paid, where the image has the shape of none: no answer would fit. */
export function inpaintSize({ capability, model, request }: Call, title: string): Size | undefined {
  const { sizes } = model.can.inpaint ?? {}
  const [image] = request.images
  if (capability !== 'inpaint' || image === undefined || sizes === undefined || !('listed' in sizes)) return undefined
  const all = sizes.listed
    .map((size) => size.split('x').map(Number))
    .map(([width = 0, height = 0]) => ({ width, height }))
  const fitting = all.find((size) => isOfShape(size, image))
  if (fitting) return fitting
  const { width, height } = image
  const message = `${title} inpaints images of the shape of ${sizes.listed.join(', ')}, and this one is ${width}x${height}: crop or pad it before.`
  throw new ProviderProblem('unsupported', message)
}

/** Within 2 %, as answers of another size are taken. */
function isOfShape(size: Size, image: Size): boolean {
  return Math.abs((size.width * image.height) / (size.height * image.width) - 1) <= 0.02
}

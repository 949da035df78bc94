/** The output size for inpainting with a model that has a list of sizes: one with the aspect ratio of the image. */
import { type Call, ProviderProblem } from '../../define.ts'

type Size = { width: number; height: number }

/** Undefined if the model accepts any size. Throws if no size has the aspect ratio of the image: no paid result would fit. */
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
  const message = `${title} inpaints images with the aspect ratio of ${sizes.listed.join(', ')}, but the image is ${width}x${height}. Crop or pad it first.`
  throw new ProviderProblem('unsupported', message)
}

/** Compares within 2 %, the same tolerance as for results of another size. */
function isOfShape(size: Size, image: Size): boolean {
  return Math.abs((size.width * image.height) / (size.height * image.width) - 1) <= 0.02
}

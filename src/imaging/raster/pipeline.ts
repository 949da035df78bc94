/**
 * Operations that are one stage of sharp: run immediately, or enqueued to run in one sharp call with the next stage.
 */
import type { ImageValue, ImagingContext, StageWork } from '../types.ts'
import { type ImageContext, imageFromPixels, pixelsOf } from './image.ts'

/**
 * Applies `work` to `image`. If the plan fuses this step with its only reader (`context.mayStayPending`), the work
 * only waits in `pending`; a reader that cannot join the call runs it first.
 */
export async function enqueueStage(image: ImageValue, work: StageWork, context: ImagingContext): Promise<ImageValue> {
  const { pending } = image
  const joined =
    pending !== undefined && isPlain(pending) && work.stage.follows(stagesOf(pending), pending.from.hasAlpha)
  const picture: ImageValue = {
    width: work.width,
    height: work.height,
    hasAlpha: work.hasAlpha,
    format: 'raw',
    pending: joined ? { ...pending, queue: [...pending.queue, work] } : { from: image, queue: [work] },
  }
  return context.mayStayPending ? picture : finished(picture, context)
}

async function finished(image: ImageValue, context: ImageContext): Promise<ImageValue> {
  return imageFromPixels(await pixelsOf(image, context))
}

/**
 * 16-bit and other colour formats are converted to 8-bit RGB only at the end of a call, so later stages would see
 * other values.
 */
function isPlain({ from, queue: works }: NonNullable<ImageValue['pending']>): boolean {
  return works[0]?.fromBytes !== true || from.encoded === undefined || from.isRgb8 === true
}

function stagesOf({ queue: works }: NonNullable<ImageValue['pending']>) {
  return works.map(({ stage }) => stage)
}

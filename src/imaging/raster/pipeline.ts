/** Operations that are one call of sharp: done at once, or left to be done together with the one that follows. */
import type { ImageValue, ImagingContext, StageWork } from '../types.ts'
import { type ImageContext, imageFromPixels, pixelsOf } from './image.ts'

/**
 * The picture that `work` makes of `image`. Where the engine has planned that the only reader goes on in the same call
 * (`context.unfinished`) nothing is done yet: the work waits in `pending`, and a reader that may not go on cuts there.
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

async function finished(picture: ImageValue, context: ImageContext): Promise<ImageValue> {
  return imageFromPixels(await pixelsOf(picture, context))
}

/** Bytes of 16 bits or in other colours are decoded to what the next stage expects only at the end of a call. */
function isPlain({ from, queue: works }: NonNullable<ImageValue['pending']>): boolean {
  return works[0]?.fromBytes !== true || from.encoded === undefined || from.isRgb8 === true
}

function stagesOf({ queue: works }: NonNullable<ImageValue['pending']>) {
  return works.map(({ stage }) => stage)
}

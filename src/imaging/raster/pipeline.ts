/** Operations that are one call of sharp: done at once, or left to be done together with the one that follows. */
import type { OperationContext, Picture, StageWork } from '../../operations/define.ts'
import { type ImageContext, pictureFrom, pixelsOf } from './picture.ts'

/**
 * The picture that `work` makes of `image`. Where the engine has planned that the only reader goes on in the same call
 * (`context.unfinished`) nothing is done yet: the work waits in `pending`, and a reader that may not go on cuts there.
 */
export async function through(image: Picture, work: StageWork, context: OperationContext): Promise<Picture> {
  const { pending } = image
  const joined =
    pending !== undefined && isPlain(pending) && work.stage.follows(stagesOf(pending), pending.from.hasAlpha)
  const picture: Picture = {
    width: work.width,
    height: work.height,
    hasAlpha: work.hasAlpha,
    format: 'raw',
    pending: joined ? { ...pending, works: [...pending.works, work] } : { from: image, works: [work] },
  }
  return context.unfinished ? picture : finished(picture, context)
}

async function finished(picture: Picture, context: ImageContext): Promise<Picture> {
  return pictureFrom(await pixelsOf(picture, context))
}

/** Bytes of 16 bits or in other colours are decoded to what the next stage expects only at the end of a call. */
function isPlain({ from, works }: NonNullable<Picture['pending']>): boolean {
  return works[0]?.fromBytes !== true || from.encoded === undefined || from.plain === true
}

function stagesOf({ works }: NonNullable<Picture['pending']>) {
  return works.map(({ stage }) => stage)
}

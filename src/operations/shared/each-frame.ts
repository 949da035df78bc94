/** Runs operations with `frames: 'each'` for every frame; the operations themselves ignore animations. */

import { framesOf, mapFrames } from '../../imaging/raster/read/frames.ts'
import type { ImageValue } from '../../imaging/types.ts'
import type { InputsOf, Operation, OperationContext, OutputsOf, Sockets, Values } from '../define.ts'

type Inputs = InputsOf<Sockets>
type Outputs = OutputsOf<Values>

export function eachFrame(operation: Operation): Operation {
  if (operation.frames !== 'each') return operation
  return {
    ...operation,
    run(inputs, params, context) {
      const lead = Object.values(inputs).flat().find(isAnimated)
      if (lead === undefined) return operation.run(inputs, params, context)
      const frameContext: OperationContext = { ...context, decisions: new Map() }
      return runEach(lead, inputs, context, (still) => operation.run(still, params, frameContext))
    },
  }
}

/** The first animated input sets the timing of the frames; output values come from the first frame. */
async function runEach(
  lead: ImageValue,
  inputs: Inputs,
  context: OperationContext,
  run: (inputs: Inputs) => Promise<Outputs>,
): Promise<Outputs> {
  const starts = startsOf(lead)
  await Promise.all(
    Object.values(inputs)
      .flat()
      .filter(isAnimated)
      .map((image) => framesOf(image, context)),
  )
  let first: Outputs = {}
  const image = await mapFrames(lead, context, async (_, index) => {
    const outputs = await run(inputsAt(inputs, starts[index] ?? 0))
    if (index === 0) first = outputs
    if (outputs.image === undefined) throw new Error('an operation that takes frames gave none')
    return outputs.image
  })
  return { ...first, image }
}

function inputsAt(inputs: Inputs, timeMs: number): Inputs {
  const at = (image: ImageValue | undefined) => image && frameAt(image, timeMs)
  return Object.fromEntries(
    Object.entries(inputs).map(([name, input]) => [name, Array.isArray(input) ? input.map(at) : at(input)]),
  ) as Inputs
}

/** The visible frame at a time, for an endlessly repeated animation. */
function frameAt(image: ImageValue, timeMs: number): ImageValue {
  const { animation } = image
  if (animation?.frames === undefined) return image
  const starts = startsOf(image)
  const time = timeMs % animation.delaysMs.reduce((sum, delay) => sum + delay, 0)
  return animation.frames[starts.findLastIndex((start) => start <= time)] ?? image
}

/** The start of each frame, in milliseconds. */
function startsOf({ animation }: ImageValue): number[] {
  let time = 0
  return (animation?.delaysMs ?? [0]).map((delay) => {
    time += delay
    return time - delay
  })
}

function isAnimated(image: ImageValue | undefined): image is ImageValue {
  return image?.animation !== undefined
}

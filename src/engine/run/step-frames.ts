/** Frames of a step as they are recorded. */
import type { Frame, FrameText, TextLine } from '../../../shared/frames.ts'
import { limits } from '../../limits.ts'

/** Limits the frames and their lines, and rounds to a hundredth of a pixel. Returns undefined for none. */
export function stepFrames(frames: readonly Frame[] | undefined): Frame[] | undefined {
  if (frames === undefined || frames.length === 0) return undefined
  let linesLeft = limits.stepFrameLinesMax
  return frames.slice(0, limits.stepFramesMax).map(({ lines, text, ...frame }) => {
    const recorded = lines?.slice(0, linesLeft)
    linesLeft -= recorded?.length ?? 0
    return {
      ...frame,
      points: frame.points.map(([x, y]) => [rounded(x), rounded(y)]),
      ...(frame.rotation === undefined ? {} : { rotation: rounded(frame.rotation) }),
      ...(recorded && {
        lines: recorded.map(({ x, baseline, width }) => ({
          x: rounded(x),
          baseline: rounded(baseline),
          width: rounded(width),
        })),
      }),
      ...(text && { text: roundedText(text) }),
    }
  })
}

function roundedText({ size, lines, ...text }: FrameText): FrameText {
  return {
    ...text,
    size: rounded(size),
    ...(lines && { lines: lines.map(roundedLine) }),
  }
}

function roundedLine({ x, width, top, height, baseline, characters, ...line }: TextLine): TextLine {
  return {
    ...line,
    x: rounded(x),
    width: rounded(width),
    top: rounded(top),
    height: rounded(height),
    baseline: rounded(baseline),
    characters: characters.map(([start, from, to]) => [start, rounded(from), rounded(to)]),
  }
}

function rounded(pixels: number): number {
  return Math.round(pixels * 100) / 100
}

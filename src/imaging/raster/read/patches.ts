/** The frames of an animation that draw on a part of its canvas. */
import type { Rectangle } from '../region.ts'

/** The part of the canvas that a frame draws on. */
export interface Patch extends Rectangle {
  /** How to clear its rectangle before the next frame is drawn. */
  dispose: 'none' | 'background' | 'previous'
  blend: 'source' | 'over'
}

export interface ComposedFrames {
  width: number
  height: number
  frames: Patch[]
  /** Whether the canvas is never visible, if the first frame has no alpha. */
  isOpaque: boolean
  /** Whether a decoder of still images doesn't return the first frame. */
  isStartHidden: boolean
  /** Returns a frame as a separate file, in the size of its rectangle. */
  stillOf(frame: Patch): Buffer
}

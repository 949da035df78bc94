import { createContext, useContext } from 'react'
import type { Size } from '../document/geometry.ts'
import type { Grip } from './grips.ts'
import type { Point } from './shape.ts'
import type { Guide, SnapLines } from './snap.ts'
import type { View } from './view.ts'

/** The part of the stage that handles share. */
export interface StageContextValue {
  /** The node on the stage. */
  id: string
  /** The image that is shown. */
  image: Size
  view: View
  /** The lines that a frame snaps to: of the image, and of the other frames. */
  linesWithout(frame: string): SnapLines
  /** Converts a position of the window to pixels of the image. */
  toImage(position: { x: number; y: number }): Point
  /** Whether a pointer pans, because the space bar is held. */
  isPanning(): boolean
  /** Whether a gesture is going on: until its end, the picture is not settled. */
  setBusy(isBusy: boolean): void
  setGuides(guides: readonly Guide[]): void
  /** The grip that moves. */
  setGrip(grip: { frame: string; grip: Grip } | undefined): void
  /** Text for screen readers. */
  say(text: string): void
}

export const StageContext = createContext<StageContextValue | undefined>(undefined)

export function useStage(): StageContextValue {
  const stage = useContext(StageContext)
  if (stage === undefined) throw new Error('A handle needs a stage around it.')
  return stage
}

import { lazy, Suspense } from 'react'
import { useCanvas } from '../state/editor-context.ts'
import { useGoCommands } from './commands/go.ts'

const AddPalette = lazy(async () => ({ default: (await import('./add-palette.tsx')).AddPalette }))
const ConnectPicker = lazy(async () => ({ default: (await import('./connect-picker.tsx')).ConnectPicker }))
const FindPicker = lazy(async () => ({ default: (await import('./find-picker.tsx')).FindPicker }))
const TurnDialog = lazy(async () => ({ default: (await import('./turn-dialog.tsx')).TurnDialog }))

/** The lists and dialogs of the canvas. Each is loaded when it opens first. */
export function CanvasDialogs() {
  useGoCommands()
  const palette = useCanvas((ui) => ui.palette)
  const picker = useCanvas((ui) => ui.picker)
  const isFinding = useCanvas((ui) => ui.isFinding)
  const isTurning = useCanvas((ui) => ui.isTurning)
  return (
    <Suspense>
      {palette === undefined ? null : <AddPalette request={palette} />}
      {picker === undefined ? null : <ConnectPicker {...picker} />}
      {isFinding ? <FindPicker /> : null}
      {isTurning ? <TurnDialog /> : null}
    </Suspense>
  )
}

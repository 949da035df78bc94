import { Suspense } from 'react'
import { lazyPart } from '../../ui/lazy-part.ts'
import { useCanvas } from '../state/editor-context.ts'
import { AddPalette } from './add-palette.tsx'
import { useGoCommands } from './commands/go.ts'
import { ConnectPicker } from './connect-picker.tsx'
import { FindPicker } from './find-picker.tsx'

const TurnDialog = lazyPart(() => import('./turn-dialog.tsx'), 'TurnDialog')

/** The lists and dialogs of the canvas. The lists aren't loaded later: keys typed right after a shortcut are for their search. */
export function CanvasDialogs() {
  useGoCommands()
  const palette = useCanvas((ui) => ui.palette)
  const picker = useCanvas((ui) => ui.picker)
  const isFinding = useCanvas((ui) => ui.isFinding)
  const isTurning = useCanvas((ui) => ui.isTurning)
  return (
    <>
      {palette === undefined ? null : <AddPalette request={palette} />}
      {picker === undefined ? null : <ConnectPicker {...picker} />}
      {isFinding ? <FindPicker /> : null}
      <Suspense>{isTurning ? <TurnDialog /> : null}</Suspense>
    </>
  )
}

import type { RefObject } from 'react'
import type { Command } from '../../ui/commands/commands.ts'
import { selectOnly } from '../state/canvas.ts'
import type { Editor } from '../state/editor.ts'
import { stepsOf } from './filmstrip.tsx'
import { zoomStep } from './use-stage-view.ts'

interface StageActions {
  element: RefObject<HTMLElement | null>
  fit(): void
  zoomToFull(): void
  zoomBy(factor: number): void
  addAfter(): void
  /** Undefined if the node has no mask. */
  paintMask: (() => void) | undefined
}

const group = 'Stage'

/** Whether the focus is on the stage, also on a handle, or nowhere. */
export function isOnStage(): boolean {
  const { activeElement } = document
  if (activeElement === null || activeElement === document.body || activeElement.id === 'main') return true
  return activeElement.closest('[data-stage]') !== null
}

/** Commands of the stage. Handles take arrow keys themselves. */
export function stageCommands(
  editor: Editor,
  id: string,
  { element, fit, zoomToFull, zoomBy, addAfter, paintMask }: StageActions,
): Command[] {
  const go = (by: 1 | -1) => {
    const ids = stepsOf(editor, editor.document.getState().document)
    const next = ids[ids.indexOf(id) + by]
    if (next !== undefined) selectOnly(editor, next)
  }
  const common = { group, isInScope: isOnStage, reach: 'fields' as const }
  const shown = { group, isInScope: () => false, isHidden: true, run: () => undefined }
  return [
    {
      ...common,
      id: 'stage.close',
      title: 'Back to the graph',
      shortcuts: ['Escape'],
      run: () => editor.canvas.setState({ isStageOpen: false }),
    },
    {
      ...common,
      id: 'stage.leaveField',
      title: 'Leave the field',
      shortcuts: ['Escape'],
      reach: 'everywhere',
      isHidden: true,
      isInScope: () => document.activeElement?.closest('[aria-label=Inspector],[aria-label=Run]') != null,
      run: () => element.current?.focus({ preventScroll: true }),
    },
    { ...common, id: 'stage.fit', title: 'Fit the picture', shortcuts: ['0'], run: fit },
    { ...common, id: 'stage.full', title: 'Full size (100 %)', shortcuts: ['1'], run: zoomToFull },
    { ...common, id: 'stage.zoomIn', title: 'Zoom in', shortcuts: ['+', '='], run: () => zoomBy(zoomStep) },
    { ...common, id: 'stage.zoomOut', title: 'Zoom out', shortcuts: ['-'], run: () => zoomBy(1 / zoomStep) },
    {
      ...common,
      id: 'stage.addAfter',
      title: 'Add a node after this one',
      shortcuts: ['A'],
      run: addAfter,
    },
    {
      ...common,
      id: 'stage.mask',
      title: 'Paint the mask',
      shortcuts: ['B'],
      isEnabled: () => paintMask !== undefined,
      run: () => paintMask?.(),
    },
    { ...common, id: 'stage.previous', title: 'Previous step', shortcuts: ['alt+ArrowLeft'], run: () => go(-1) },
    { ...common, id: 'stage.next', title: 'Next step', shortcuts: ['alt+ArrowRight'], run: () => go(1) },
    // Handles and the view take these keys themselves.
    { ...shown, id: 'stage.pan', title: 'Pan while it is held', shortcuts: ['Space'] },
    { ...shown, id: 'stage.enter', title: 'Edit the text of the frame, or go to its handles', shortcuts: ['Enter'] },
    {
      ...shown,
      id: 'stage.nudge',
      title: 'Move the handle by 1 px',
      shortcuts: ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'],
    },
    {
      ...shown,
      id: 'stage.nudgeFar',
      title: 'Move the handle by 10 px',
      shortcuts: ['shift+ArrowLeft', 'shift+ArrowRight', 'shift+ArrowUp', 'shift+ArrowDown'],
    },
  ]
}

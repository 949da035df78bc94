import { type ReactFlowState, useStoreApi, type Viewport } from '@xyflow/react'
import { useMemo } from 'react'
import { useEditor } from '../state/editor-context.ts'
import { createCompositorTransform } from './compositor-transform.ts'

/** By which React Flow knows that it is controlled where to look. Never another: it is controlled by its store. */
const controlled: Viewport = { x: 0, y: 0, zoom: 1 }

/**
 * Panning and zooming without rendering. React Flow tells every step of them to all its parts: with 200 nodes to some two
 * thousand, which takes half of a frame and draws nothing anew but the map. Here all cards are carried as one picture, and
 * React Flow is controlled when they stand still. Its functions know the place all the while.
 */
export function useView() {
  const editor = useEditor()
  const store = useStoreApi()
  return useMemo(() => {
    let isMoving = false
    const compositorTransform = createCompositorTransform()
    const transformOf = ({ x, y, zoom }: Viewport): ReactFlowState['transform'] => [x, y, zoom]
    return {
      viewport: controlled,
      onMoveStart() {
        isMoving = true
        // By an attribute, so that nothing is rendered for it.
        editor.view.element?.setAttribute('data-moving', '')
      },
      onViewportChange(view: Viewport) {
        if (!isMoving) {
          store.setState({ transform: transformOf(view) })
          return
        }
        // Past its listeners, and seen by all that ask.
        store.getState().transform = transformOf(view)
        const all = editor.view.element?.querySelector('.react-flow__viewport')
        if (all) compositorTransform.carry(all, `translate(${view.x}px, ${view.y}px) scale(${view.zoom})`)
        editor.view.onMove?.()
      },
      onMoveEnd() {
        isMoving = false
        editor.view.element?.removeAttribute('data-moving')
        store.setState({ transform: [...store.getState().transform] })
        compositorTransform.reset()
      },
    }
  }, [editor, store])
}

import { type ReactFlowState, useStoreApi, type Viewport } from '@xyflow/react'
import { useMemo } from 'react'
import { useEditor } from '../state/editor-context.ts'
import { createCompositorTransform } from './compositor-transform.ts'

/** Makes React Flow's viewport controlled. The value never changes: the real one is in React Flow's store. */
const controlled: Viewport = { x: 0, y: 0, zoom: 1 }

/**
 * Pans and zooms without rendering. React Flow notifies all its parts of each step: with 200 nodes about two thousand,
 * which takes half a frame and renders only the map. Here all cards move as one layer, and React Flow is notified at
 * the end. Its functions always read the current viewport.
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
        // An attribute instead of state, so that nothing renders.
        editor.view.element?.setAttribute('data-moving', '')
      },
      onViewportChange(view: Viewport) {
        if (!isMoving) {
          store.setState({ transform: transformOf(view) })
          return
        }
        // Does not notify listeners, but functions that read the store get the new value.
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

import { type RefObject, useEffect, useRef } from 'react'
import { useEditor } from '../state/editor-context.ts'

/** Keeps a live image of a node that has no other, once its card was on the screen. Returns the ref of the image's element. */
export function useQuietPreview(id: string, isMissing: boolean): RefObject<HTMLDivElement | null> {
  const { previews, isReadOnly } = useEditor()
  const frame = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!isMissing || isReadOnly || frame.current === null) return undefined
    let leave: (() => void) | undefined
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return
      observer.disconnect()
      leave = previews.watch(id, { isQuiet: true })
    })
    observer.observe(frame.current)
    return () => {
      observer.disconnect()
      leave?.()
    }
  }, [previews, isReadOnly, id, isMissing])
  return frame
}

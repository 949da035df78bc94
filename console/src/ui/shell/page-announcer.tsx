import { VisuallyHidden } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'

/** Long enough for a title that changes twice, such as the name of a loading workflow. */
const settledMs = 300

/** Announces the page title after navigation. Browsers only do this when a document loads. */
export function PageAnnouncer({ path }: { path: string }) {
  const [title, setTitle] = useState('')
  const before = useRef(path)
  const titleBefore = useRef('')
  // Read while rendering, before the new page sets its title.
  if (path !== before.current) titleBefore.current = document.title
  useEffect(() => {
    if (path === before.current) return
    before.current = path
    let timer: ReturnType<typeof setTimeout> | undefined
    const announce = () => {
      // The new page isn't loaded yet on a slow machine. Its title comes with the next change.
      if (document.title === titleBefore.current) return
      observer.disconnect()
      setTitle(document.title)
    }
    const wait = () => {
      clearTimeout(timer)
      timer = setTimeout(announce, settledMs)
    }
    const observer = new MutationObserver(wait)
    observer.observe(document.head, { subtree: true, childList: true, characterData: true })
    wait()
    return () => {
      observer.disconnect()
      clearTimeout(timer)
    }
  }, [path])
  return <VisuallyHidden aria-live="polite">{title}</VisuallyHidden>
}

import { VisuallyHidden } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'

/** Long enough for the page to say what it is called. */
const settledMs = 300

/** Reads out which page has come: a browser does so only where the whole document is loaded. */
export function PageAnnouncer({ path }: { path: string }) {
  const [title, setTitle] = useState('')
  const before = useRef(path)
  useEffect(() => {
    if (path === before.current) return
    before.current = path
    const timer = setTimeout(() => setTitle(document.title), settledMs)
    return () => clearTimeout(timer)
  }, [path])
  return <VisuallyHidden aria-live="polite">{title}</VisuallyHidden>
}

import { UnstyledButton } from '@mantine/core'
import { ChevronDown, ChevronUp } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { Grip } from '../ui/grip.tsx'
import { useIsNarrow } from '../ui/screen.ts'
import { isNote } from './document/notes.ts'
import { outputId } from './document/wires.ts'
import classes from './editor-layout.module.css'
import { Inspector } from './inspector/inspector.tsx'
import { RunPanel } from './run/run-panel.tsx'
import { useDocument } from './state/editor-context.ts'

interface Props {
  /** The canvas. */
  children: ReactNode
  panel?: ReactNode
  inspector?: ReactNode
}

/** The canvas with the run panel below or on its right, and the inspector on the right, or in a sheet on a narrow screen. */
export function EditorLayout({ children, panel = <RunPanel />, inspector = <Inspector /> }: Props) {
  const isNarrow = useIsNarrow()
  return (
    <div className={classes.layout}>
      <div className={classes.left}>
        {children}
        {panel}
        {isNarrow ? <Sheet>{inspector}</Sheet> : null}
      </div>
      {isNarrow ? null : <Side>{inspector}</Side>}
    </div>
  )
}

/** The inspector. Its width can be dragged, or changed with arrow keys. */
function Side({ children }: { children: ReactNode }) {
  const [width, setWidth] = useState(336)
  return (
    <>
      <Grip label="Width of the inspector" axis="x" value={width} min={260} max={640} onChange={setWidth} />
      <aside className={classes.inspector} style={{ width }} aria-label="Inspector">
        {children}
      </aside>
    </>
  )
}

/** The inspector on a narrow screen. It opens with its handle, or when a field gets the focus. */
function Sheet({ children }: { children: ReactNode }) {
  const [isOpen, setOpen] = useState(false)
  const focus = useDocument((state) => state.focus)
  const title = useDocument(({ selection, document }) => {
    const [id] = selection
    if (selection.length > 1) return `${selection.length} selected`
    return id === undefined ? document.name || 'Workflow' : id === outputId ? 'Output' : isNote(id) ? 'Note' : id
  })
  useEffect(() => {
    if (focus !== undefined) setOpen(true)
  }, [focus])
  const Chevron = isOpen ? ChevronDown : ChevronUp
  return (
    <section className={classes.sheet} aria-label="Inspector">
      <UnstyledButton className={classes.sheetHead ?? ''} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <span className={classes.sheetTitle}>{title}</span>
        <Chevron size={18} aria-hidden />
      </UnstyledButton>
      {isOpen ? <div className={classes.sheetBody}>{children}</div> : null}
    </section>
  )
}

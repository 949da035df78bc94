import { type ReactNode, useEffect, useId, useState } from 'react'
import { isWithin } from '../document/path.ts'
import { FoldHead } from '../form/fold.tsx'
import { useDocument } from '../state/editor-context.ts'
import classes from './inspector.module.css'
import { useIssuesOf } from './issues.ts'

interface Props {
  /** Path of the item in the document. */
  path: string
  name: string
  type: string
  /** Its value in one line. */
  value: ReactNode
  /** Opens it. */
  isNew: boolean
  actions: ReactNode
  children: ReactNode
}

/** An item of a list in the inspector: folded, or with its fields. Opens when one of its fields gets the focus. */
export function FoldedItem({ path, name, type, value, isNew, actions, children }: Props) {
  const focus = useDocument((state) => state.focus)
  const issues = useIssuesOf(path)
  const [isOpen, setIsOpen] = useState(isNew)
  const id = useId()
  const openAt = focus !== undefined && isWithin(focus.path, path) ? focus.at : undefined
  useEffect(() => {
    if (openAt !== undefined) setIsOpen(true)
  }, [openAt])
  return (
    <div className={classes.parameter} data-path={path} data-wrong={issues.length > 0 || undefined}>
      <div className={classes.parameterHead}>
        <FoldHead className={classes.parameterName} isOpen={isOpen} onToggle={() => setIsOpen(!isOpen)} controls={id}>
          <span className={classes.name}>{name}</span>
          <span className={classes.type}>{type}</span>
          <span className={classes.default}>{value}</span>
        </FoldHead>
        {actions}
      </div>
      {isOpen && (
        <div id={id} className={classes.parameterBody}>
          {children}
        </div>
      )}
    </div>
  )
}

import type { ReactNode } from 'react'
import classes from './form-grid.module.css'

/** The fields of a form in two columns: short fields share a row. `isNested`: the fields of a value inside of a form. */
export function FormGrid({ isNested = false, children }: { isNested?: boolean; children: ReactNode }) {
  return (
    <div className={classes.form} data-nested={isNested || undefined}>
      {children}
    </div>
  )
}

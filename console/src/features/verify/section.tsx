import type { ReactNode } from 'react'
import classes from './section.module.css'

/** A part of the details. */
export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={classes.section}>
      <h4>{title}</h4>
      {children}
    </section>
  )
}

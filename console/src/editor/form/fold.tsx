import { UnstyledButton } from '@mantine/core'
import { ChevronRight } from 'lucide-react'
import { type ReactNode, useEffect, useId, useState } from 'react'
import classes from './form.module.css'

interface Props {
  title: string
  /** Beside the title when it is folded, such as how many values are set in it. */
  note?: string
  isOpenAtFirst?: boolean
  /** Opens it whenever this becomes another number. */
  openAt?: number | undefined
  children: ReactNode
}

/** A part of a form that can be folded away. */
export function Fold({ title, note, isOpenAtFirst = false, openAt, children }: Props) {
  const [isOpen, setIsOpen] = useState(isOpenAtFirst)
  const id = useId()
  useEffect(() => {
    if (openAt !== undefined) setIsOpen(true)
  }, [openAt])
  return (
    <section className={classes.fold}>
      <UnstyledButton
        className={classes.foldHead ?? ''}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setIsOpen(!isOpen)}
      >
        <ChevronRight size={14} aria-hidden className={classes.chevron} />
        <span>{title}</span>
        {!isOpen && note !== undefined && <span className={classes.note}>{note}</span>}
      </UnstyledButton>
      {isOpen && (
        <div id={id} className={classes.foldBody}>
          {children}
        </div>
      )}
    </section>
  )
}

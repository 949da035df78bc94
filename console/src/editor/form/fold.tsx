import { UnstyledButton } from '@mantine/core'
import { ChevronRight } from 'lucide-react'
import { type ReactNode, useEffect, useId, useState } from 'react'
import classes from './fold.module.css'

interface Props {
  title: string
  /** Shown next to the title while it is folded, such as how many values are set. */
  note?: string
  isOpenAtFirst?: boolean
  /** Each new number opens it. */
  openAt?: number | undefined
  children: ReactNode
}

/** A part of a form that can be folded. */
export function Fold({ title, note, isOpenAtFirst = false, openAt, children }: Props) {
  const [isOpen, setIsOpen] = useState(isOpenAtFirst)
  const id = useId()
  useEffect(() => {
    if (openAt !== undefined) setIsOpen(true)
  }, [openAt])
  return (
    <section className={classes.fold}>
      <FoldHead isOpen={isOpen} onToggle={() => setIsOpen(!isOpen)} controls={id}>
        <span>{title}</span>
        {!isOpen && note !== undefined && <span className={classes.note}>{note}</span>}
      </FoldHead>
      {isOpen && (
        <div id={id} className={classes.body}>
          {children}
        </div>
      )}
    </section>
  )
}

interface HeadProps {
  isOpen: boolean
  onToggle(): void
  /** Id of the element that it shows and hides. */
  controls: string
  className?: string | undefined
  children: ReactNode
}

/** The button that folds and unfolds, with an arrow. */
export function FoldHead({ isOpen, onToggle, controls, className = '', children }: HeadProps) {
  return (
    <UnstyledButton
      className={`${className} ${classes.head}`}
      aria-expanded={isOpen}
      aria-controls={controls}
      onClick={onToggle}
    >
      <ChevronRight size={14} aria-hidden className={classes.chevron} />
      {children}
    </UnstyledButton>
  )
}

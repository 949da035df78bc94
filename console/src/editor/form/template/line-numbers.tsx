import { type RefObject, useEffect, useState } from 'react'
import classes from './template.module.css'

/** A problem at a line, from 1. */
export interface LineMark {
  line: number
  column: number
  message: string
}

interface Props {
  text: string
  marks: readonly LineMark[]
  field: RefObject<HTMLTextAreaElement | null>
}

/** The numbers of the lines of a text field. The number of a line with a problem is a button that moves the caret there. */
export function LineNumbers({ text, marks, field }: Props) {
  const scrolled = useScrollTop(field)
  const lines = text.split('\n')
  const moveTo = ({ line, column }: LineMark) => {
    const start = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0)
    const at = Math.min(start + column - 1, text.length)
    field.current?.focus()
    field.current?.setSelectionRange(at, at)
  }
  return (
    <div className={classes.numbers} style={{ transform: `translateY(${-scrolled}px)` }}>
      {lines.map((_, index) => {
        const found = marks.filter(({ line }) => line === index + 1)
        const [first] = found
        const key = `${index}`
        if (first === undefined)
          return (
            <div key={key} aria-hidden>
              {index + 1}
            </div>
          )
        const messages = found.map(({ message }) => message).join('\n')
        return (
          <button
            key={key}
            type="button"
            className={classes.mark}
            title={messages}
            aria-label={`Problem in line ${index + 1}: ${messages}`}
            onClick={() => moveTo(first)}
          >
            {index + 1}
          </button>
        )
      })}
    </div>
  )
}

function useScrollTop(field: RefObject<HTMLTextAreaElement | null>): number {
  const [top, setTop] = useState(0)
  useEffect(() => {
    const element = field.current
    if (element === null) return
    const update = () => setTop(element.scrollTop)
    element.addEventListener('scroll', update, { passive: true })
    return () => element.removeEventListener('scroll', update)
  }, [field])
  return top
}

import { type ReactNode, useEffect, useId, useState } from 'react'
import { isWithin, joinPath } from '../../document/path.ts'
import { Problems } from '../field-frame.tsx'
import { FoldHead } from '../fold.tsx'
import { useForm, useProblems } from '../form-context.tsx'
import { itemName } from '../json-values.ts'
import type { JsonSchema } from '../schema.ts'
import classes from './list-field.module.css'
import { ObjectValues } from './object-field.tsx'

interface Props {
  schema: JsonSchema
  path: string
  index: number
  value: unknown
  /** Title of the list. */
  title: string
  isOpenAtFirst: boolean
  buttons: ReactNode
}

/** An item of a list with several fields: folded, with its name. Opens if one of its fields has a problem. */
export function FoldedItem({ schema, path, index, value, title, isOpenAtFirst, buttons }: Props) {
  const { at, issues, focus } = useForm()
  const fullPath = joinPath(at, path)
  const problems = useProblems(path)
  const [isOpen, setIsOpen] = useState(isOpenAtFirst)
  const id = useId()
  const hasIssue = issues.some((issue) => isWithin(issue.path, fullPath))
  const focusedAt = focus !== undefined && isWithin(focus.path, fullPath) ? focus.at : undefined
  useEffect(() => {
    if (hasIssue || focusedAt !== undefined) setIsOpen(true)
  }, [hasIssue, focusedAt])
  const values = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  const name = itemName(value)
  return (
    <fieldset
      className={classes.folded}
      aria-label={`${title} ${index + 1}`}
      data-path={fullPath}
      data-wrong={hasIssue || undefined}
    >
      <div className={classes.foldedHead}>
        <FoldHead className={classes.foldedName} isOpen={isOpen} onToggle={() => setIsOpen(!isOpen)} controls={id}>
          <span className={classes.number}>{index + 1}</span>
          <span className={classes.name}>{name ?? 'Empty'}</span>
        </FoldHead>
        {buttons}
      </div>
      <Problems id={`${id}-problem`} problems={problems} />
      {isOpen && (
        <div id={id} className={classes.foldedBody}>
          <ObjectValues schema={schema} path={path} values={values} isNested={false} />
        </div>
      )}
    </fieldset>
  )
}

import { type ReactNode, useEffect, useId } from 'react'
import { CommitText } from '../form/commit-text.tsx'
import { FieldFrame } from '../form/field-frame.tsx'

interface Props {
  path: string
  name: string
  description: string
  problems?: readonly string[]
  isNew?: boolean
  /** Why a typed name is not possible; undefined if it is. */
  problemOf(name: string): string | undefined
  onRename(name: string): void
  actions?: ReactNode
}

/** The name of an item in the inspector. */
export function NameField({
  path,
  name,
  description,
  problems = [],
  isNew = false,
  problemOf,
  onRename,
  actions,
}: Props) {
  const id = useId()
  // Selects the generated name of a new item, so that typing replaces it, and scrolls it into view.
  useEffect(() => {
    const field = isNew ? document.getElementById(id) : null
    if (!(field instanceof HTMLInputElement)) return
    field.focus()
    field.select()
  }, [isNew, id])
  return (
    <FieldFrame
      title="Name"
      description={description}
      isRequired
      id={id}
      labelId={`${id}-label`}
      problems={problems}
      path={path}
      actions={actions}
    >
      <CommitText id={id} size="sm" value={name} problemOf={problemOf} onCommit={onRename} />
    </FieldFrame>
  )
}

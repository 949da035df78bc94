import { Braces } from 'lucide-react'
import { useId } from 'react'
import { joinPath } from '../../document/path.ts'
import type { FieldProps } from '../field.tsx'
import { describedBy, FieldFrame } from '../field-frame.tsx'
import { useForm, useProblems } from '../form-context.tsx'
import { titleOf } from '../schema.ts'
import { SmallButton } from '../small-button.tsx'
import { JsonControl } from './json-control.tsx'

/** Switches between fields and JSON text. */
export function JsonToggle({
  title,
  isText,
  isDisabled,
  onToggle,
}: {
  title: string
  isText: boolean
  isDisabled: boolean
  onToggle(): void
}) {
  return (
    <SmallButton
      aria-label={isText ? `Edit in fields: ${title}` : `Edit as JSON: ${title}`}
      aria-pressed={isText}
      isActive={isText}
      disabled={isDisabled}
      onClick={onToggle}
    >
      <Braces size={14} aria-hidden />
    </SmallButton>
  )
}

/** A value as JSON text, in place of its fields. */
export function JsonText({ schema, name, path, value, isRequired, actions }: FieldProps) {
  const { at, onChange } = useForm()
  const id = useId()
  const problems = useProblems(path, true)
  const { description = '' } = schema
  return (
    <FieldFrame
      title={titleOf(schema, name)}
      description={description}
      isRequired={isRequired}
      id={id}
      labelId={`${id}-label`}
      problems={problems}
      path={joinPath(at, path)}
      onReset={isRequired || value === undefined ? undefined : () => onChange(path, undefined)}
      actions={actions}
    >
      <JsonControl
        schema={schema}
        name={name}
        value={value ?? schema.default}
        onChange={(next) => onChange(path, next)}
        id={id}
        labelId={`${id}-label`}
        describedBy={describedBy(id, description, problems)}
        isInvalid={problems.length > 0}
        placeholder=""
      />
    </FieldFrame>
  )
}

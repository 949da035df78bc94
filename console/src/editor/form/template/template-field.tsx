import { useState } from 'react'
import { isTemplate } from '../../../../../shared/values.ts'
import type { ControlProps } from '../control.ts'
import { useForm } from '../form-context.tsx'
import type { JsonSchema } from '../schema.ts'
import { useTemplateScope } from './scope.ts'
import { TemplateEditor } from './template-editor.tsx'
import { TemplateResult } from './template-result.tsx'

interface Props extends ControlProps {
  isNew: boolean
  /** Goes back to a plain value: the given one, or the one before the template. */
  onLeave(literal?: unknown): void
}

/**
 * A template instead of a value. Other text is saved when the field loses the focus. Until then the field stays a
 * template field.
 */
export function TemplateField({ isNew, onLeave, ...control }: Props) {
  const { node } = useForm()
  const scope = useTemplateScope(node)
  const { value, schema, onChange, id, describedBy, isInvalid } = control
  const isSaved = isTemplate(value)
  const [typed, setTyped] = useState<string | undefined>(isSaved ? undefined : '{{  }}')
  const handleChange = (text: string) => {
    const isUsable = isTemplate(text) && !isEmptyTemplate(text)
    setTyped(isUsable ? undefined : text)
    if (isUsable) onChange(text)
  }
  return (
    <>
      <TemplateEditor
        value={typed ?? (isSaved ? value : '')}
        onChange={handleChange}
        names={scope.names}
        id={id}
        describedBy={describedBy}
        isInvalid={isInvalid}
        caretAtStart={isNew && !isSaved ? 3 : undefined}
        onBlur={() => {
          if (typed === undefined && isSaved) return
          setTyped(undefined)
          onLeave(typed === undefined ? undefined : literalOf(typed.trim(), schema))
        }}
      />
      {isSaved && typed === undefined && (
        <TemplateResult text={value} schema={schema} scope={scope} isProblemShown={isInvalid} />
      )}
    </>
  )
}

/** The plain value that was typed instead of a template. */
function literalOf(text: string, { type }: JsonSchema): unknown {
  if (text === '' || isTemplate(text)) return undefined
  if (type === 'string') return text
  const number = Number(text)
  return (type === 'number' || type === 'integer') && Number.isFinite(number) ? number : undefined
}

function isEmptyTemplate(text: string): boolean {
  return /^\s*\{\{\s*\}\}\s*$/.test(text)
}

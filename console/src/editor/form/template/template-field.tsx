import { useState } from 'react'
import { isTemplate } from '../../document/references.ts'
import type { ControlProps } from '../control.ts'
import { useForm } from '../form-context.tsx'
import type { JsonSchema } from '../schema.ts'
import { useTemplateScope } from './scope.ts'
import { TemplateEditor } from './template-editor.tsx'
import { TemplateResult } from './template-result.tsx'

interface Props extends ControlProps {
  isNew: boolean
  /** Back to a value: this one, or the one that was there before. */
  onLeave(literal?: unknown): void
}

/** A template in place of a value. What is none, or not yet, is handleChange when it is left: until then the field stays what it is. */
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

/** A value that was written where a template stood. */
function literalOf(text: string, { type }: JsonSchema): unknown {
  if (text === '' || isTemplate(text)) return undefined
  if (type === 'string') return text
  const number = Number(text)
  return (type === 'number' || type === 'integer') && Number.isFinite(number) ? number : undefined
}

function isEmptyTemplate(text: string): boolean {
  return /^\s*\{\{\s*\}\}\s*$/.test(text)
}

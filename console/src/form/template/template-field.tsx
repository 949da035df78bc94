import { useState } from 'react'
import type { ControlProps } from '../control.ts'
import { useForm } from '../form-context.tsx'
import { isTemplate } from '../value.ts'
import { useTemplateScope } from './scope.ts'
import { TemplateEditor } from './template-editor.tsx'
import { TemplateResult } from './template-result.tsx'

/** A template in place of a value. A new one is not put before it says something. */
export function TemplateField({ isNew, onLeave, ...control }: ControlProps & { isNew: boolean; onLeave(): void }) {
  const { node } = useForm()
  const scope = useTemplateScope(node)
  const [draft, setDraft] = useState('{{  }}')
  const { value, schema, onChange, id, describedBy, isInvalid } = control
  const isPut = isTemplate(value)
  const put = (text: string) => {
    setDraft(text)
    if (isPut || !saysNothing(text)) onChange(text === '' ? undefined : text)
  }
  return (
    <>
      <TemplateEditor
        value={isPut ? value : draft}
        onChange={put}
        names={scope.names}
        id={id}
        describedBy={describedBy}
        isInvalid={isInvalid}
        caretAtStart={isNew && !isPut ? 3 : undefined}
        onBlur={() => {
          if (!isPut || saysNothing(value)) onLeave()
        }}
      />
      {isPut && <TemplateResult text={value} schema={schema} scope={scope} />}
    </>
  )
}

function saysNothing(text: string): boolean {
  return /^\s*\{\{\s*\}\}\s*$/.test(text)
}

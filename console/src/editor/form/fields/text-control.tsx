import { useCallback } from 'react'
import { isTemplate } from '../../../../../shared/values.ts'
import type { ControlProps } from '../control.ts'
import { useForm, useLineMarks } from '../form-context.tsx'
import { widgetOf } from '../schema.ts'
import { useTemplateScope } from '../template/scope.ts'
import { TemplateEditor } from '../template/template-editor.tsx'
import { TemplateResult } from '../template/template-result.tsx'
import { valueOfEmptyText } from '../value.ts'
import { PlainText } from './plain-text.tsx'

/** Text that can contain templates. */
export function TextControl(props: ControlProps) {
  const { withTemplates } = useForm()
  return withTemplates ? <TemplatedText {...props} /> : <PlainText {...props} />
}

function TemplatedText({ schema, name, path, value, onChange, id, describedBy, isInvalid, placeholder }: ControlProps) {
  const { node } = useForm()
  const marks = useLineMarks(path)
  const scope = useTemplateScope(node)
  const change = useCallback(
    (next: string) => onChange(next === '' ? valueOfEmptyText(schema) : next),
    [onChange, schema],
  )
  const text = typeof value === 'string' ? value : value === undefined ? '' : String(value)
  return (
    <>
      <TemplateEditor
        value={text}
        onChange={change}
        names={scope.names}
        id={id}
        describedBy={describedBy}
        isInvalid={isInvalid}
        placeholder={value === '' ? '' : placeholder}
        isMultiline={widgetOf(schema, name) === 'multiline'}
        marks={schema['x-template'] && marks}
      />
      {isTemplate(text) && <TemplateResult text={text} schema={schema} scope={scope} isProblemShown={isInvalid} />}
    </>
  )
}

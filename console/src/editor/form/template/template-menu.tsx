import { Menu } from '@mantine/core'
import { Braces, Link2, Plus, TextCursorInput } from 'lucide-react'
import { useState } from 'react'
import { isTemplate, typesOf } from '../../../../../shared/values.ts'
import { onlyParameter } from '../../document/references.ts'
import { useEditor } from '../../state/editor-context.ts'
import { useForm } from '../form-context.tsx'
import type { JsonSchema } from '../schema.ts'
import { SmallButton } from '../small-button.tsx'

interface Props {
  schema: JsonSchema
  path: string
  value: unknown
  title: string
  isTemplate: boolean
  onTemplate: (() => void) | undefined
  onLiteral(): void
}

/** The source of a value: a plain value, a parameter or a template. */
export function TemplateMenu(props: Props) {
  const { title, value, onTemplate } = props
  // The focus moves to the new template field, or returns to the button.
  const [returnsFocus, setReturnsFocus] = useState(true)
  const isFromElsewhere = props.isTemplate || isTemplate(value)
  return (
    <Menu position="bottom-end" shadow="md" width={240} returnFocus={returnsFocus} onOpen={() => setReturnsFocus(true)}>
      <Menu.Target>
        <SmallButton isActive={isFromElsewhere} aria-label={`Value or template: ${title}`}>
          <Braces size={14} aria-hidden />
        </SmallButton>
      </Menu.Target>
      <Menu.Dropdown>
        <MenuRows
          {...props}
          onTemplate={
            onTemplate &&
            (() => {
              setReturnsFocus(false)
              onTemplate()
            })
          }
        />
      </Menu.Dropdown>
    </Menu>
  )
}

/** Rendered when the menu opens, so that fields do not depend on the parameters. */
function MenuRows({ schema, path, value, isTemplate: isTemplated, onTemplate, onLiteral }: Props) {
  const store = useEditor().document
  const { onChange, promote } = useForm()
  const types = typesOf(schema)
  const isNumber = types.includes('number') || types.includes('integer')
  const parameters = (store.getState().document.parameters ?? []).filter(({ type }) => !isNumber || type === 'number')
  const current = onlyParameter(value)
  const mayPromote =
    promote !== undefined && !isTemplated && !isTemplate(value) && (isNumber || types.includes('string'))
  return (
    <>
      {isTemplated && (
        <Menu.Item leftSection={<TextCursorInput size={14} />} onClick={() => onLiteral()}>
          A fixed value
        </Menu.Item>
      )}
      {!isTemplated && onTemplate !== undefined && (
        <Menu.Item leftSection={<Braces size={14} />} onClick={onTemplate}>
          A template
        </Menu.Item>
      )}
      {mayPromote && (
        <Menu.Item leftSection={<Plus size={14} />} onClick={() => promote(path, value ?? schema.default)}>
          A new parameter
        </Menu.Item>
      )}
      {parameters.length > 0 && <Menu.Label>Parameters</Menu.Label>}
      {parameters.map(({ name }) => (
        <Menu.Item
          key={name}
          leftSection={<Link2 size={14} />}
          disabled={name === current}
          onClick={() => onChange(path, `{{ ${name} }}`)}
        >
          {name}
        </Menu.Item>
      ))}
    </>
  )
}

import { ActionIcon, Button, Checkbox, Menu } from '@mantine/core'
import { ArrowDown, ArrowUp, ChevronRight, Ellipsis, Plus, Trash2 } from 'lucide-react'
import { type ComponentType, useEffect, useId, useState } from 'react'
import type { ValueSchema } from '../../../../../shared/json-schema.ts'
import { parameterNamePattern } from '../../../../../shared/names.ts'
import { isWithin, joinPath } from '../../document/path.ts'
import { CommitText } from '../commit-text.tsx'
import { Problems } from '../field-frame.tsx'
import { useForm, useProblems } from '../form-context.tsx'
import { KindSelect, type ValueProps } from './kind-select.tsx'
import { moveField, newFieldName, removeField, renameField, setRequired } from './kinds.ts'
import classes from './schema-editor.module.css'

interface Props {
  /** Schema of an object. */
  schema: ValueSchema
  path: string
  depth: number
  /** The editor of the schema of a field, which can have fields itself. */
  Value: ComponentType<ValueProps>
  onChange(schema: ValueSchema): void
}

/** The fields of an object: name, kind, and whether they are required. */
export function FieldsEditor({ schema, path, depth, Value, onChange }: Props) {
  const { properties = {} } = schema
  const names = Object.keys(properties)
  const [added, setAdded] = useState<string>()
  const add = () => {
    const name = newFieldName(properties)
    onChange({ ...schema, properties: { ...properties, [name]: { type: 'string' } } })
    setAdded(name)
  }
  return (
    <>
      <ul className={classes.fields} aria-label="Fields">
        {names.map((name, index) => (
          <FieldRow
            // biome-ignore lint/suspicious/noArrayIndexKey: a name changes while its field is edited
            key={index}
            schema={schema}
            name={name}
            path={path}
            depth={depth}
            isNew={name === added}
            Value={Value}
            onChange={onChange}
          />
        ))}
      </ul>
      <Button variant="default" size="xs" leftSection={<Plus size={14} aria-hidden />} onClick={add}>
        Add a field
      </Button>
    </>
  )
}

function FieldRow({ schema, name, path, depth, isNew, Value, onChange }: Props & { name: string; isNew: boolean }) {
  const { at, issues } = useForm()
  const { properties = {}, required = [] } = schema
  const field = properties[name] ?? { type: 'string' }
  const fieldPath = joinPath(path, 'properties', name)
  const problems = useProblems(fieldPath)
  const hasIssue = issues.some((issue) => isWithin(issue.path, joinPath(at, fieldPath)))
  const isTree = field.type === 'object' || field.type === 'array'
  const [isOpen, setIsOpen] = useState(isTree && isNew)
  const id = useId()
  useEffect(() => {
    if (hasIssue) setIsOpen(true)
  }, [hasIssue])
  // Typing replaces the generated name.
  useEffect(() => {
    const input = isNew ? document.getElementById(`${id}-name`) : null
    if (!(input instanceof HTMLInputElement)) return
    input.focus()
    input.select()
  }, [isNew, id])
  const change = (next: ValueSchema) => onChange({ ...schema, properties: { ...properties, [name]: next } })
  return (
    <li className={classes.field} data-path={joinPath(at, fieldPath)} data-wrong={hasIssue || undefined}>
      <div className={classes.fieldHead}>
        <CommitText
          id={`${id}-name`}
          size="sm"
          className={classes.fieldName ?? ''}
          aria-label={`Name of the field ${name}`}
          value={name}
          rightSection={required.includes(name) ? <span aria-hidden>*</span> : undefined}
          rightSectionWidth={20}
          problemOf={(to) => nameProblem(to, properties)}
          onCommit={(to) => onChange(renameField(schema, name, to))}
        />
        <KindSelect
          aria-label={`Kind of the field ${name}`}
          schema={field}
          depth={depth + 1}
          onChange={(next) => {
            change(next)
            if (next.type === 'object' || next.type === 'array' || next.enum !== undefined) setIsOpen(true)
          }}
        />
        <FieldButtons
          schema={schema}
          name={name}
          isOpen={isOpen}
          onToggle={() => setIsOpen(!isOpen)}
          controls={id}
          onChange={onChange}
        />
      </div>
      <Problems id={`${id}-problem`} name={name} problems={problems} />
      {isOpen && (
        <div id={id} className={classes.fieldBody}>
          <Checkbox
            size="xs"
            label="Required"
            checked={required.includes(name)}
            onChange={({ currentTarget }) => onChange(setRequired(schema, name, currentTarget.checked))}
          />
          <Value schema={field} path={fieldPath} depth={depth + 1} isField onChange={change} />
        </div>
      )}
    </li>
  )
}

interface ButtonsProps extends Pick<Props, 'schema' | 'onChange'> {
  name: string
  isOpen: boolean
  onToggle(): void
  controls: string
}

function FieldButtons({ schema, name, isOpen, onToggle, controls, onChange }: ButtonsProps) {
  const names = Object.keys(schema.properties ?? {})
  const index = names.indexOf(name)
  return (
    <>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={28}
        aria-label={`Settings of the field ${name}`}
        aria-expanded={isOpen}
        aria-controls={controls}
        onClick={onToggle}
      >
        <ChevronRight size={16} aria-hidden className={classes.chevron} />
      </ActionIcon>
      <Menu position="bottom-end" shadow="md">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" size={28} aria-label={`Move or remove the field ${name}`}>
            <Ellipsis size={16} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            leftSection={<ArrowUp size={14} />}
            disabled={index === 0}
            onClick={() => onChange(moveField(schema, name, -1))}
          >
            Move up
          </Menu.Item>
          <Menu.Item
            leftSection={<ArrowDown size={14} />}
            disabled={index === names.length - 1}
            onClick={() => onChange(moveField(schema, name, 1))}
          >
            Move down
          </Menu.Item>
          <Menu.Item leftSection={<Trash2 size={14} />} onClick={() => onChange(removeField(schema, name))}>
            Remove
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </>
  )
}

const pattern = new RegExp(parameterNamePattern)

function nameProblem(name: string, properties: Readonly<Record<string, unknown>>): string | undefined {
  if (!pattern.test(name)) return 'A name starts with a letter, followed by letters, digits, _ or -.'
  if (Object.hasOwn(properties, name)) return `There is a field ${name} already.`
  return name in {} ? 'Every JavaScript object has this name. Choose another one.' : undefined
}

import { Button, Group } from '@mantine/core'
import { ArrowDown, ArrowUp, Pencil, Plus, Trash2 } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import { isTemplate } from '../../../../../shared/values.ts'
import { joinPath } from '../../document/path.ts'
import { defaultText } from '../default-text.ts'
import { Field, type FieldProps } from '../field.tsx'
import { FieldFrame, FieldGroup, ResetButton } from '../field-frame.tsx'
import { useForm, useIsMissing, useProblems } from '../form-context.tsx'
import { blankOf, itemsText } from '../json-values.ts'
import { initialOf, type JsonSchema, titleOf, widgetOf } from '../schema.ts'
import { showField } from '../show-field.ts'
import { SmallButton } from '../small-button.tsx'
import { AddButton } from './add-button.tsx'
import { FoldedItem } from './folded-item.tsx'
import classes from './list-field.module.css'
import { ColorsBar, StopsBar } from './stops-bar.tsx'

/** A list of values that can be added, removed and moved. */
export function ListField({ schema, name, path, value, isRequired, example, actions }: FieldProps) {
  const { at, onChange, withTemplates } = useForm()
  const id = useId()
  const problems = useProblems(path)
  const isMissing = useIsMissing(value)
  const title = titleOf(schema, name)
  const description = schema.description ?? ''
  const items = Array.isArray(value) ? (value as unknown[]) : []
  const item = schema.items ?? {}
  // The default is only previewed. Changing it copies it first.
  const defaults = value === undefined && Array.isArray(schema.default) ? (schema.default as unknown[]) : []
  const setItems = (next: unknown[]) => onChange(path, next.length === 0 ? undefined : next)
  const [added, setAdded] = useState<number>()
  const list = useRef<HTMLDivElement>(null)
  const add = () => {
    if (defaults.length > 0) return setItems(structuredClone(defaults))
    const next = withTemplates ? nextItems(schema, items, example) : blankItems(schema, items.length)
    setItems([...items, ...next])
    if (withTemplates) return
    setAdded(items.length)
    showField(list, joinPath(at, path, items.length))
  }
  if (items.length === 0 && defaults.length === 0)
    return (
      <FieldFrame
        title={title}
        description={description}
        isRequired={isRequired}
        id={id}
        labelId={`${id}-label`}
        problems={problems}
        isMissing={isMissing}
        path={joinPath(at, path)}
        defaultText={defaultText(schema)}
        isDefaultShown
        actions={actions}
        isRow
      >
        <AddButton id={id} title={title} onAdd={add} />
      </FieldFrame>
    )
  const isFull = items.length >= (schema.maxItems ?? Number.POSITIVE_INFINITY)
  return (
    <FieldGroup
      title={title}
      description={description}
      isRequired={isRequired}
      id={id}
      problems={problems}
      isMissing={isMissing}
      path={joinPath(at, path)}
      actions={
        <>
          {value !== undefined && !isRequired && (
            <ResetButton title={title} onReset={() => onChange(path, undefined)} />
          )}
          {actions}
        </>
      }
    >
      {isStops(item) && <StopsBar stops={value === undefined ? defaults : items} />}
      {widgetOf(item) === 'color' && defaults.length > 0 && <ColorsBar colors={defaults} />}
      {defaults.length > 0 && schema['x-json'] === true && (
        <div className={classes.defaults}>Default: {itemsText(defaults)}</div>
      )}
      <div ref={list}>
        {items.map((itemValue, index) => (
          <ListRow
            // biome-ignore lint/suspicious/noArrayIndexKey: items are identified only by their index
            key={index}
            schema={item}
            path={path}
            items={items}
            index={index}
            value={itemValue}
            title={title}
            isNew={index === added}
            mayRemove={items.length > (schema.minItems ?? 0) || !isRequired}
            onChange={setItems}
          />
        ))}
      </div>
      <Group>
        <Button
          variant="default"
          size="xs"
          leftSection={defaults.length > 0 ? <Pencil size={14} aria-hidden /> : <Plus size={14} aria-hidden />}
          disabled={isFull}
          aria-label={`${defaults.length > 0 ? 'Change' : 'Add to'} ${title}`}
          onClick={add}
        >
          {defaults.length > 0 ? 'Change' : 'Add'}
        </Button>
      </Group>
    </FieldGroup>
  )
}

interface RowProps {
  schema: JsonSchema
  path: string
  items: unknown[]
  index: number
  value: unknown
  title: string
  /** It was just added. */
  isNew: boolean
  mayRemove: boolean
  onChange(items: unknown[]): void
}

function ListRow({ schema, path, items, index, value, title, isNew, mayRemove, onChange }: RowProps) {
  const { withTemplates } = useForm()
  const move = (to: number) => onChange(items.toSpliced(index, 1).toSpliced(to, 0, value))
  const buttons = [
    { label: 'Move up', Icon: ArrowUp, isOff: index === 0, run: () => move(index - 1) },
    { label: 'Move down', Icon: ArrowDown, isOff: index === items.length - 1, run: () => move(index + 1) },
    { label: 'Remove', Icon: Trash2, isOff: !mayRemove, run: () => onChange(items.toSpliced(index, 1)) },
  ]
  const buttonRow = (
    <div className={classes.buttons}>
      {buttons.map(({ label, Icon, isOff, run }) => (
        <SmallButton key={label} aria-label={`${label}: ${title} ${index + 1}`} disabled={isOff} onClick={run}>
          <Icon size={14} aria-hidden />
        </SmallButton>
      ))}
    </div>
  )
  const isTree = widgetOf(schema) === 'object' && !isTemplate(value)
  if (isTree && !withTemplates)
    return (
      <FoldedItem
        schema={schema}
        path={joinPath(path, index)}
        index={index}
        value={value}
        title={title}
        isOpenAtFirst={isNew}
        buttons={buttonRow}
      />
    )
  return (
    <div className={classes.row} data-tree={isTree || undefined}>
      <div className={classes.field}>
        <Field
          schema={{ ...schema, title: `${index + 1}` }}
          name={String(index)}
          path={joinPath(path, index)}
          value={value}
          isRequired
        />
      </div>
      {buttonRow}
    </div>
  )
}

/** One empty item, or at first the minimum number. */
function blankItems(schema: JsonSchema, count: number): unknown[] {
  const missing = Math.max(1, (schema.minItems ?? 0) - count)
  return Array.from({ length: missing }, () => blankOf(schema.items ?? {}))
}

/** The items to add: one more, or at first the minimum number. */
function nextItems(schema: JsonSchema, items: readonly unknown[], example: unknown): unknown[] {
  const examples = Array.isArray(example) ? (example as unknown[]) : []
  if (items.length === 0 && examples.length > 0)
    return structuredClone(examples.slice(0, Math.max(1, schema.minItems ?? 1)))
  const missing = Math.max(1, (schema.minItems ?? 0) - items.length)
  return Array.from({ length: missing }, (_, i) =>
    initialOf(schema.items ?? {}, examples[items.length + i] ?? items.at(-1)),
  )
}

function isStops({ properties = {} }: JsonSchema): boolean {
  return 'at' in properties && 'color' in properties
}

import { memo, type ReactNode, Suspense, useId, useRef, useState } from 'react'
import { isTemplate } from '../../../../shared/values.ts'
import { lazyPart } from '../../ui/lazy-part.ts'
import { joinPath } from '../document/path.ts'
import type { ControlProps } from './control.ts'
import { defaultText, placeholderOf } from './default-text.ts'
import { describedBy, FieldFrame } from './field-frame.tsx'
import { AddButton } from './fields/add-button.tsx'
import { AnchorControl, BooleanControl, SegmentsControl, SelectControl } from './fields/choice-controls.tsx'
import { ColorControl } from './fields/color-control.tsx'
import { DateControl } from './fields/date-control.tsx'
import { FontControl } from './fields/font-control.tsx'
import { ImageControl } from './fields/image-control.tsx'
import { JsonControl, NumbersControl } from './fields/json-control.tsx'
import { JsonField } from './fields/json-field.tsx'
import { LabelsControl } from './fields/labels-control.tsx'
import { ListField } from './fields/list-field.tsx'
import { ModelControl } from './fields/model-control.tsx'
import { NumberControl } from './fields/number-control.tsx'
import { ObjectField } from './fields/object-field.tsx'
import { PointsControl } from './fields/points-control.tsx'
import { TextControl } from './fields/text-control.tsx'
import { useForm, useIsMissing, useProblems } from './form-context.tsx'
import { hasPlaceholder, initialOf, isShort, type JsonSchema, titleOf, type Widget, widgetOf } from './schema.ts'
import { TemplateField } from './template/template-field.tsx'
import { TemplateMenu } from './template/template-menu.tsx'

export interface FieldProps {
  schema: JsonSchema
  /** The last key of the path. It is also the default title. */
  name: string
  /** Relative to the form: `box.x`. */
  path: string
  value: unknown
  isRequired: boolean
  /** Initial value, from the examples of the operation. */
  example?: unknown
  /** Whether it shares its row, with any widget. */
  isDense?: boolean
  /** More buttons next to the title. */
  actions?: ReactNode
}

const controls: Record<Exclude<Widget, 'list' | 'object' | 'schema'>, (props: ControlProps) => ReactNode> = {
  anchor: AnchorControl,
  boolean: BooleanControl,
  color: ColorControl,
  date: DateControl,
  font: FontControl,
  image: ImageControl,
  json: JsonControl,
  labels: LabelsControl,
  model: ModelControl,
  multiline: TextControl,
  number: NumberControl,
  numbers: NumbersControl,
  points: PointsControl,
  segments: SegmentsControl,
  select: SelectControl,
  text: TextControl,
  url: TextControl,
}

/** Only the editor of a workflow has schemas. */
const SchemaField = lazyPart(() => import('./schema-editor/schema-field.tsx'), 'SchemaField')

/** Widgets that show a value as one field, also if it has parts. */
const deepWidgets = new Set<Widget>(['json', 'labels', 'numbers', 'points'])

/** One value, with its widget or as a template. */
export const Field = memo(function Field(props: FieldProps) {
  const widget = widgetOf(props.schema, props.name)
  const isTemplated = isTemplate(props.value)
  if (widget === 'schema')
    return (
      <Suspense>
        <SchemaField {...props} />
      </Suspense>
    )
  const isTree = widget === 'object' || widget === 'list'
  if (isTree && props.schema['x-json'] === true) return <JsonField {...props} />
  if (widget === 'object' && !isTemplated) return <ObjectField {...props} />
  if (widget === 'list' && !isTemplated) return <ListField {...props} />
  return <ValueField {...props} widget={widget} />
})

function ValueField({
  schema,
  name,
  path,
  value,
  isRequired,
  isDense,
  widget,
}: FieldProps & { widget: Exclude<Widget, 'schema'> }) {
  const { at, onChange: changeForm, withTemplates } = useForm()
  const id = useId()
  const [isTemplateMode, setTemplateMode] = useState(false)
  const literal = useRef<unknown>(undefined)
  if (!isTemplate(value)) literal.current = value
  const isText = widget === 'text' || widget === 'multiline' || widget === 'url'
  const isTree = widget === 'list' || widget === 'object'
  const showsTemplate = withTemplates && !isText && (isTemplateMode || isTemplate(value))
  const problems = useProblems(path, deepWidgets.has(widget) || isTree)
  const isMissing = useIsMissing(value)
  const description = schema.description ?? ''
  const onChange = (next: unknown) => changeForm(path, next)
  const toLiteral = (next?: unknown) => {
    setTemplateMode(false)
    if (isTemplate(value)) changeForm(path, next ?? literal.current)
  }
  const Control = isTree ? JsonControl : controls[widget]
  const control: ControlProps = {
    schema,
    name,
    path,
    value,
    onChange,
    id,
    labelId: `${id}-label`,
    describedBy: describedBy(id, description, problems),
    isInvalid: problems.length > 0 && !isMissing,
    placeholder: placeholderOf(schema, isRequired),
    isDense,
  }
  const canReset = value !== undefined && (!isRequired || schema.default !== undefined)
  const isAbsent = widget === 'points' && value === undefined
  const isRow = (widget === 'boolean' || isAbsent) && !showsTemplate
  const menu = !withTemplates ? undefined : (
    <TemplateMenu
      schema={schema}
      path={path}
      value={value}
      title={titleOf(schema, name)}
      isTemplate={showsTemplate}
      onTemplate={isText ? undefined : () => setTemplateMode(true)}
      onLiteral={toLiteral}
    />
  )
  return (
    <FieldFrame
      title={titleOf(schema, name)}
      description={description}
      isRequired={isRequired}
      id={id}
      labelId={`${id}-label`}
      problems={problems}
      isMissing={isMissing}
      path={joinPath(at, path)}
      isShort={isDense || (isShort(schema, name) && !showsTemplate)}
      isRow={isRow}
      defaultText={defaultText(schema)}
      isDefaultShown={value === undefined && !showsTemplate && !hasPlaceholder(schema, name, isDense)}
      onReset={canReset ? () => toLiteralOrReset() : undefined}
      actions={menu}
    >
      {showsTemplate ? (
        <TemplateField {...control} isNew={isTemplateMode} onLeave={toLiteral} />
      ) : isAbsent ? (
        <AddButton id={id} title={titleOf(schema, name)} onAdd={() => changeForm(path, initialOf(schema))} />
      ) : (
        <Control {...control} />
      )}
    </FieldFrame>
  )

  function toLiteralOrReset(): void {
    setTemplateMode(false)
    changeForm(path, undefined)
  }
}

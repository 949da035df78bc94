import { NumberInput, Switch } from '@mantine/core'
import { memo, useId } from 'react'
import { isTemplate } from '../../../../shared/values.ts'
import type { WorkflowNode } from '../../api/workflow-document.ts'
import { FieldFrame } from '../form/field-frame.tsx'
import { Segments } from '../form/fields/choice-controls.tsx'
import { JsonControl } from '../form/fields/json-control.tsx'
import { Fold } from '../form/fold.tsx'
import { FormGrid } from '../form/form-grid.tsx'
import type { JsonSchema } from '../form/schema.ts'
import { useTemplateScope } from '../form/template/scope.ts'
import { TemplateEditor } from '../form/template/template-editor.tsx'
import { TemplateResult } from '../form/template/template-result.tsx'
import { useDocument, useEditor } from '../state/editor-context.ts'
import classes from './inspector.module.css'
import { useIssuesOf } from './issues.ts'

const help = {
  when: 'A template. If it renders to nothing, `false` or `0`, the node is skipped and returns its first input unchanged.',
  each: 'Runs the node once for each value of a list, or a number of times, and returns a list of images. Templates of the node can use `item` (the value) and `index` (from 0).',
  cache:
    'Whether results are cached and reused. If off, the node runs every time, and so do all nodes that depend on it.',
}
const anything: JsonSchema = {}

/** When, how often and with which cache a node runs. */
export const NodeFlow = memo(function NodeFlow({ id }: { id: string }) {
  const isWhen = useDocument(({ document }) => document.nodes[id]?.when !== undefined)
  const isEach = useDocument(({ document }) => document.nodes[id]?.each !== undefined)
  const isUncached = useDocument(({ document }) => document.nodes[id]?.cache === false)
  const focus = useDocument((state) => state.focus)
  const issues = useIssuesOf(`nodes.${id}`)
  const isInside = (path: string) => /^nodes\.[^.]+\.(when|each|cache)(\.|$)/.test(path)
  const marks = [isWhen ? 'when' : '', isEach ? 'each' : '', isUncached ? 'not cached' : ''].filter(
    (mark) => mark !== '',
  )
  return (
    <section className={classes.section} aria-label="Flow">
      <Fold
        title="Flow"
        note={marks.length > 0 ? marks.join(', ') : 'always, once'}
        isOpenAtFirst={marks.length > 0}
        openAt={
          focus !== undefined && isInside(focus.path)
            ? focus.at
            : issues.some(({ path }) => isInside(path))
              ? -1
              : undefined
        }
      >
        <FormGrid>
          <WhenField id={id} />
          <EachField id={id} />
          <CacheField id={id} />
        </FormGrid>
      </Fold>
    </section>
  )
})

function useSetting<Name extends 'when' | 'each' | 'cache'>(id: string, name: Name) {
  const store = useEditor().document
  const value = useDocument(({ document }) => document.nodes[id]?.[name])
  const issues = useIssuesOf(`nodes.${id}.${name}`)
  const onChange = (next: WorkflowNode[Name] | undefined) =>
    store.getState().change(
      `Change ${name} of ${id}`,
      (document) => {
        const node = document.nodes[id]
        if (node === undefined) return
        if (next === undefined) delete node[name]
        else node[name] = next as WorkflowNode[Name]
      },
      { key: `nodes.${id}.${name}` },
    )
  return { value, onChange, problems: issues.map(({ message }) => message), path: `nodes.${id}.${name}` }
}

function WhenField({ id }: { id: string }) {
  const { value, onChange, problems, path } = useSetting(id, 'when')
  const scope = useTemplateScope(id)
  const field = useId()
  const text = value === undefined ? '' : String(value)
  return (
    <FieldFrame
      title="When"
      description={help.when}
      isRequired={false}
      id={field}
      labelId={`${field}-label`}
      problems={problems}
      path={path}
      onReset={value === undefined ? undefined : () => onChange(undefined)}
    >
      <TemplateEditor
        id={field}
        value={text}
        names={scope.names}
        placeholder="always"
        isInvalid={problems.length > 0}
        onChange={(next) => onChange(next === '' ? undefined : next)}
      />
      {isTemplate(text) && (
        <TemplateResult text={text} schema={anything} scope={scope} isProblemShown={problems.length > 0} />
      )}
    </FieldFrame>
  )
}

type EachKind = 'once' | 'count' | 'list' | 'template'

function EachField({ id }: { id: string }) {
  const { value, onChange, problems, path } = useSetting(id, 'each')
  const field = useId()
  const kind: EachKind =
    value === undefined ? 'once' : typeof value === 'number' ? 'count' : typeof value === 'string' ? 'template' : 'list'
  const initialValues: Record<EachKind, unknown> = {
    once: undefined,
    count: 3,
    list: ['first', 'second'],
    template: '{{ 3 }}',
  }
  return (
    <FieldFrame
      title="Each"
      description={help.each}
      isRequired={false}
      id={field}
      labelId={`${field}-label`}
      problems={problems}
      path={path}
    >
      <Segments
        mb={6}
        aria-labelledby={`${field}-label`}
        data={[
          { value: 'once', label: 'Once' },
          { value: 'count', label: 'Count' },
          { value: 'list', label: 'List' },
          { value: 'template', label: 'Template' },
        ]}
        value={kind}
        onChange={(next) => onChange(initialValues[next as EachKind])}
      />
      <EachValue id={field} node={id} value={value} isInvalid={problems.length > 0} onChange={onChange} />
    </FieldFrame>
  )
}

function EachValue({
  id,
  node,
  value,
  isInvalid,
  onChange,
}: {
  id: string
  node: string
  value: unknown
  isInvalid: boolean
  onChange(value: unknown): void
}) {
  const scope = useTemplateScope(node)
  if (value === undefined) return null
  if (typeof value === 'number')
    return (
      <NumberInput
        id={id}
        size="sm"
        min={0}
        max={100}
        clampBehavior="none"
        allowDecimal={false}
        suffix=" times"
        value={value}
        error={isInvalid}
        onChange={(next) => {
          if (typeof next === 'number') onChange(next)
        }}
      />
    )
  if (typeof value === 'string')
    return (
      <>
        <TemplateEditor id={id} value={value} names={scope.names} isInvalid={isInvalid} onChange={onChange} />
        <TemplateResult text={value} schema={anything} scope={scope} isProblemShown={isInvalid} />
      </>
    )
  return (
    <JsonControl
      schema={anything}
      name="each"
      value={value}
      onChange={(next) => onChange(next ?? [])}
      id={id}
      labelId={`${id}-label`}
      isInvalid={isInvalid}
      placeholder='["first", "second"]'
    />
  )
}

function CacheField({ id }: { id: string }) {
  const { value, onChange, problems, path } = useSetting(id, 'cache')
  const field = useId()
  return (
    <FieldFrame
      title="Cache"
      description={help.cache}
      isRequired={false}
      id={field}
      labelId={`${field}-label`}
      problems={problems}
      path={path}
      isRow
    >
      <Switch
        id={field}
        size="sm"
        checked={value !== false}
        onChange={({ currentTarget }) => onChange(currentTarget.checked ? undefined : false)}
      />
    </FieldFrame>
  )
}

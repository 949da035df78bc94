import { Text } from '@mantine/core'
import type { ComponentProps, ReactNode } from 'react'
import { isTemplate } from '../../../../shared/values.ts'
import { isImageId } from '../../api/images.ts'
import { operationOf } from '../../api/operations.ts'
import type { Operation } from '../../api/types.ts'
import type { WorkflowNode } from '../../api/workflow-document.ts'
import { DocsLink } from '../../ui/docs-link.tsx'
import { FactList } from '../../ui/fact-list.tsx'
import { GroupIcon } from '../../ui/group-icon.tsx'
import { outputId } from '../document/wires.ts'
import { type JsonSchema, titleOf } from '../form/schema.ts'
import { TemplateFact } from '../form/template/template-fact.tsx'
import { useDocument, useEditor } from '../state/editor-context.ts'
import classes from './inspector.module.css'

/** The settings of the selection in an executed document, to read. */
export function ExecutedInspector() {
  const selection = useDocument((state) => state.selection)
  const node = useDocument(({ document }) => document.nodes[selection[0] ?? ''])
  return (
    <div className={classes.panel}>
      {selection.length > 1 ? (
        <Panel title={`${selection.length} selected`} summary={selection.join(', ')} />
      ) : node !== undefined ? (
        <NodeFacts id={selection[0] ?? ''} node={node} />
      ) : selection[0] === outputId ? (
        <OutputFacts />
      ) : (
        <WorkflowFacts />
      )}
    </div>
  )
}

type Facts = [name: string, value: unknown][]

function NodeFacts({ id, node }: { id: string; node: WorkflowNode }) {
  const operation = operationOf(useEditor().catalogue, node)
  const { inputs = {}, params = {}, type: _, ...rest } = node
  return (
    <Panel
      title={id}
      group={operation?.group}
      docs={operation && <DocsLink page={`operations/${node.type}`} about={operation.title} />}
      summary={operation === undefined ? node.type : `${operation.title} · ${operation.summary}`}
    >
      <Section title="Inputs" facts={Object.entries(inputs).map(([name, from]) => [name, [from].flat().join(', ')])} />
      <Section title="Settings" facts={settingsOf(id, params, operation)} />
      <Section title="Flow" facts={Object.entries(rest)} />
    </Panel>
  )
}

function settingsOf(id: string, params: Readonly<Record<string, unknown>>, operation: Operation | undefined): Facts {
  const { properties = {} } = (operation?.params ?? {}) as JsonSchema
  return Object.entries(params).map(([name, value]) => {
    const schema = properties[name]
    return [schema === undefined ? name : titleOf(schema, name), shownSetting(value, schema, id)]
  })
}

function shownSetting(value: unknown, schema: JsonSchema | undefined, node: string): unknown {
  if (typeof value !== 'string' || !isTemplate(value)) return value
  return <TemplateFact text={value} schema={schema ?? {}} node={node} />
}

function OutputFacts() {
  const { output = {}, outputs = {} } = useDocument(({ document }) => document)
  return (
    <Panel title="Output" group="output" summary="The image that the execution returns, and its file format.">
      <Section title="Settings" facts={Object.entries(output)} />
      {Object.entries(outputs).map(([name, settings]) => (
        <Section key={name} title={name} facts={Object.entries(settings)} />
      ))}
    </Panel>
  )
}

function WorkflowFacts() {
  const { name, description, parameters = [] } = useDocument(({ document }) => document)
  const declared = parameters.map(({ name: parameter, ...rest }): [string, unknown] => [
    parameter,
    isImageId(String(rest.default)) ? rest.default : rest,
  ])
  return (
    <Panel title={name || 'Untitled'} summary={description ?? 'Select a node to see its settings.'}>
      <Section title="Parameters" facts={declared} />
    </Panel>
  )
}

interface PanelProps {
  title: string
  summary: string
  group?: ComponentProps<typeof GroupIcon>['group']
  docs?: ReactNode
  children?: ReactNode
}

function Panel({ title, summary, group, docs, children }: PanelProps) {
  return (
    <>
      <div className={classes.head}>
        <div className={classes.title}>
          {group !== undefined && <GroupIcon group={group} />}
          <Text component="h2" fw={650}>
            {title}
          </Text>
          {docs}
        </div>
        <Text size="sm" c="dimmed">
          {summary}
        </Text>
      </div>
      <div className={classes.body}>{children}</div>
    </>
  )
}

function Section({ title, facts }: { title: string; facts: Facts }) {
  if (facts.length === 0) return null
  return (
    <section className={classes.section} aria-label={title}>
      <h3 className={classes.heading}>{title}</h3>
      <FactList facts={facts} />
    </section>
  )
}

import { Alert, Text, VisuallyHidden } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useMemo, useRef, useState } from 'react'
import { operationOf, workflowType } from '../../api/operations.ts'
import { providersQuery } from '../../api/providers.ts'
import type { Operation } from '../../api/types.ts'
import type { Parameter } from '../../api/workflow-document.ts'
import { DocsLink } from '../../ui/docs-link.tsx'
import { GroupIcon } from '../../ui/group-icon.tsx'
import { nodeIdProblem, renameNode } from '../document/edits.ts'
import { addParameter, freeParameterName } from '../document/parameters.ts'
import { firstKey, joinPath, setAt } from '../document/path.ts'
import { CommitText } from '../form/commit-text.tsx'
import type { JsonSchema } from '../form/schema.ts'
import { SchemaForm } from '../form/schema-form.tsx'
import { NodeSwitches } from '../results/node-switches.tsx'
import { useDocument, useEditor } from '../state/editor-context.ts'
import { withRenamedNode } from '../state/variations.ts'
import classes from './inspector.module.css'
import { useIssuesOf } from './issues.ts'
import { acceptsSeed } from './model-features.ts'
import { NewParameterDialog } from './new-parameter-dialog.tsx'
import { NodeAbout } from './node-about.tsx'
import { NodeFlow } from './node-flow.tsx'
import { NodeSockets } from './node-sockets.tsx'
import { parameterOf } from './promote.ts'
import { useImageSize } from './use-image-size.ts'
import { UsedWorkflow } from './used-workflow.tsx'

const none: Readonly<Record<string, unknown>> = {}

interface Props {
  id: string
  /** Called before the node gets its new id. */
  onRename(to: string): void
}

export function NodeInspector({ id, onRename }: Props) {
  const node = useDocument(({ document }) => document.nodes[id])
  const { catalogue } = useEditor()
  if (node === undefined) return null
  const { type } = node
  const operation = operationOf(catalogue, node)
  return (
    <>
      <div className={classes.head}>
        <VisuallyHidden component="h2">{`Node ${id}`}</VisuallyHidden>
        <div className={classes.title}>
          <GroupIcon group={operation?.group} />
          <NodeId id={id} onRename={onRename} />
          {type === workflowType ? (
            <DocsLink page="workflows-in-workflows" about="Workflows in workflows" />
          ) : (
            operation !== undefined && <DocsLink page={`operations/${type}`} about={operation.title} />
          )}
        </div>
        <Text size="sm" c="dimmed">
          <Text span fw={600} c="var(--mantine-color-text)">
            {operation?.title ?? type}
          </Text>
          {operation === undefined ? '' : ` · ${operation.summary}`}
        </Text>
      </div>
      <div className={classes.body}>
        <NodeSwitches id={id} />
        {type === workflowType && <UsedWorkflow id={id} />}
        {operation === undefined ? (
          catalogue.size > 0 &&
          type !== workflowType && (
            <Alert color="red" title="Unknown operation">
              The service doesn’t have the operation {type}. Replace this node.
            </Alert>
          )
        ) : (
          <>
            {operation.inputs.length > 0 && <NodeSockets id={id} operation={operation} />}
            <NodeParams id={id} operation={operation} />
            <NodeFlow id={id} />
            {type !== workflowType && <NodeAbout id={id} operation={operation} />}
          </>
        )}
      </div>
    </>
  )
}

function NodeId({ id, onRename }: Props) {
  const { document: store } = useEditor()
  const rename = (to: string) => {
    const { change, select, variations } = store.getState()
    onRename(to)
    change(
      `Rename ${id}`,
      (document) => {
        renameNode(document, id, to)
      },
      { variations: withRenamedNode(variations, id, to) },
    )
    select([to])
  }
  return (
    <div data-path={`nodes.${id}.id`}>
      <CommitText
        aria-label="Id of the node"
        size="sm"
        variant="unstyled"
        fw={650}
        value={id}
        problemOf={(to) => nodeIdProblem(store.getState().document, to)}
        onCommit={rename}
      />
    </div>
  )
}

function NodeParams({ id, operation }: { id: string; operation: Operation }) {
  const store = useEditor().document
  const params = useDocument(({ document }) => document.nodes[id]?.params) ?? none
  const issues = useIssuesOf(`nodes.${id}.params`)
  const focus = useDocument((state) => state.focus)
  const onChange = useCallback(
    (path: string, value: unknown) =>
      store.getState().change(
        `Change ${firstKey(path)} of ${id}`,
        (document) => {
          const node = document.nodes[id]
          if (node !== undefined) setAt(node, joinPath('params', path), value)
        },
        { key: `nodes.${id}.params.${path}` },
      ),
    [store, id],
  )
  const onRemove = useCallback(
    (names: readonly string[]) =>
      store.getState().change(`Remove ${names.join(', ')} of ${id}`, (document) => {
        for (const name of names) delete document.nodes[id]?.params?.[name]
      }),
    [store, id],
  )
  /** The value that becomes a parameter once its name is chosen. */
  const [promoted, setPromoted] = useState<{ path: string; parameter: Partial<Parameter> }>()
  const promote = useCallback(
    (path: string, value: unknown) =>
      setPromoted({ path, parameter: parameterOf(operation.params as JsonSchema, path, value) }),
    [operation],
  )
  const createParameter = (name: string) => {
    if (promoted === undefined) return
    const { path, parameter } = promoted
    setPromoted(undefined)
    store.getState().change(`Make ${path} of ${id} a parameter`, (document) => {
      addParameter(document, { ...parameter, name })
      const node = document.nodes[id]
      if (node !== undefined) setAt(node, joinPath('params', path), `{{ ${name} }}`)
    })
  }
  const hidden = useHiddenSettings(operation, params)
  const { width, height } = useImageSize(id) ?? {}
  // The initial box has the size of the image.
  const examples = useMemo(
    () => [
      ...(width === undefined || height === undefined ? [] : [{ box: { x: 0, y: 0, width, height } }]),
      ...operation.examples.map((example) => example.params),
    ],
    [operation, width, height],
  )
  const schema = operation.params as JsonSchema
  if (Object.keys({ ...schema.properties, ...params }).length === 0) return null
  return (
    <section className={classes.section} aria-label="Settings">
      <SchemaForm
        schema={schema}
        values={params}
        onChange={onChange}
        onRemove={onRemove}
        path={`nodes.${id}.params`}
        node={id}
        capability={operation.asks ?? undefined}
        issues={issues}
        focus={focus}
        promote={promote}
        examples={examples}
        hidden={hidden}
      />
      {promoted !== undefined && (
        <NewParameterDialog
          suggested={freeParameterName(store.getState().document, promoted.parameter.name)}
          onCreate={createParameter}
          onClose={() => setPromoted(undefined)}
        />
      )}
    </section>
  )
}

const nothingHidden: readonly string[] = []
const seed: readonly string[] = ['seed']

/** The settings that the model of the node doesn't accept. One that has or had a value stays visible, so that it can be changed. */
function useHiddenSettings({ asks }: Operation, params: Readonly<Record<string, unknown>>): readonly string[] {
  const hadSeed = useRef(false)
  if (params.seed !== undefined) hadSeed.current = true
  const { data, isPending } = useQuery({ ...providersQuery, enabled: asks !== null })
  if (asks === null || hadSeed.current) return nothingHidden
  // A field that appears when the features are known disturbs less than one that disappears.
  if (data === undefined) return isPending ? seed : nothingHidden
  return acceptsSeed(data, asks, params.model) ? nothingHidden : seed
}

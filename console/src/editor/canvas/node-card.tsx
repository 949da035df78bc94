import type { NodeProps } from '@xyflow/react'
import { memo } from 'react'
import { isImageId } from '../../api/images.ts'
import { operationOf, workflowType } from '../../api/operations.ts'
import type { WorkflowDocument, WorkflowNode } from '../../api/workflow-document.ts'
import {
  namedSocket,
  outputId,
  outputSocket,
  sourceOf,
  sourcesOf,
  takesManyImages,
  wiresOf,
} from '../document/wires.ts'
import { sourceName } from '../form/image-source.ts'
import { imageSetting, useSourceImage } from '../form/source-image.ts'
import { useDocument, useEditor, useNodeRun } from '../state/editor-context.ts'
import { useIsList } from '../state/use-is-list.ts'
import classes from './card.module.css'
import { CardHead } from './card-head.tsx'
import type { CardNode } from './flow.ts'
import { NodeImage, OutputImage } from './node-image.tsx'
import { HiddenHandles, InputSocket, OutputSocket } from './socket.tsx'

/** A node on the canvas. It selects its part of the document, so that only changed cards render. */
export const NodeCard = memo(function NodeCard({ id }: NodeProps<CardNode>) {
  const { catalogue } = useEditor()
  const type = useDocument(({ document }) => document.nodes[id]?.type)
  const used = useDocument(({ document }) => document.nodes[id]?.workflow)
  const inputs = useDocument(({ document }) => document.nodes[id]?.inputs)
  const isList = useIsList(id)
  const wired = useDocument(({ document }) => namedOutputsInUse(document, id))
  if (type === undefined) return null
  const node = { type, ...(used === undefined ? {} : { workflow: used }) }
  const operation = operationOf(catalogue, node)
  const sockets =
    operation?.inputs ??
    Object.keys(inputs ?? {}).map((name) => ({ name, description: '', required: false, many: false }))
  // An output that the workflow doesn't have keeps its handle, so that its wire is visible.
  const outputs = [...new Set([...(operation?.namedOutputs ?? []), ...wired.split(' ').filter(Boolean)])]
  return (
    <Frame id={id}>
      <CardHead id={id} name={id} title={<NodeTitle id={id} node={node} />} group={operation?.group} />
      <div className={classes.sockets}>
        <div className={classes.inputs}>
          {sockets.map((socket) => (
            <InputSocket key={socket.name} socket={socket} count={sourcesOf(inputs?.[socket.name]).length} node={id} />
          ))}
        </div>
        <div className={classes.outputs}>
          {operation?.outputs.image === null ? (
            <div className={classes.socket}>{Object.keys(operation.outputs.values).slice(0, 2).join(', ')}</div>
          ) : (
            <>
              <OutputSocket node={id} isList={isList} />
              {outputs.map((output) => (
                <OutputSocket key={output} node={id} output={output} isList={isList} />
              ))}
            </>
          )}
        </div>
      </div>
      <NodeImage id={id} />
      <HiddenHandles />
    </Frame>
  )
}, isSameCard)

/** The named outputs of a node that wires start from, as one text, so that the card renders only when they change. */
function namedOutputsInUse(document: WorkflowDocument, id: string): string {
  if (document.nodes[id]?.type !== workflowType) return ''
  return wiresOf(document)
    .flatMap(({ source, output }) => (source === id && output !== undefined ? [output] : []))
    .join(' ')
}

/** The title of the operation. A source node has the name of its image. */
function NodeTitle({ id, node }: { id: string; node: Pick<WorkflowNode, 'type' | 'workflow'> }) {
  const { catalogue } = useEditor()
  const { type, workflow = '' } = node
  const known = operationOf(catalogue, node)?.title
  if (type === workflowType)
    return known === undefined ? `Unknown workflow: ${workflow}` : `${known} · version ${workflow.split('@')[1]}`
  const title = known ?? `Unknown operation: ${type}`
  return imageSetting(catalogue, node) === undefined ? title : <SourceTitle id={id} title={title} />
}

function SourceTitle({ id, title }: { id: string; title: string }) {
  const { source, image } = useSourceImage(id)
  const name = image?.name ?? (source === undefined || isImageId(source) ? title : sourceName(source))
  return <span title={name}>{name}</span>
}

/** React Flow renders the position and the selection around the card. */
function isSameCard(before: NodeProps<CardNode>, after: NodeProps<CardNode>): boolean {
  return before.id === after.id
}

function Frame({ id, children }: { id: string; children: React.ReactNode }) {
  const run = useNodeRun(id)
  return (
    <div className={classes.card} data-status={run?.status ?? 'idle'}>
      {children}
    </div>
  )
}

const outputInput = {
  name: outputSocket,
  description: 'The image that the workflow returns.',
  required: true,
  many: false,
}

function NamedOutputSocket({ name }: { name: string }) {
  const socket = namedSocket(name)
  const many = useDocument(({ document }) => takesManyImages(document, socket))
  const count = useDocument(({ document }) => sourcesOf(document.outputs?.[name]?.node).length)
  return (
    <InputSocket
      socket={{ ...outputInput, name: socket, description: `The image of the output ${name}.`, many }}
      count={count}
      node="the output"
      label={name}
    />
  )
}

/** The card of the workflow's outputs. */
export const OutputCard = memo(function OutputCard() {
  const node = useDocument(({ document }) => {
    const { source } = sourceOf(document.output?.node ?? '')
    return Object.hasOwn(document.nodes, source) ? source : undefined
  })
  const format = useDocument(({ document }) => document.output?.format)
  const names = useDocument(({ document }) => Object.keys(document.outputs ?? {}).join(' '))
    .split(' ')
    .filter(Boolean)
  return (
    <div className={classes.card} data-status="idle">
      <CardHead
        id={outputId}
        name="Output"
        title={typeof format === 'string' ? format : 'Output of the workflow'}
        group="output"
      />
      <div className={classes.sockets}>
        <div className={classes.inputs}>
          <InputSocket socket={outputInput} count={node === undefined ? 0 : 1} node="the output" />
          {names.map((name) => (
            <NamedOutputSocket key={name} name={name} />
          ))}
        </div>
      </div>
      {node === undefined ? null : <OutputImage id={node} />}
      <HiddenHandles isOutput />
    </div>
  )
})

import { Handle, Position } from '@xyflow/react'
import type { Operation } from '../../api/types.ts'
import { type SocketKind, socketKind } from '../document/wires.ts'
import classes from './card.module.css'
import { outputHandle, readsHandle, valuesHandle } from './flow.ts'
import wires from './wires.module.css'

/** An input socket with its handle and name. `count`: the number of its wires. */
export function InputSocket({
  socket,
  count,
  node,
  label = socket.name,
}: {
  socket: Operation['inputs'][number]
  count: number
  node: string
  /** Default: the name of the socket. */
  label?: string
}) {
  const { name, required, many, description } = socket
  const kind = socketKind(socket)
  const isMissing = required && count === 0
  return (
    <div
      className={`${classes.socket} ${wires[kind]}`}
      title={description}
      {...(isMissing ? { 'data-missing': true } : {})}
    >
      <Handle
        type="target"
        position={Position.Left}
        id={name}
        className={classes.handle ?? ''}
        aria-label={`${label} of ${node}: ${wordsOf(kind)}${isMissing ? ', missing' : ''}`}
        role="img"
        {...(required ? {} : { 'data-optional': true })}
        {...(many ? { 'data-list': true } : {})}
        {...(count > 0 ? { 'data-wired': true } : {})}
      />
      {label}
      {many && count > 0 ? <span className={classes.count}>{count}</span> : null}
    </div>
  )
}

/** An output of a node. `output`: of a used workflow; undefined for the primary one. */
export function OutputSocket({ node, output, isList }: { node: string; output?: string; isList: boolean }) {
  const noun = isList ? 'images' : 'image'
  return (
    <div className={`${classes.socket} ${isList ? wires.list : wires.image}`}>
      <span className={classes.outputName} title={output}>
        {output ?? noun}
      </span>
      <Handle
        type="source"
        position={Position.Right}
        id={outputHandle(output)}
        className={classes.handle ?? ''}
        aria-label={
          output === undefined ? `${isList ? 'Images' : 'Image'} of ${node}` : `Output ${output} of ${node}: ${noun}`
        }
        role="img"
        {...(isList ? { 'data-list': true } : {})}
      />
    </div>
  )
}

/**
 * Anchors for the edges of templates. They are not React Flow's `Handle`, because each handle listens to every move of
 * the canvas. React Flow measures elements with these classes and attributes.
 */
export function HiddenHandles({ isOutput = false }: { isOutput?: boolean }) {
  const named = `react-flow__handle ${classes.hidden}`
  return (
    <>
      <div
        className={`${named} react-flow__handle-left target`}
        data-handleid={readsHandle}
        data-handlepos={Position.Left}
        aria-hidden
      />
      {isOutput ? null : (
        <div
          className={`${named} react-flow__handle-right source`}
          data-handleid={valuesHandle}
          data-handlepos={Position.Right}
          aria-hidden
        />
      )}
    </>
  )
}

function wordsOf(kind: SocketKind): string {
  return {
    image: 'accepts an image',
    list: 'accepts images',
    mask: 'accepts a mask',
    optional: 'accepts an optional image',
  }[kind]
}

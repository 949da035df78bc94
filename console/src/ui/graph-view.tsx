import '@xyflow/react/dist/base.css'
import { Controls, Handle, type Node, Position, ReactFlow, type ReactFlowProps, ReactFlowProvider } from '@xyflow/react'
import classes from './graph-view.module.css'

/** A graph to read: it can be moved and zoomed, but not changed. Fills its frame. */
export function GraphView<Card extends Node>(props: ReactFlowProps<Card>) {
  return (
    <ReactFlowProvider>
      <ReactFlow
        className={classes.graph ?? ''}
        fitViewOptions={fitted}
        minZoom={0.1}
        nodesDraggable={false}
        nodesConnectable={false}
        nodesFocusable={false}
        edgesFocusable={false}
        zoomOnScroll={false}
        preventScrolling={false}
        proOptions={{ hideAttribution: true }}
        {...props}
      >
        <Controls showInteractive={false} fitViewOptions={fitted} />
      </ReactFlow>
    </ReactFlowProvider>
  )
}

const fitted = { padding: 0.08, maxZoom: 1 }

/** The invisible ends of wires on both sides of a card. */
export function CardEnds() {
  return (
    <>
      <Handle type="target" position={Position.Left} className={classes.handle ?? ''} />
      <Handle type="source" position={Position.Right} className={classes.handle ?? ''} />
    </>
  )
}

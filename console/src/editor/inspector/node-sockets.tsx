import { ActionIcon, Select, Text } from '@mantine/core'
import { ArrowDown, ArrowUp, Unlink } from 'lucide-react'
import { memo, useState } from 'react'
import type { Operation } from '../../api/types.ts'
import { connect, disconnect, moveWire, reorderWire } from '../document/edits.ts'
import { firstKey, pathBelow } from '../document/path.ts'
import {
  outputId,
  outputWords,
  sourceOf,
  sourcesOf,
  sourcesOfNode,
  sourceText,
  type Wire,
  wireProblem,
} from '../document/wires.ts'
import { Help, Problems } from '../form/field-frame.tsx'
import { useDocument, useEditor } from '../state/editor-context.ts'
import classes from './inspector.module.css'
import { useIssuesOf } from './issues.ts'

type Socket = Operation['inputs'][number]

/** The sources of a node's images. They can be changed with the keyboard. */
export const NodeSockets = memo(function NodeSockets({ id, operation }: { id: string; operation: Operation }) {
  return (
    <section className={classes.section} aria-labelledby="inspector-inputs">
      <h3 className={classes.heading} id="inspector-inputs">
        Inputs
      </h3>
      {operation.inputs.map((socket) => (
        <SocketRow key={socket.name} id={id} socket={socket} />
      ))}
      <OtherProblems id={id} operation={operation} />
    </section>
  )
})

function SocketRow({ id, socket }: { id: string; socket: Socket }) {
  const { name, many, required, description } = socket
  const input = useDocument(({ document }) => document.nodes[id]?.inputs?.[name])
  const path = `nodes.${id}.inputs.${name}`
  return (
    <div className={classes.socket} data-path={path} data-many={many || undefined}>
      <div className={classes.socketName}>
        {name}
        {required && <Text span c="var(--mantine-color-error)" size="sm">{`\u00a0*`}</Text>}
        <Help text={description} name={name} />
      </div>
      <SocketWires
        target={id}
        socket={name}
        input={input}
        isMany={many}
        path={path}
        placeholder={many ? 'Add an image' : required ? 'Choose a node' : 'None'}
      />
    </div>
  )
}

interface WiresProps {
  /** A node, or the output card. */
  target: string
  socket: string
  /** Default: `socket`. */
  name?: string
  input: string | string[] | undefined
  isMany: boolean
  /** Path of the input in the document. */
  path: string
  placeholder: string
}

/** The wires of a socket, in fields. */
export function SocketWires({ target, socket, name = socket, input, isMany, path, placeholder }: WiresProps) {
  const issues = useIssuesOf(path)
  const sources = sourcesOf(input)
  const isList = Array.isArray(input)
  return (
    <div className={classes.wires}>
      {sources.map((source, index) => (
        <WireRow
          // biome-ignore lint/suspicious/noArrayIndexKey: a node can be connected twice, so the index is part of the key
          key={`${index} ${source}`}
          wire={{ source, target, socket, ...(isList ? { index } : {}) }}
          name={name}
          count={sources.length}
          isWrong={issues.length > 0}
        />
      ))}
      {(sources.length === 0 || isMany) && (
        <NewWire
          target={target}
          socket={socket}
          name={name}
          isMany={isMany}
          isWrong={issues.length > 0 && sources.length > 0}
          placeholder={placeholder}
        />
      )}
      <Problems
        id={`${path}-problem`}
        name={name}
        problems={issues.map(({ message }) => message)}
        isMissing={sources.length === 0}
      />
    </div>
  )
}

function WireRow({ wire, name, count, isWrong }: { wire: Wire; name: string; count: number; isWrong: boolean }) {
  const store = useEditor().document
  const { source, target, socket, index } = wire
  const goal = target === outputId ? outputWords(socket) : target
  const change = (label: string, recipe: (document: Parameters<typeof disconnect>[0]) => void) =>
    store.getState().change(label, recipe)
  const swap = (to: number) => change(`Reorder ${name} of ${goal}`, (document) => reorderWire(document, wire, to))
  return (
    <div className={classes.wire}>
      <SourceSelect
        target={target}
        socket={socket}
        value={source}
        label={index === undefined ? name : `${name} ${index + 1}`}
        isWrong={isWrong}
        onPick={(picked) => change(`Wire ${picked} to ${goal}`, (document) => moveWire(document, wire, picked))}
      />
      {index !== undefined && count > 1 && (
        <>
          <ActionIcon
            variant="subtle"
            color="gray"
            size={32}
            aria-label={`Move up: ${source}`}
            disabled={index === 0}
            onClick={() => swap(index - 1)}
          >
            <ArrowUp size={14} aria-hidden />
          </ActionIcon>
          <ActionIcon
            variant="subtle"
            color="gray"
            size={32}
            aria-label={`Move down: ${source}`}
            disabled={index === count - 1}
            onClick={() => swap(index + 1)}
          >
            <ArrowDown size={14} aria-hidden />
          </ActionIcon>
        </>
      )}
      <ActionIcon
        variant="subtle"
        color="gray"
        size={32}
        aria-label={`Disconnect ${source}`}
        onClick={() => change(`Disconnect ${source} from ${goal}`, (document) => disconnect(document, wire))}
      >
        <Unlink size={14} aria-hidden />
      </ActionIcon>
    </div>
  )
}

type NewWireProps = Required<Pick<WiresProps, 'target' | 'socket' | 'name' | 'isMany' | 'placeholder'>>

function NewWire({ target, socket, name, isMany, isWrong, placeholder }: NewWireProps & { isWrong: boolean }) {
  const store = useEditor().document
  return (
    <SourceSelect
      target={target}
      socket={socket}
      value={null}
      label={`New wire to ${name}`}
      isWrong={isWrong}
      placeholder={placeholder}
      onPick={(source) =>
        store
          .getState()
          .change(`Wire ${source} to ${target === outputId ? outputWords(socket) : target}`, (document) =>
            connect(document, { ...sourceOf(source), target, socket }, isMany),
          )
      }
    />
  )
}

interface SelectProps {
  target: string
  socket: string
  value: string | null
  label: string
  placeholder?: string
  isWrong: boolean
  onPick(source: string): void
}

/** The nodes that fit. They are computed when the list opens. */
export function SourceSelect({ target, socket, value, label, placeholder = '', isWrong, onPick }: SelectProps) {
  const { document: store, catalogue } = useEditor()
  const [fitting, setFitting] = useState<string[]>([])
  const findFitting = () => {
    const { document } = store.getState()
    const sources = Object.keys(document.nodes).flatMap((id) => sourcesOfNode(document, catalogue, id))
    const fits = sources.filter((source) => !wireProblem(document, catalogue, { ...source, target, socket }))
    setFitting(fits.map(sourceText))
  }
  return (
    <Select
      flex={1}
      size="sm"
      searchable
      data={[...new Set([...(value === null ? [] : [value]), ...fitting])]}
      value={value}
      placeholder={placeholder}
      aria-label={label}
      allowDeselect={false}
      nothingFoundMessage="No node fits here"
      error={isWrong}
      onDropdownOpen={findFitting}
      comboboxProps={{ shadow: 'md' }}
      onChange={(picked) => {
        if (picked !== null && picked !== value) onPick(picked)
      }}
    />
  )
}

/** Issues of wires to unknown sockets. */
function OtherProblems({ id, operation }: { id: string; operation: Operation }) {
  const at = `nodes.${id}.inputs`
  const issues = useIssuesOf(at)
  const known = new Set(operation.inputs.map(({ name }) => name))
  const others = issues.filter(({ path }) => !known.has(firstKey(pathBelow(path, at))))
  return (
    <Problems id={`${at}-problem`} problems={others.map(({ path, message }) => `${pathBelow(path, at)} ${message}`)} />
  )
}

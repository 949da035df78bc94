import { Badge, Code, Text } from '@mantine/core'
import { isImageId } from '../../api/images.ts'
import { StoredImage } from '../../ui/stored-image.tsx'
import type { DocumentDiff, NodeChange, ParameterChange, ValueChange } from '../document/diff.ts'
import { diffTexts } from '../document/text-diff.ts'
import classes from './changes.module.css'

/** Texts of at least this length are compared word by word. */
const longTextMin = 24

/** A list of all differences with the old and the new value. */
export function ChangeList({ diff }: { diff: DocumentDiff }) {
  const nodes = diff.nodes.filter(({ kind, renamedFrom }) => kind !== 'same' || renamedFrom !== undefined)
  const parameters = diff.parameters.filter(({ kind }) => kind !== 'same')
  return (
    <div className={classes.list}>
      {nodes.length > 0 && <h2>Nodes</h2>}
      {nodes.map((node) => (
        <NodeSection key={node.id} node={node} diff={diff} />
      ))}
      {parameters.length > 0 && <h2>Parameters</h2>}
      {parameters.map((parameter) => (
        <Section key={parameter.name} change={parameter} name={parameter.name}>
          <Values changes={parameter.changes} />
        </Section>
      ))}
      {diff.output.length > 0 && <h2>Output</h2>}
      <Values changes={diff.output} />
      {diff.outputs.length > 0 && <h2>Other outputs</h2>}
      <Values changes={diff.outputs} />
      {diff.workflowChanges.length > 0 && <h2>About the workflow</h2>}
      <Values changes={diff.workflowChanges} />
    </div>
  )
}

const labels = { added: 'added', removed: 'removed', changed: 'changed', same: 'renamed' } as const
export const changeColors = { added: 'teal', removed: 'red', changed: 'copper', same: 'gray' } as const

function NodeSection({ node, diff }: { node: NodeChange; diff: DocumentDiff }) {
  const { id, type, kind, changes } = node
  const wires = kind === 'changed' ? rewirings(id, diff) : []
  return (
    <Section change={node} name={id} note={type}>
      <Values changes={changes} />
      <Values changes={wires} />
    </Section>
  )
}

/** The old and new sources of each socket. */
function rewirings(id: string, { wires }: DocumentDiff): ValueChange[] {
  const sockets = new Map<string, { path: string; before: unknown; after: unknown }>()
  for (const { target, socket, index, source, kind } of wires) {
    if (target !== id || kind === 'same') continue
    const path = index === undefined ? `inputs.${socket}` : `inputs.${socket}.${index}`
    const change = sockets.get(path) ?? { path, before: undefined, after: undefined }
    change[kind === 'added' ? 'after' : 'before'] = source
    sockets.set(path, change)
  }
  return [...sockets.values()]
}

interface SectionProps {
  change: NodeChange | ParameterChange
  name: string
  note?: string
  children: React.ReactNode
}

function Section({ change: { kind, renamedFrom }, name, note, children }: SectionProps) {
  return (
    <section className={classes.section} id={`change-${name}`}>
      <div className={classes.head}>
        <Text span fw={600} size="sm">
          {name}
        </Text>
        {note !== undefined && (
          <Text span size="xs" c="dimmed">
            {note}
          </Text>
        )}
        <Badge size="sm" variant="light" tt="none" color={changeColors[kind]}>
          {labels[kind]}
        </Badge>
        {renamedFrom !== undefined && (
          <Text span size="xs" c="dimmed">
            renamed from {renamedFrom}
          </Text>
        )}
      </div>
      {children}
    </section>
  )
}

function Values({ changes }: { changes: readonly ValueChange[] }) {
  return changes.map(({ path, before, after }) => (
    <div key={path} className={classes.change}>
      <Code>{path}</Code>
      <span className={classes.values}>
        {isLong(before) && isLong(after) ? (
          <Words before={String(before)} after={String(after)} />
        ) : (
          <>
            {before !== undefined && <del className={classes.removed}>{textOf(before)}</del>}
            {before !== undefined && after !== undefined && (
              <span role="img" aria-label="is now" className={classes.arrow}>
                →
              </span>
            )}
            {after !== undefined && <ins className={classes.added}>{textOf(after)}</ins>}
          </>
        )}
      </span>
    </div>
  ))
}

function Words({ before, after }: { before: string; after: string }) {
  return diffTexts(before, after).map(({ kind, text }, index) => {
    // biome-ignore-start lint/suspicious/noArrayIndexKey: parts of one text, which never move
    if (kind === 'added')
      return (
        <ins key={index} className={classes.added}>
          {text}
        </ins>
      )
    if (kind === 'removed')
      return (
        <del key={index} className={classes.removed}>
          {text}
        </del>
      )
    return <span key={index}>{text}</span>
    // biome-ignore-end lint/suspicious/noArrayIndexKey: parts of one text, which never move
  })
}

function isLong(value: unknown): boolean {
  return typeof value === 'string' && value.length >= longTextMin && !isImageId(value)
}

function textOf(value: unknown): React.ReactNode {
  if (typeof value === 'string') {
    if (isImageId(value)) return <StoredImage imageId={value} isInline />
    const isColor = /^#[0-9a-f]{3,8}$/i.test(value)
    return (
      <>
        {isColor && <span className={classes.swatch} style={{ background: value }} />}
        {value === '' ? '""' : value}
      </>
    )
  }
  return JSON.stringify(value)
}

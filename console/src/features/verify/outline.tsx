import { Text } from '@mantine/core'
import type { GraphNode } from './graph.ts'
import { AiLine, signerText } from './node-card.tsx'
import classes from './outline.module.css'
import { StateMark } from './state-mark.tsx'
import { actionText, relationshipText } from './texts.ts'

interface HistoryOutlineProps {
  nodes: readonly GraphNode[]
  selected: string
  onOpen(id: string): void
}

/** The graph as a nested list. */
export function HistoryOutline({ nodes, selected, onOpen }: HistoryOutlineProps) {
  const root = nodes.find(({ next }) => next === undefined)
  if (root?.kind !== 'image') return null
  return (
    <ul className={classes.list} aria-label="History as an outline">
      <Item node={root} {...{ nodes, selected, onOpen }} />
    </ul>
  )
}

function Item({ node, ...props }: HistoryOutlineProps & { node: Extract<GraphNode, { kind: 'image' }> }) {
  const { nodes, selected, onOpen } = props
  const { image } = node
  const { id, title, relationship, credentials } = image
  const actions = nodes.find((node) => node.kind === 'actions' && node.image.id === id)
  const source = actions?.id ?? id
  const parts = nodes.filter((node) => node.next === source && node !== actions).sort((a, b) => a.y - b.y)
  const isSelected = selected === id || selected === actions?.id
  return (
    <li>
      <button type="button" className={classes.row} aria-current={isSelected || undefined} onClick={() => onOpen(id)}>
        <span className={classes.title}>
          <Text span size="xs" c="dimmed">
            {relationship === undefined ? 'This file' : relationshipText(relationship)}
          </Text>
          <span>{title === '' ? 'Without a name' : title}</span>
        </span>
        <span className={classes.marks}>
          <StateMark image={image} />
          <AiLine image={image} />
          {signerText(credentials) && <span className={classes.quiet}>{signerText(credentials)}</span>}
        </span>
        {actions?.kind === 'actions' && (
          <span className={classes.quiet}>
            {actions.actions.slice(0, actionsMax).map(actionText).join(', ')}
            {actions.actions.length > actionsMax ? ` and ${actions.actions.length - actionsMax} more` : ''}
          </span>
        )}
      </button>
      {parts.length > 0 && (
        <ul className={classes.list} aria-label={`Ingredients of ${title}`}>
          {parts.map((part) =>
            part.kind === 'image' ? (
              <Item key={part.id} node={part} {...props} />
            ) : (
              <li key={part.id}>
                <button type="button" className={classes.row} onClick={() => onOpen(part.id)}>
                  {part.kind === 'more' && `Show more of ${part.count} ingredients`}
                </button>
              </li>
            ),
          )}
        </ul>
      )}
    </li>
  )
}

const actionsMax = 12

import { VisuallyHidden } from '@mantine/core'
import { Plus, Sparkles } from 'lucide-react'
import { counted } from '../../ui/format.ts'
import { actionsShown, type GraphNode } from './graph.ts'
import type { HistoryImage } from './history.ts'
import classes from './node-card.module.css'
import { AiMark, StateMark } from './state-mark.tsx'
import { actionText, originOfAction, relationshipText } from './texts.ts'

/** The content of a card of the graph. */
export function NodeCard({ node }: { node: GraphNode }) {
  if (node.kind === 'image') return <ImageContent image={node.image} />
  if (node.kind === 'actions') return <Actions node={node} />
  return (
    <span className={classes.more}>
      <Plus size={15} aria-hidden /> {counted(node.count, 'more ingredient')}
    </span>
  )
}

function ImageContent({ image }: { image: HistoryImage }) {
  const { title, relationship, credentials } = image
  return (
    <span className={classes.image}>
      <span className={classes.use}>{relationship === undefined ? 'This file' : relationshipText(relationship)}</span>
      <span className={classes.title}>{title === '' ? 'Without a name' : title}</span>
      <StateMark image={image} />
      <span className={classes.quiet}>{signerText(credentials)}</span>
      <AiLine image={image} />
    </span>
  )
}

/** The part of AI models in the image, with the models that the manifest names. */
export function AiLine({ image: { origin, models } }: { image: HistoryImage }) {
  if (origin === undefined) return null
  const share = origin === 'generated' ? 'AI-generated' : 'AI parts'
  return <AiMark>{[share, ...models].join(' · ')}</AiMark>
}

/** The organization or the name in the certificate. Empty without a signature. */
export function signerText(credentials: HistoryImage['credentials']): string {
  const { issuer, commonName, isOwn } = credentials?.signer ?? {}
  const name = issuer ?? commonName ?? ''
  return isOwn ? `${name} (this installation)` : name
}

function Actions({ node: { image, actions } }: { node: Extract<GraphNode, { kind: 'actions' }> }) {
  const first = actions.slice(0, actionsShown)
  const rest = actions.length - first.length
  return (
    <span className={classes.actions}>
      <span className={classes.use}>
        Actions<VisuallyHidden> of {image.title}: </VisuallyHidden>
      </span>
      {first.map((action, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: The list never changes, and actions can be equal.
        <span key={index} className={classes.action}>
          <span className={classes.number}>{index + 1}</span>
          <span className={classes.label}>
            {actionText(action)}
            {action.description !== undefined && <span className={classes.quiet}> {action.description}</span>}
          </span>
          {originOfAction(action) && <Sparkles size={13} role="img" aria-label="AI" className={classes.ai} />}
        </span>
      ))}
      {rest > 0 && (
        <span className={classes.action}>
          <span className={classes.number} />
          <span className={classes.quiet}>{rest} more</span>
        </span>
      )}
    </span>
  )
}

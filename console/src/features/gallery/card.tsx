import { Badge } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { RelativeTime } from '../../ui/relative-time.tsx'
import classes from './card.module.css'
import { CardImage } from './card-image.tsx'
import { type CardActions, CardMenu } from './card-menu.tsx'
import type { Entry } from './entries.ts'

interface Props {
  entry: Entry
  project: string | undefined
  actions: CardActions
}

export function Card({ entry, project, actions }: Props) {
  const { workflowId, name, updatedAt, draft } = entry
  return (
    <article className={classes.card}>
      <CardImage entry={entry} />
      <div className={classes.words}>
        <Link
          to="/workflows/$workflowId"
          params={{ workflowId }}
          className={classes.link ?? ''}
          data-workflow={workflowId}
          title={name}
        >
          {name}
        </Link>
        <div className={classes.menu}>
          <CardMenu entry={entry} actions={actions} />
        </div>
        <div className={classes.facts}>
          {project !== undefined && <span>{project}</span>}
          <span>
            <RelativeTime at={updatedAt} span />
          </span>
          {draft !== undefined && (
            <Badge
              className={classes.badge ?? ''}
              size="sm"
              variant="light"
              tt="none"
              title={draft === 'new' ? 'Never published' : 'Has unpublished changes'}
            >
              {draft === 'new' ? 'Draft' : 'Changed'}
            </Badge>
          )}
        </div>
      </div>
    </article>
  )
}

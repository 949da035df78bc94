import { Repeat2, Split, ZapOff } from 'lucide-react'
import type { ReactNode } from 'react'
import { GroupIcon } from '../../ui/group-icon.tsx'
import type { Group } from '../../ui/groups.ts'
import { isBypassed } from '../document/node-records.ts'
import { useDocument } from '../state/editor-context.ts'
import classes from './card.module.css'
import { CardSwitches } from './card-switches.tsx'
import { isOnlyMissing, problemsOf, wordsOf } from './problems.ts'

/** Icon, id and title of a card, and the number of its problems. */
export function CardHead({
  id,
  name,
  title,
  group,
}: {
  id: string
  name: string
  title: ReactNode
  group: Group | 'output' | undefined
}) {
  const problems = useDocument(({ issues }) => problemsOf(issues, id))
  const areMissing = useDocument(({ document, issues }) => isOnlyMissing(document, issues, id))
  return (
    <div className={classes.head}>
      <GroupIcon group={group} />
      <div className={classes.names}>
        <div className={classes.id}>{name}</div>
        <div className={classes.title}>{title}</div>
      </div>
      <Settings id={id} />
      {group === 'output' ? null : <CardSwitches id={id} />}
      {problems > 0 ? (
        <span
          className={classes.problems}
          role="img"
          data-missing={areMissing || undefined}
          aria-label={wordsOf(problems, areMissing)}
          title={wordsOf(problems, areMissing)}
        >
          {problems}
        </span>
      ) : null}
    </div>
  )
}

/** Icons for nodes that run on a condition, for each value of a list, or without the cache. */
function Settings({ id }: { id: string }) {
  // A bypass is a condition that is never true.
  const isConditional = useDocument(
    ({ document }) => document.nodes[id]?.when !== undefined && !isBypassed(document, id),
  )
  const isRepeated = useDocument(({ document }) => document.nodes[id]?.each !== undefined)
  const isUncached = useDocument(({ document }) => document.nodes[id]?.cache === false)
  if (!isConditional && !isRepeated && !isUncached) return null
  return (
    <span className={classes.marks}>
      {isConditional ? <Split size={14} aria-label="Runs on a condition" /> : null}
      {isRepeated ? <Repeat2 size={14} aria-label="Runs for each value of a list" /> : null}
      {isUncached ? <ZapOff size={14} aria-label="Not cached" /> : null}
    </span>
  )
}

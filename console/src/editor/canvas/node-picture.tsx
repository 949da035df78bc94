import { Image as ImageIcon } from 'lucide-react'
import { memo } from 'react'
import { useDocument, useNodeRun } from '../state/editor-context.ts'
import classes from './card.module.css'
import { RunMarks } from './run-marks.tsx'
import { summaryOf } from './summary.ts'

/** The node's preview of the current run. Before a run, its settings. */
export const NodePicture = memo(function NodePicture({ id }: { id: string }) {
  const params = useDocument(({ document }) => document.nodes[id]?.params)
  return <Picture id={id} settings={params} />
})

/** The preview of the output's node. Before a run, the settings of the output. */
export const OutputPicture = memo(function OutputPicture({ id }: { id: string }) {
  const output = useDocument(({ document }) => document.output)
  const { node: _, ...settings } = output ?? {}
  return <Picture id={id} settings={settings} />
})

function Picture({ id, settings }: { id: string; settings: Readonly<Record<string, unknown>> | undefined }) {
  const run = useNodeRun(id)
  const summary = summaryOf(settings)
  return (
    <div
      className={`${classes.picture} ${run?.previewUrl ? 'tt-checker' : ''} ${run?.isStale ? classes.stale : ''}`}
      data-marked={run !== undefined || undefined}
    >
      {run?.error !== undefined ? (
        <div className={classes.message} title={run.error.message}>
          {run.error.message}
        </div>
      ) : run?.previewUrl === undefined ? (
        summary === '' ? (
          <ImageIcon className={classes.nothing} size={28} strokeWidth={1.25} aria-hidden />
        ) : (
          <span className={classes.empty}>{summary}</span>
        )
      ) : (
        <img src={run.previewUrl} alt="" loading="lazy" decoding="async" draggable={false} />
      )}
      {run === undefined ? null : <RunMarks run={run} />}
    </div>
  )
}

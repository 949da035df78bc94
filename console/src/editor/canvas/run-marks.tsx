import { CircleSlash, Clock3, Eye, Hourglass, LoaderCircle, RotateCcw, TriangleAlert, Zap } from 'lucide-react'
import type { ReactNode } from 'react'
import type { LivePreview } from '../state/live-preview.ts'
import type { NodeRun } from '../state/node-runs.ts'
import classes from './card.module.css'

/**
 * The status, cost and time of the node, in one line below its image. Without space, the last marks are hidden. `live`: the image above, if
 * it is not the one of the run.
 */
export function RunMarks({ run, live }: { run: NodeRun | undefined; live?: LivePreview | undefined }) {
  return (
    <span className={classes.badges}>
      {live !== undefined ? <LiveFacts run={run} live={live} /> : run !== undefined && <Facts run={run} />}
    </span>
  )
}

/** The time and the cost of the run are those of another image. */
function LiveFacts({ run, live: { url, width, height, problem } }: { run: NodeRun | undefined; live: LivePreview }) {
  const isRefused = problem?.kind === 'run'
  return (
    <>
      {run?.isStale && !isRefused ? <Mark tone="busy" icon={<Clock3 size={11} />} text="outdated" /> : null}
      {isRefused ? <Mark icon={<Clock3 size={11} />} text="Run to see this change" /> : null}
      {problem?.kind === 'invalid' ? <Mark icon={<TriangleAlert size={11} />} text={problem.message} /> : null}
      {url === undefined || problem !== undefined ? null : (
        <>
          <Mark icon={<Eye size={11} />} text="preview" />
          <Mark text={`${width} × ${height}`} />
        </>
      )}
    </>
  )
}

function Facts({ run }: { run: NodeRun }) {
  const { status, duration, servedFrom, width, height, isStale, costUsd } = run
  return (
    <>
      {status === 'pending' ? <Mark icon={<Hourglass size={11} />} text="waiting" /> : null}
      {status === 'running' ? (
        <Mark tone="busy" icon={<LoaderCircle size={11} className={classes.turning} />} text={progressText(run)} />
      ) : null}
      {status === 'skipped' ? <Mark icon={<CircleSlash size={11} />} text="skipped" /> : null}
      {status === 'cancelled' ? <Mark icon={<CircleSlash size={11} />} text="cancelled" /> : null}
      {status === 'failed' ? <Mark tone="bad" icon={<TriangleAlert size={11} />} text="failed" /> : null}
      {isStale ? <Mark tone="busy" icon={<Clock3 size={11} />} text="outdated" /> : null}
      {servedFrom === undefined ? null : (
        <Mark
          tone="good"
          icon={servedFrom === 'cache' ? <Zap size={11} /> : <RotateCcw size={11} />}
          text={servedFrom === 'cache' ? 'cached' : 'kept'}
        />
      )}
      {costUsd === undefined || costUsd === 0 ? null : <Mark text={`$${costUsd.toFixed(costUsd < 0.01 ? 4 : 2)}`} />}
      {duration !== undefined && servedFrom === undefined && status === 'completed' ? (
        <Mark text={durationText(duration)} />
      ) : null}
      {width !== undefined && height !== undefined ? <Mark text={`${width} × ${height}`} /> : null}
    </>
  )
}

/** The number of steps of a workflow that have ended. */
function progressText({ progress }: NodeRun): string {
  return progress === undefined ? 'running' : `${progress.done} of ${progress.total}`
}

function Mark({ icon, text, tone }: { icon?: ReactNode; text: string; tone?: 'good' | 'busy' | 'bad' }) {
  return (
    <span className={classes.badge} data-tone={tone}>
      {icon}
      {text}
    </span>
  )
}

/** Milliseconds as text. */
export function durationText(ms: number): string {
  if (ms < 1) return '<1 ms'
  if (ms < 1000) return `${Math.round(ms)} ms`
  return `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`
}

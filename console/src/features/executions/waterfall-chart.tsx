import { Text, Tooltip } from '@mantine/core'
import { useEffect, useState } from 'react'
import { isEnded } from '../../api/executions.ts'
import type { Execution, Step } from '../../api/types.ts'
import { dollars, duration } from '../../ui/format.ts'
import { type Bar, waterfallOf } from './waterfall.ts'
import classes from './waterfall-chart.module.css'

interface Props {
  execution: Execution
  steps: readonly Step[]
}

/** The steps as bars on a time axis. */
export function WaterfallChart({ execution, steps }: Props) {
  const now = useNow(!isEnded(execution))
  const { bars, length, queued, ticks } = waterfallOf(execution, steps, now)
  const share = (milliseconds: number) => `${(milliseconds / length) * 100}%`
  return (
    <div className={classes.chart}>
      <div className={classes.axis} aria-hidden="true">
        {ticks.map((tick) => (
          <span key={tick} style={{ left: share(tick) }}>
            {tick === 0 ? '0' : duration(tick)}
          </span>
        ))}
      </div>
      <ol className={classes.rows} aria-label="Steps by time">
        {queued >= length / 200 && (
          <li className={classes.row}>
            <span className={classes.name}>
              <Text span size="sm" c="dimmed">
                waiting to start
              </Text>
            </span>
            <span className={classes.track}>
              <span className={classes.bar} data-status="queued" style={{ left: 0, width: share(queued) }} />
            </span>
            <span className={classes.time}>{duration(queued)}</span>
          </li>
        )}
        {bars.map((bar) => (
          <StepRow key={bar.step.node} bar={bar} share={share} />
        ))}
      </ol>
      <div className={classes.lines} aria-hidden="true">
        {ticks.map((tick) => (
          <span key={tick} style={{ left: share(tick) }} />
        ))}
      </div>
    </div>
  )
}

function StepRow({ bar: { step, start, end }, share }: { bar: Bar; share(milliseconds: number): string }) {
  const { node, operation, status, servedFrom, count, width, height, calls = [] } = step
  const barStyle =
    start === undefined || end === undefined || status === 'skipped'
      ? undefined
      : { left: share(start), width: share(end - start) }
  const kind = servedFrom ?? status
  const size = width === undefined || height === undefined ? '' : ` · ${width} × ${height}`
  const tooltip = `${node} · ${operation} · ${timeText(step)}${size}${count === undefined ? '' : ` · ${count} images`}`
  return (
    <>
      <li className={classes.row} data-status={status}>
        <span className={classes.name} title={`${node} (${operation})`}>
          <Text span size="sm" fw={500} truncate>
            {node}
          </Text>
          <Text span size="xs" c="dimmed" truncate>
            {operation}
          </Text>
        </span>
        <Tooltip label={tooltip} position="top-start" openDelay={200}>
          <span className={classes.track}>
            {barStyle && <span className={classes.bar} data-status={kind} style={barStyle} />}
          </span>
        </Tooltip>
        <span className={classes.time}>{timeText(step)}</span>
      </li>
      {calls.map(({ model, outcome, costUsd, costSource, requestId }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: calls are only ever appended
        <li key={index} className={classes.row} data-kind="call">
          <span className={classes.name} title={requestId}>
            <Text span size="xs" truncate>
              ↳ {model}
            </Text>
            {outcome !== 'done' && (
              <Text span size="xs" c="red">
                {outcome}
              </Text>
            )}
          </span>
          <span className={classes.track}>
            {barStyle && <span className={classes.bar} data-status="call" style={barStyle} />}
          </span>
          <span className={classes.time}>
            {costUsd === null ? 'cost unknown' : `${costSource === 'assumed' ? '≤ ' : ''}${dollars(costUsd)}`}
          </span>
        </li>
      ))}
    </>
  )
}

function timeText({ status, duration: ms, servedFrom }: Step): string {
  if (servedFrom === 'cache') return 'from cache'
  if (servedFrom === 'resumed') return 'kept'
  return ms !== undefined && status !== 'skipped' ? duration(ms) : status
}

function useNow(isRunning: boolean): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    if (!isRunning) return
    const timer = setInterval(() => setNow(Date.now()), 250)
    return () => clearInterval(timer)
  }, [isRunning])
  return now
}

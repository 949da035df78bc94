import { useEffect, useState } from 'react'
import { isEnded } from '../../api/executions.ts'
import type { Execution } from '../../api/types.ts'
import { duration } from '../../ui/format.ts'

/** The duration of an execution, or its time until now. */
export function Elapsed({ execution }: { execution: Execution }) {
  const [now, setNow] = useState(Date.now)
  const isOpen = !isEnded(execution)
  useEffect(() => {
    if (!isOpen) return
    const timer = setInterval(() => setNow(Date.now()), 500)
    return () => clearInterval(timer)
  }, [isOpen])
  if (execution.duration !== undefined) return duration(execution.duration)
  const startedAt = Date.parse(execution.createdAt ?? '')
  return Number.isFinite(startedAt) ? duration(Math.max(0, now - startedAt)) : ''
}

/** Events of an execution as they are sent. */
import { timestamp } from '../../../domain/clock.ts'
import type { ExecutionEvent } from '../../../services/execution-events.ts'
import type { SentEvent } from '../../response/event-stream.ts'
import type { Services } from '../../services.ts'
import { executionRecord, stepRecord, stepsUrlOf } from '../present.ts'

type Shown = Pick<Services, 'images' | 'baseUrl'>

export async function* sentEvents(
  executionId: string,
  parts: AsyncIterable<ExecutionEvent[]>,
  services: Shown,
): AsyncGenerator<SentEvent[], void> {
  const stepsUrl = stepsUrlOf(executionId, services)
  for await (const part of parts) yield part.map((event) => sentEvent(event, stepsUrl, services))
}

function sentEvent(event: ExecutionEvent, stepsUrl: string, { images }: Shown): SentEvent {
  const { id, kind } = event
  if (kind === 'step') return { id, event: kind, data: stepRecord(event.step, stepsUrl) }
  const record = executionRecord(event.execution, images)
  if (kind === 'snapshot') {
    const steps = event.steps.map((step) => stepRecord(step, stepsUrl))
    return { id, event: kind, data: { execution: record, steps } }
  }
  const { executionId, status, startedAt, completedAt, output, error, duration, cost } = record
  const at = timestamp(event.at)
  return {
    id,
    event: kind,
    // What is undefined is not written.
    data: { executionId, status, at, startedAt, completedAt, output, error, duration, cost },
  }
}

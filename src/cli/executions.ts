import { type Command, Option } from 'commander'
import type { ExecutionEvent, Schemas } from '../../client/src/index.ts'
import { defined } from './images.ts'
import { firstOf, limitOption, rows } from './lists.ts'
import { type ActOnApi, type CliApi, type Output, onBoth, type TargetOptions } from './target.ts'
import { workflowIdOf } from './workflow-id.ts'

interface ListOptions extends TargetOptions {
  limit: number
  workflow?: string
  status?: Schemas['Execution']['status']
}

export function executionCommands(program: Command, act: ActOnApi, fail: () => void): void {
  const commands = program.command('executions').description('Show and cancel executions.')
  onBoth(
    commands
      .command('list')
      .addOption(limitOption())
      .option('--workflow <id>', 'only executions of this workflow, by its id or slug')
      .addOption(
        new Option('--status <status>', 'only executions with this status').choices([
          'pending',
          'running',
          'completed',
          'failed',
        ]),
      ),
  )
    .description('List executions, newest first.')
    .action(({ limit, workflow, status, ...options }: ListOptions) =>
      act(
        options,
        async (api) => {
          const workflowId = workflow && (await workflowIdOf(api, workflow))
          const list = api.client.executions.list(defined({ workflowId, status }), api.request)
          return rows(await firstOf(list, limit), row)
        },
        workflow === undefined ? {} : { workflow },
      ),
    )
  onBoth(commands.command('show <id>').option('--follow', 'wait until it ends, and print each change of a step'))
    .description('Show an execution. Exits with 1 if it failed.')
    .action((id: string, { follow, ...options }: TargetOptions & { follow?: boolean }) =>
      act(options, async (api) => {
        if (follow) await followExecution(api, id)
        const execution = await api.client.executions.get(id, {}, api.request)
        if (execution.status === 'failed') fail()
        return shown(execution)
      }),
    )
  onBoth(commands.command('cancel <id>'))
    .description('Cancel an execution.')
    .action((id: string, options: TargetOptions) =>
      act(options, async ({ client, request }) => shown(await client.executions.cancel(id, {}, request)), {
        changes: true,
      }),
    )
}

/** Prints each change of a step on standard error until the execution ends. */
export async function followExecution(api: CliApi, id: string): Promise<void> {
  api.onInterrupt(`Execution ${id} continues. Follow it with "tintype executions show ${id} --follow".`)
  const report = reporter()
  await api.client.wait(id, { ...api.request, onEvent: report }).catch((error: { code?: string }) => {
    // The record of the execution has the reason.
    if (error.code !== 'workflow_failed') throw error
  })
}

/** Prints the steps of events, each status of a step once. */
function reporter(): (event: ExecutionEvent) => void {
  const seen = new Map<string, string>()
  return ({ type, data }) => {
    const steps = type === 'snapshot' ? data.steps : type === 'step' ? [data] : []
    for (const { node, operation, status, duration, error } of steps) {
      if (seen.get(node) === status || status === 'pending') continue
      seen.set(node, status)
      const time = duration === undefined ? '' : `, ${Math.round(duration)} ms`
      process.stderr.write(`${node} (${operation}): ${status}${time}${error ? `: ${error.message}` : ''}\n`)
    }
  }
}

/** The fields of an execution with any status. */
type AnyExecution = Omit<Schemas['ExecutionCompleted'], 'status'> & {
  status: string
  error?: Schemas['ExecutionFailed']['error']
}

export function shown(execution: Schemas['Execution'] | Schemas['CompletedExecution']): Output {
  const { executionId, status, output, outputs, error, cost, ...more } = execution as AnyExecution
  const view = {
    executionId,
    status,
    ...(output && { output: { url: output.url, width: output.width, height: output.height, format: output.format } }),
    ...Object.fromEntries((outputs ?? []).map(({ name, url }) => [`outputs.${name}`, url])),
    ...(error && { error: error.message, reason: error.details.reason }),
    ...Object.fromEntries(Object.entries(more).filter(([, value]) => typeof value !== 'object')),
    ...(cost && { costUsd: cost.usd }),
  }
  return { answer: execution, view }
}

function row(execution: Schemas['Execution']) {
  const { executionId, workflowId, status, startedAt, completedAt, error } = execution as AnyExecution
  return { executionId, workflowId, status, startedAt, completedAt, reason: error?.details.reason }
}

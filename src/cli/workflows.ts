import { type Command, Option } from 'commander'
import { isTerminal } from '../domain/execution.ts'
import { dollars } from '../domain/money.ts'
import type { WorkflowDocument } from '../domain/workflow.ts'
import { Fault, notFound } from '../errors.ts'
import { accountIdOf } from './account-option.ts'
import { applyWorkflow } from './apply.ts'
import type { Act, CliServices } from './cli-services.ts'
import { parameter } from './options.ts'

/** Time for other executions of this process to end: the longest possible timeout of an execution. */
const graceSeconds = 86_400

export function workflowCommands(program: Command, act: Act<CliServices>): void {
  const workflows = program.command('workflows').description('Manage saved workflows.')
  workflows
    .command('apply <file...>')
    .description('Save workflow files (YAML or JSON) and the images that they name.')
    .option('--account <id>', 'account; required if there are several')
    .option('--json', 'print one JSON value')
    .action((files: string[], { account, json }: { account?: string; json?: boolean }) =>
      act(
        async (app) => {
          const accountId = await accountIdOf(app, account)
          const applied = []
          for (const file of files) applied.push({ file, ...(await applyWorkflow(file, accountId, app.services)) })
          return applied
        },
        { json: json === true },
      ),
    )
  workflows
    .command('export <id>')
    .description('Print the newest document of a workflow as YAML.')
    .option('--json', 'print it as JSON')
    .action((id: string, { json }: { json?: boolean }) =>
      act(
        async (app) => {
          const { document } = await app.services.workflows.find(await ownerOf(app, id), id)
          return json ? document : (await import('yaml')).stringify(document, { lineWidth: 120 })
        },
        { json: json === true },
      ),
    )
  workflows
    .command('run <id>')
    .description('Execute a workflow and print its output.')
    .addOption(
      new Option('--param <name=value>', 'a parameter; repeat it for more').argParser(parameter).default({}, 'none'),
    )
    .option('--json', 'print one JSON value')
    .action((id: string, { param, json }: { param: Record<string, string>; json?: boolean }) =>
      act((app) => run(app, id, param), { json: json === true }),
    )
}

/** A running service executes it; without one, this process does. */
async function run(app: CliServices, id: string, texts: Record<string, string>) {
  const { workflows, executions, images } = app.services
  const accountId = await ownerOf(app, id)
  const { document } = await workflows.find(accountId, id)
  const worker = app.lock() ? await app.startWorker() : undefined
  try {
    let execution = await executions.start({ accountId }, id, typed(document, texts))
    while (!isTerminal(execution.status)) execution = await executions.wait(execution, 0.25)
    if (execution.error) throw new Fault(execution.error.code, execution.error.message, execution.error.details)
    if (execution.output === null) throw new Error('a completed execution has an output')
    const { imageId, width, height, format } = execution.output
    const output = { url: images.url({ id: imageId, format }), width, height, format }
    const duration = (execution.completedAt ?? 0) - execution.createdAt
    const { cost } = execution
    return {
      executionId: execution.id,
      status: execution.status,
      output,
      duration,
      ...(cost ? { costUsd: dollars(cost.costMicros) } : {}),
    }
  } finally {
    await worker?.stop(graceSeconds)
  }
}

/** The command line knows only text: what the workflow declares a number is read as one. */
function typed({ parameters = [] }: WorkflowDocument, texts: Record<string, string>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(texts).map(([name, text]) => {
      const number = parameters.find((each) => each.name === name)?.type === 'number'
      return [name, number && text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text]
    }),
  )
}

/** The account of a workflow. */
export async function ownerOf({ accounts, services }: CliServices, workflowId: string): Promise<string> {
  for (const { id } of await accounts.list()) {
    const found = await services.workflows.find(id, workflowId).catch(() => undefined)
    if (found) return id
  }
  throw notFound('workflow', workflowId)
}

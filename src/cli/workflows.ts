import { relative } from 'node:path'
import { type Command, Option } from 'commander'
import { isTerminal } from '../domain/executions/execution.ts'
import { dollars } from '../domain/money.ts'
import { Fault } from '../errors.ts'
import type { VersionChoice } from '../services/workflows/version-chooser.ts'
import { accountIdOf } from './account-option.ts'
import { type AppliedWorkflow, applyWorkflow } from './apply.ts'
import { channelCommands } from './channels.ts'
import type { Act, CliServices } from './cli-services.ts'
import { exportedDocument, exportFolder } from './export-workflow.ts'
import { channelName, parameter, slugText, typed, versionNumber } from './options.ts'
import { accountOption, workflowOf } from './workflow-of.ts'

/** Time for other executions of this process to end: the longest possible timeout of an execution. */
const graceSeconds = 86_400

export function workflowCommands(program: Command, act: Act<CliServices>): void {
  const workflows = program.command('workflows').description('Manage saved workflows.')
  workflows
    .command('apply <file...>')
    .description('Save workflow files (YAML or JSON) and the images that they name.')
    .option('--account <id>', 'account; required if there are several')
    .option('--channel <name>', 'point this channel of each workflow to the saved version', channelName)
    .option('--json', 'print one JSON value')
    .action((files: string[], { account, channel, json }: { account?: string; channel?: string; json?: boolean }) =>
      act(
        async (app) => {
          const accountId = await accountIdOf(app, account)
          const applied: (AppliedWorkflow & { file: string; channel?: string })[] = []
          for (const file of files) {
            const saved = await applyWorkflow(file, accountId, app.services, (used, each) =>
              applied.push({ file: relative('.', used), ...each }),
            )
            if (channel !== undefined) await app.services.channels.move({ accountId }, saved.id, channel, saved.version)
            applied.push({ file, ...saved, ...(channel === undefined ? {} : { channel }) })
          }
          if (json) return applied
          return applied.map(({ warnings = [], ...row }) => {
            for (const { path, message } of warnings)
              process.stderr.write(`Warning: ${row.file}: ${path}: ${message}\n`)
            return row
          })
        },
        { json: json === true },
      ),
    )
  workflows
    .command('export <id>')
    .description('Print the newest document of a workflow as YAML, or write it with the workflows that it uses.')
    .option(...accountOption)
    .option('--folder <folder>', 'write a file for it, and for each workflow that it uses, to this folder')
    .option('--json', 'print it as JSON')
    .action((id: string, { account, folder, json }: { account?: string; folder?: string; json?: boolean }) =>
      act(
        async (app) => {
          const { accountId, workflow, document } = await workflowOf(app, id, account)
          if (folder !== undefined) return exportFolder(folder, accountId, workflow, document, app.services)
          const exported = exportedDocument(workflow, document)
          return json ? exported : (await import('yaml')).stringify(exported, { lineWidth: 120 })
        },
        { json: json === true },
      ),
    )
  workflows
    .command('slug <id>')
    .argument('[slug]', '', slugText)
    .description('Set the slug of a workflow, a name that you can use in place of its id. Without a slug, remove it.')
    .option(...accountOption)
    .option('--json', 'print one JSON value')
    .action((id: string, text: string | undefined, { account, json }: { account?: string; json?: boolean }) =>
      act(
        async (app) => {
          const { accountId, workflow } = await workflowOf(app, id, account)
          const slug = text ?? null
          await app.services.workflows.setSlug(accountId, workflow.id, slug)
          return { id: workflow.id, name: workflow.name, slug }
        },
        { json: json === true },
      ),
    )
  channelCommands(workflows, act)
  workflows
    .command('run <id>')
    .description('Execute a workflow and print its output.')
    .addOption(
      new Option('--param <name=value>', 'a parameter; repeat it for more').argParser(parameter).default({}, 'none'),
    )
    .option('--version <number>', 'the version to execute (default: the newest)', versionNumber)
    .option('--channel <name>', 'the channel whose version to execute, such as live', channelName)
    .option(...accountOption)
    .option('--json', 'print one JSON value')
    .action((id: string, options: RunOptions) => act((app) => run(app, id, options), { json: options.json === true }))
}

interface RunOptions extends VersionChoice {
  param: Record<string, string>
  account?: string
  json?: boolean
}

/** A running service executes it; without one, this process does. */
async function run(app: CliServices, idOrSlug: string, { param, version, channel, account }: RunOptions) {
  const { workflows, executions, images } = app.services
  const { accountId, workflow } = await workflowOf(app, idOrSlug, account)
  const choice = { version, channel }
  const { document } = await workflows.findAt(accountId, workflow.id, choice)
  const worker = app.lock() ? await app.startWorker() : undefined
  try {
    let execution = await executions.start(
      { accountId },
      workflow.id,
      typed(document.parameters, param),
      undefined,
      choice,
    )
    while (!isTerminal(execution.status)) execution = await executions.wait(execution, 0.25)
    if (execution.error) throw new Fault(execution.error.code, execution.error.message, execution.error.details)
    if (execution.output === null) throw new Error('a completed execution has an output')
    const { imageId, width, height, format } = execution.output
    const output = {
      url: images.urlsOf(await app.accounts.find(accountId)).url({ id: imageId, format }),
      width,
      height,
      format,
    }
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

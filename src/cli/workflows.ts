import { relative } from 'node:path'
import { type Command, Option } from 'commander'
import type { Schemas } from '../../client/src/index.ts'
import { type AppliedWorkflow, applyWorkflow } from './apply.ts'
import { channelCommands } from './channels.ts'
import { followExecution, shown } from './executions.ts'
import { exportedDocument, exportFolder } from './export-workflow.ts'
import { requireWritable } from './files.ts'
import { defined, downloaded } from './images.ts'
import { firstOf, limitOption, rows } from './lists.ts'
import { openInBrowser } from './open-in-browser.ts'
import { channelName, parameter, slugText, versionNumber } from './options.ts'
import { print } from './print.ts'
import { type ActOnApi, type CliApi, type Output, onBoth, type TargetOptions } from './target.ts'
import { validateFile } from './validate.ts'
import { typedParameters, workflowIdOf } from './workflow-id.ts'

interface VersionOptions extends TargetOptions {
  version?: number
  channel?: string
}

export function workflowCommands(program: Command, act: ActOnApi, fail: () => void): void {
  const workflows = program.command('workflows').description('Manage saved workflows.')
  onBoth(
    workflows
      .command('list')
      .addOption(limitOption())
      .option('--project <id>', 'only workflows of this project')
      .option('--search <text>', 'only workflows whose name contains it'),
  )
    .description('List workflows, newest first.')
    .action(
      ({ limit, project, search, ...options }: TargetOptions & { limit: number; project?: string; search?: string }) =>
        act(options, async ({ client, request }) => {
          const query = { ...defined({ projectId: project, search }), include: 'version' as const }
          return rows(await firstOf(client.workflows.list(query, request), limit), (workflow) => {
            const { id, slug, name, version, updatedAt } = workflow
            return { id, slug, name, version, updatedAt }
          })
        }),
    )
  onBoth(withVersion(workflows.command('show <workflow>')))
    .description('Show a workflow and its parameters.')
    .action((workflow: string, { version, channel, ...options }: VersionOptions) =>
      act(
        options,
        async ({ client, request }) => {
          const found = await client.workflows.get(workflow, defined({ version, channel }), request)
          return { answer: found, view: detailsOf(found) }
        },
        { workflow },
      ),
    )
  onBoth(workflows.command('validate <file...>'))
    .description('Validate workflow files without saving them. Exits with 1 if one is invalid.')
    .action((files: string[], options: TargetOptions) =>
      act(options, async (api) => {
        const results: (Output & { valid: boolean })[] = []
        for (const file of files) results.push(await validateFile(file, api))
        if (results.some(({ valid }) => !valid)) fail()
        const answers = results.map(({ answer }, i) => ({ file: files[i], ...(answer as Schemas['Validation']) }))
        return { answer: answers, view: results.map(({ view }) => view).join('\n') }
      }),
    )
  onBoth(
    workflows
      .command('apply <file...>')
      .option('--channel <name>', 'point this channel of each workflow to the saved version', channelName),
  )
    .description('Save workflow files (YAML or JSON) and the images that they name.')
    .action((files: string[], { channel, ...options }: TargetOptions & { channel?: string }) =>
      act(options, (api) => applyFiles(files, channel, api), { changes: true }),
    )
  onBoth(
    workflows
      .command('export <workflow>')
      .option('--folder <folder>', 'write a file for it, and for each workflow that it uses, to this folder'),
  )
    .description('Print the newest document of a workflow as YAML, or write it with the workflows that it uses.')
    .action((workflow: string, { folder, ...options }: TargetOptions & { folder?: string }) =>
      act(
        options,
        async (api) => {
          const found = await api.client.workflows.get(workflow, {}, api.request)
          const document = await api.client.workflows.getDocument(found.id, {}, api.request)
          if (folder !== undefined) return { answer: await exportFolder(folder, found, document, api) }
          const answer = exportedDocument(found, document)
          return { answer, view: (await import('yaml')).stringify(answer, { lineWidth: 120 }) }
        },
        { workflow },
      ),
    )
  onBoth(workflows.command('slug <workflow>').argument('[slug]', '', slugText))
    .description('Set the slug of a workflow, a name that you can use in place of its id. Without a slug, remove it.')
    .action((workflow: string, slug: string | undefined, options: TargetOptions) =>
      act(
        options,
        async (api) => {
          const { client, request } = api
          const id = await workflowIdOf(api, workflow)
          if (slug === undefined) await client.workflows.deleteSlug(id, {}, request)
          else await client.workflows.setSlug(id, { slug }, request)
          const { name, slug: saved = null } = await client.workflows.get(id, {}, request)
          return { answer: { id, name, slug: saved } }
        },
        { workflow, changes: true },
      ),
    )
  channelCommands(workflows, act)
  onBoth(
    withVersion(
      workflows
        .command('run <workflow>')
        .addOption(
          new Option('--param <name=value>', 'a parameter; repeat it for more')
            .argParser(parameter)
            .default({}, 'none'),
        )
        .option('--output <file>', 'write the image to this file, or to standard output (-)')
        .option('--follow', 'print each change of a step'),
    ),
  )
    .description('Execute a workflow and print its output.')
    .action((workflow: string, options: RunOptions) =>
      act(options, (api) => api.executing(() => run(api, workflow, options)), { workflow, changes: true }),
    )
  onBoth(workflows.command('open <workflow>').option('--print', 'print the address only'))
    .description('Open a workflow in the console, and print its address.')
    .action((workflow: string, { print, ...options }: TargetOptions & { print?: boolean }) =>
      act(
        options,
        async (api) => {
          const address = `${await consoleOf(api)}/workflows/${await workflowIdOf(api, workflow)}`
          if (!print && !options.json) await openInBrowser(address)
          return { answer: { url: address }, view: address }
        },
        { workflow },
      ),
    )
  onBoth(
    workflows
      .command('publish <workflow>')
      .option('--note <text>', 'note for the list of versions')
      .option('--overwrite', 'publish although the workflow was saved after its draft was created')
      .option('--channel <name>', 'point this channel to the published version', channelName),
  )
    .description('Publish the draft of a workflow as its next version.')
    .action((workflow: string, { note, overwrite, channel, ...options }: PublishOptions) =>
      act(
        options,
        async (api) => {
          const { client, request } = api
          const id = await workflowIdOf(api, workflow)
          const published = await client.drafts.publish(id, defined({ note, overwrite }), request)
          const { version = 1 } = published
          if (channel !== undefined) await client.channels.move(id, channel, { version }, request)
          return { answer: published, view: detailsOf(published) }
        },
        // A draft that was never published is not a workflow yet.
        { changes: true },
      ),
    )
  onBoth(workflows.command('delete <workflow>'))
    .description('Delete a workflow with its versions. Its images stay.')
    .action((workflow: string, options: TargetOptions) =>
      act(
        options,
        async (api) => {
          const id = await workflowIdOf(api, workflow)
          return { answer: { id, ...(await api.client.workflows.delete(id, {}, api.request)) } }
        },
        { workflow, changes: true },
      ),
    )
}

interface RunOptions extends VersionOptions {
  param: Record<string, string>
  output?: string
  follow?: boolean
}

interface PublishOptions extends TargetOptions {
  note?: string
  overwrite?: boolean
  channel?: string
}

function withVersion(command: Command): Command {
  return command
    .option('--version <number>', 'this version (default: the newest)', versionNumber)
    .option('--channel <name>', 'the version of this channel, such as live', channelName)
}

async function applyFiles(files: string[], channel: string | undefined, api: CliApi): Promise<Output> {
  const applied: (AppliedWorkflow & { file: string; channel?: string })[] = []
  for (const file of files) {
    const saved = await applyWorkflow(file, api, (used, each) => applied.push({ file: relative('.', used), ...each }))
    if (channel !== undefined)
      await api.client.channels.move(saved.id, channel, { version: saved.version }, api.request)
    applied.push({ file, ...saved, ...(channel === undefined ? {} : { channel }) })
  }
  const view = applied.map(({ warnings: _, ...row }) => row)
  const warnings = applied.flatMap(({ file, warnings = [] }) =>
    warnings.map(({ path, message }) => `Warning: ${file}: ${path}: ${message}\n`),
  )
  return { answer: applied, view, notes: warnings }
}

async function run(api: CliApi, workflowId: string, options: RunOptions): Promise<Output | undefined> {
  const { param, version, channel, output: file, follow } = options
  const { client, request } = api
  if (file !== undefined) requireWritable(file, '--output')
  const choice = defined({ version, channel })
  const parameters = await typedParameters(api, { workflowId, ...choice }, param)
  const { executionId } = await client.submit(workflowId, parameters, { ...request, ...choice })
  const id = executionId
  if (follow) await followExecution(api, id)
  else api.onInterrupt(`Execution ${id} continues. Show it with "tintype executions show ${id}".`)
  const execution = await client.wait(id, request)
  const result = shown(execution)
  return file === undefined ? result : downloaded(api, execution.output.url, file, result)
}

/** The address of the console: that of the service. A command on the database knows it from `PUBLIC_URL`, or from the last start of the service. */
async function consoleOf({ url, client, request }: CliApi): Promise<string> {
  if (url !== undefined) return url
  const { servers = [] } = (await client.service.openapi({}, request)) as { servers?: { url: string }[] }
  return servers[0]?.url.replace(/\/v1$/, '') ?? ''
}

function detailsOf({ parameters, inputSchema: _, outputs, usedBy, warnings, ...facts }: Schemas['Workflow']): string {
  const declared = parameters.map(({ name, type, required, default: preset, description, ...more }) => {
    const format = 'format' in more ? more.format : undefined
    return { parameter: name, type: format ?? type, required: required ?? false, default: preset, description }
  })
  return [
    print(facts, false),
    ...(declared.length > 0 ? [print(declared, false)] : []),
    ...(outputs
      ? [
          print(
            outputs.map(({ name, kind }) => ({ output: name, kind })),
            false,
          ),
        ]
      : []),
    ...(usedBy
      ? [
          print(
            usedBy.map(({ workflowId, name }) => ({ usedBy: workflowId, name })),
            false,
          ),
        ]
      : []),
    ...(warnings ?? []).map(({ path, message }) => `Warning: ${path}: ${message}\n`),
  ].join('\n')
}

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Command, Option } from 'commander'
import { checker } from '../domain/validate.ts'
import { inputSchemaOf } from '../domain/workflows/input-schema.ts'
import { type Workflow, WorkflowDocument } from '../domain/workflows/workflow.ts'
import { invalidRequest } from '../errors.ts'
import { accountIdOf } from './account-option.ts'
import type { Act, CliApi, CliServices } from './cli-services.ts'
import { findWorkflows, readWorkflow } from './workflow-files.ts'
import { accountOption, workflowOf } from './workflow-of.ts'
import { type DescribedWorkflow, typesOf } from './workflow-types.ts'

interface Options {
  url?: string
  key?: string
  folder?: string
  account?: string
  output?: string
  json?: boolean
}

interface Acts {
  /** Opens nothing. */
  actAlone: Act<unknown>
  act: Act<CliServices>
  actOn(service: { url: string; key: string }): Act<CliApi>
}

export function typesCommand(program: Command, { actAlone, act, actOn }: Acts): void {
  program
    .command('types [workflow...]')
    .description(
      'Write TypeScript types of workflows for @tintype/client: of all workflows of an account, or of those with these ids or slugs.',
    )
    .addOption(
      new Option('--url <url>', 'address of a running service; default: the data directory').env('TINTYPE_URL'),
    )
    .addOption(
      new Option('--key <key>', 'API key; better in the environment than on the command line').env('TINTYPE_API_KEY'),
    )
    .addOption(
      new Option('--folder <folder>', 'the workflow files below this folder, by their slugs').conflicts(['account']),
    )
    .option(...accountOption)
    .option('--output <file>', 'write the file; default: print the types')
    .option('--json', 'print one JSON value')
    .action((names: string[], options: Options) => {
      const { url, key = '', folder, account, output } = options
      const json = { json: options.json === true }
      const write = async (workflows: DescribedWorkflow[]) => {
        const text = typesOf(workflows)
        if (output === undefined) return options.json ? { types: text } : text
        await writeFile(output, text).catch((cause: NodeJS.ErrnoException) => {
          throw invalidRequest([{ path: '--output', message: `${output} can't be written (${cause.code})` }])
        })
        return { file: output, workflows: workflows.length }
      }
      if (folder !== undefined) return actAlone(async () => write(await inFolder(folder, names)), json)
      if (url !== undefined) return actOn({ url, key })(async (api) => write(await ofService(api, names)), json)
      return act(async (app) => write(await inRecords(app, names, account)), json)
    })
}

const checkDocument = checker(WorkflowDocument)

async function inFolder(folder: string, names: string[]): Promise<DescribedWorkflow[]> {
  const found: DescribedWorkflow[] = []
  for (const file of await findWorkflows(folder)) {
    const { document, slug } = await readWorkflow(join(folder, file))
    if (names.length > 0 && !names.includes(slug ?? '')) continue
    const issues = checkDocument(document, file)
    if (issues.length > 0) throw invalidRequest(issues)
    if (slug === undefined)
      throw invalidRequest([{ path: file, message: 'has no slug, by which programs could call it. Add one.' }])
    found.push(described({ slug }, document as WorkflowDocument))
  }
  const missing = names.find((name) => !found.some(({ slug }) => slug === name))
  if (missing !== undefined)
    throw invalidRequest([{ path: folder, message: `has no workflow with the slug ${missing}` }])
  return found
}

async function inRecords(app: CliServices, names: string[], account?: string): Promise<DescribedWorkflow[]> {
  if (names.length > 0) {
    const found = await Promise.all(names.map((name) => workflowOf(app, name, account)))
    return found.map(({ workflow, document }) => described(workflow, document))
  }
  const { workflows } = app.services
  const accountId = await accountIdOf(app, account)
  const found: DescribedWorkflow[] = []
  for (let offset = 0, total = 1; offset < total; offset += pageSize) {
    const page = await workflows.list(accountId, { limit: pageSize, offset }, {})
    total = page.total
    for (const { id } of page.items) {
      const { workflow, document } = await workflows.find(accountId, id)
      found.push(described(workflow, document))
    }
  }
  return sorted(found)
}

const pageSize = 100

interface ApiWorkflow extends Omit<DescribedWorkflow, 'outputs'> {
  outputs?: { name: string }[]
}

async function ofService(api: CliApi, names: string[]): Promise<DescribedWorkflow[]> {
  const ids = [...names]
  for (let offset = 0, hasMore = names.length === 0; hasMore; offset += pageSize) {
    const page = await api.json<{ workflows: { id: string }[]; hasMore: boolean }>(
      'GET',
      `/workflows?limit=${pageSize}&offset=${offset}`,
    )
    ids.push(...page.workflows.map(({ id }) => id))
    hasMore = page.hasMore
  }
  const found: DescribedWorkflow[] = []
  for (const id of ids) {
    const { outputs = [], ...workflow } = await api.json<ApiWorkflow>('GET', `/workflows/${encodeURIComponent(id)}`)
    found.push({ ...workflow, outputs: outputs.map(({ name }) => name) })
  }
  return names.length > 0 ? found : sorted(found)
}

/** So that the file changes only with the workflows. */
function sorted(workflows: DescribedWorkflow[]): DescribedWorkflow[] {
  const nameOf = ({ slug, id }: DescribedWorkflow): string => slug ?? id ?? ''
  return workflows.sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))
}

function described(
  { id, slug }: Partial<Pick<Workflow, 'id' | 'slug'>>,
  { name, description, parameters = [], outputs = {} }: WorkflowDocument,
): DescribedWorkflow {
  return {
    id,
    slug: slug ?? undefined,
    name,
    description,
    inputSchema: inputSchemaOf(parameters),
    outputs: Object.keys(outputs),
  }
}

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Command, Option } from 'commander'
import { checker } from '../domain/validate.ts'
import { inputSchemaOf } from '../domain/workflows/input-schema.ts'
import { WorkflowDocument } from '../domain/workflows/workflow.ts'
import { invalidRequest } from '../errors.ts'
import type { Act } from './cli-services.ts'
import { type ActOnApi, type CliApi, onBoth, type TargetOptions } from './target.ts'
import { findWorkflows, readWorkflow } from './workflow-files.ts'
import { type DescribedWorkflow, typesOf } from './workflow-types.ts'

interface Options extends TargetOptions {
  folder?: string
  output?: string
}

/** `actOnFiles`: without a service or a database. */
export function typesCommand(program: Command, act: ActOnApi, actOnFiles: Act<unknown>): void {
  onBoth(
    program
      .command('types [workflow...]')
      .addOption(
        new Option('--folder <folder>', 'the workflow files below this folder, by their slugs').conflicts(['account']),
      )
      .option('--output <file>', 'write the file; default: print the types'),
  )
    .description(
      'Write TypeScript types of workflows for @tintype/client: of all workflows of an account, or of those with these ids or slugs.',
    )
    .action((names: string[], { folder, output, ...options }: Options) => {
      const write = async (workflows: DescribedWorkflow[]) => {
        const text = typesOf(workflows)
        if (output === undefined) return { answer: { types: text }, view: text }
        await writeFile(output, text).catch((cause: NodeJS.ErrnoException) => {
          throw invalidRequest([{ path: '--output', message: `${output} can't be written (${cause.code})` }])
        })
        return { answer: { file: output, workflows: workflows.length } }
      }
      const [workflow] = names
      if (folder === undefined)
        return act(options, async (api) => write(await savedWorkflows(api, names)), { ...(workflow && { workflow }) })
      const json = options.json === true
      return actOnFiles(
        async () => {
          const { answer, view = answer } = await write(await inFolder(folder, names))
          return json ? answer : view
        },
        { json },
      )
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

async function savedWorkflows({ client, request }: CliApi, names: string[]): Promise<DescribedWorkflow[]> {
  const ids = [...names]
  if (names.length === 0) for await (const { id } of client.workflows.list({}, request)) ids.push(id)
  const found: DescribedWorkflow[] = []
  for (const id of ids) {
    const { outputs = [], ...workflow } = await client.workflows.get(id, {}, request)
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
  { slug }: Pick<DescribedWorkflow, 'slug'>,
  { name, description, parameters = [], outputs = {} }: WorkflowDocument,
): DescribedWorkflow {
  return {
    slug,
    name,
    description,
    inputSchema: inputSchemaOf(parameters),
    outputs: Object.keys(outputs),
  }
}

/** Imports an SVG as a workflow, with its texts and images as parameters. */
import { readFile } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import type { Command } from 'commander'
import { invalidRequest } from '../errors.ts'
import type { Act } from './cli-services.ts'
import { fileToSend } from './files.ts'
import { type ActOnApi, onBoth, type TargetOptions } from './target.ts'

interface Options extends TargetOptions {
  name?: string
  dryRun?: boolean
}

/** `actOnFiles`: without a service or a database. */
export function importSvgCommand(program: Command, act: ActOnApi, actOnFiles: Act<{ close(): Promise<void> }>): void {
  onBoth(
    program
      .command('import-svg <file>')
      .option('--name <name>', 'name of the workflow; default: the name of the file')
      .option('--dry-run', 'print the document as YAML, and save nothing'),
  )
    .description(
      'Import an SVG of Figma, Illustrator or Inkscape as a workflow with its texts and images as parameters.',
    )
    .action((file: string, { name = basename(file, extname(file)), dryRun, ...options }: Options) => {
      if (dryRun) {
        const json = options.json === true
        return actOnFiles(
          async () => {
            const { document, report } = await read(file, name)
            return json ? { document, report } : (await import('yaml')).stringify(document, { lineWidth: 120 })
          },
          { json },
        )
      }
      return act(
        options,
        async ({ client, request }) => {
          const { workflow, report } = await client.workflows.importSvg({ file: await fileToSend(file), name }, request)
          const view = [{ layer: workflow.id, became: 'workflow', note: '' }, ...report]
          return { answer: { workflowId: workflow.id, name: workflow.name, report }, view }
        },
        { changes: true },
      )
    })
}

async function read(file: string, name: string) {
  const bytes = await readFile(file).catch((cause: NodeJS.ErrnoException) => {
    throw invalidRequest([{ path: 'file', message: `${file} can't be read (${cause.code})` }])
  })
  // Loads the parsers of XML and CSS only for this command.
  const [{ decodeSvg }, { importSvg }, { SvgProblem }] = await Promise.all([
    import('../../shared/svg-import/decode-svg.ts'),
    import('../../shared/svg-import/import-svg.ts'),
    import('../../shared/svg-import/svg-problem.ts'),
  ])
  try {
    return importSvg(await decodeSvg(bytes), name)
  } catch (error) {
    if (error instanceof SvgProblem)
      throw invalidRequest([{ path: 'file', message: `can't be imported. ${error.message}` }])
    throw error
  }
}

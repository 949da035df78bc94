/** Imports an SVG as a workflow, with its texts and images as parameters. */
import { readFile } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import type { Command } from 'commander'
import type { ReportRow } from '../../shared/svg-import/draft.ts'
import { invalidRequest } from '../errors.ts'
import { accountIdOf } from './account-option.ts'
import type { Act, CliServices } from './cli-services.ts'

interface Options {
  account?: string
  name?: string
  dryRun?: boolean
  json?: boolean
}

export function importSvgCommand(program: Command, act: Act<CliServices>): void {
  program
    .command('import-svg <file>')
    .description(
      'Import an SVG of Figma, Illustrator or Inkscape as a workflow with its texts and images as parameters.',
    )
    .option('--account <id>', 'account; required if there are several')
    .option('--name <name>', 'name of the workflow; default: the name of the file')
    .option('--dry-run', 'print the document as YAML, and save nothing')
    .option('--json', 'print one JSON value')
    .action((file: string, { account, name, dryRun, json }: Options) =>
      act(
        async (app) => {
          const accountId = await accountIdOf(app, account)
          const imported = await read(file, name ?? basename(file, extname(file)))
          const { document, report } = imported
          if (dryRun)
            return json ? { document, report } : (await import('yaml')).stringify(document, { lineWidth: 120 })
          const { workflow } = await app.services.svgImports.save(accountId, imported)
          return json ? { workflowId: workflow.id, name: workflow.name, report } : rowsOf(workflow.id, report)
        },
        { json: json === true },
      ),
    )
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

function rowsOf(workflowId: string, report: readonly ReportRow[]) {
  return [{ layer: workflowId, became: 'workflow', note: '' }, ...report]
}

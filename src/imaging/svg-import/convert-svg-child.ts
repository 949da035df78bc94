/** A program of a process pool: converts one SVG to a workflow document. */
import { readFile } from 'node:fs/promises'
import { decodeSvg } from '../../../shared/svg-import/decode-svg.ts'
import { type ImportedSvg, importSvg } from '../../../shared/svg-import/import-svg.ts'
import { SvgProblem } from '../../../shared/svg-import/svg-problem.ts'
import { failure } from '../../errors.ts'
import { serveJobs } from '../../processes/pool-program.ts'
import type { ConvertJob } from './convert-svg.ts'

serveJobs<ConvertJob, ImportedSvg>(async ({ file, name }) => {
  try {
    return importSvg(await decodeSvg(await readFile(file)), name)
  } catch (error) {
    if (error instanceof SvgProblem) throw failure('input_invalid', `It can't be imported. ${error.message}`)
    throw error
  }
})

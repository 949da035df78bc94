/** `tintype test`: compares the examples of workflow files with golden images, without a service. */
import { writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { Command } from 'commander'
import { asFault, type Fault } from '../errors.ts'
import { examplesOf, type RenderedName, type Rendering } from '../services/workflows/dry-runs.ts'
import type { Act, CliOffline } from './cli-services.ts'
import { differs, figures, sizeText } from './figures.ts'
import { readFixtures } from './fixtures.ts'
import { type Golden, type GoldenFormat, type Goldens, goldenFormats, goldensIn } from './goldens.ts'
import { integerUpTo, oneOf, percent } from './options.ts'
import { type ReportCase, type ReportImage, reportHtml } from './report.ts'
import { usedFilesIn } from './used-files.ts'
import { findWorkflows } from './workflow-files.ts'

interface Options {
  update?: boolean
  report?: string
  tolerance: number
  allow: number
  format: GoldenFormat
  json?: boolean
}

interface Outcome {
  name: string
  /** `missing`: has no golden picture. `unused`: a golden picture that no example has. */
  outcome: 'pass' | 'fail' | 'error' | 'missing' | 'unused' | 'new' | 'updated' | 'removed'
  facts: string[]
  images: ReportImage[]
}

/** Long: the user can end the process. */
const never = new AbortController().signal

const wrong: Outcome['outcome'][] = ['fail', 'error', 'missing', 'unused']

export function testCommand(program: Command, act: Act<CliOffline>, fail: () => void): void {
  program
    .command('test <folder>')
    .description(
      'Run the examples of workflow files in a folder and compare them with golden/, without network access.',
    )
    .option('--update', 'write golden images for new and changed examples')
    .option('--report <file>', 'write an HTML page with the images and their differences')
    .option('--tolerance <n>', 'ignored difference of a color channel, 0 to 255', integerUpTo(255), 2)
    .option('--allow <percent>', 'share of pixels that can differ', percent, 0)
    .option(
      '--format <format>',
      `format of new golden images: ${goldenFormats.join(' or ')}`,
      oneOf(goldenFormats),
      'png',
    )
    .option('--json', 'print one JSON value')
    .action((folder: string, options: Options) =>
      act(
        async (app) => {
          const outcomes = await testFolder(folder, options, app, options.json ? () => undefined : printOutcome)
          const counts = countsOf(outcomes)
          if (outcomes.some(({ outcome }) => wrong.includes(outcome))) fail()
          if (options.report !== undefined)
            await writeFile(options.report, reportHtml('Examples of workflows', counts, outcomes.map(asCase)))
          return options.json ? outcomes.map(({ images: _, ...rest }) => rest) : counts
        },
        { json: options.json === true },
      ),
    )
}

async function testFolder(
  folder: string,
  options: Options,
  app: CliOffline,
  report: (outcome: Outcome) => void,
): Promise<Outcome[]> {
  const goldens = goldensIn(folder)
  const fixtures = await readFixtures(folder)
  const read = usedFilesIn(folder, fixtures, app.dryRuns.check)
  const outcomes: Outcome[] = []
  /** Workflows and examples that failed: nothing is known about their golden images. */
  const failed: string[] = []
  const add = (outcome: Outcome) => {
    outcomes.push(outcome)
    report(outcome)
  }
  for (const file of await findWorkflows(folder)) {
    const path = join(folder, file)
    const name = file.slice(0, -extname(file).length)
    try {
      const { document, open, brand, usable } = await read(path)
      const workflow = await app.dryRuns.check(document, usable)
      for (const example of examplesOf(workflow)) {
        const bounds = { open, brand, signal: never, timeoutSeconds: app.secondsEach }
        try {
          const rendered = await app.dryRuns.render(workflow, example.parameters ?? {}, bounds)
          try {
            for (const { output, image } of rendered.images)
              add(await testImage(nameOf(`${name}/${example.name}`, output), image, goldens, options, app))
          } finally {
            await rendered.discard()
          }
        } catch (error) {
          add(await failedExample(`${name}/${example.name}`, error, goldens))
          failed.push(`${name}/${example.name}`)
        }
      }
    } catch (error) {
      add({ name, outcome: 'error', facts: problemsOf(asFault(error)), images: [] })
      failed.push(name)
    }
  }
  for (const name of await goldens.unused(new Set(outcomes.map((outcome) => outcome.name)))) {
    if (failed.some((failedName) => name.startsWith(`${failedName}/`))) continue
    if (options.update) await goldens.remove(name)
    add({
      name,
      outcome: options.update ? 'removed' : 'unused',
      facts: ['no output of an example has this golden image. Delete the file, or restore the example.'],
      images: [],
    })
  }
  return outcomes
}

/** `card/sale`, `card/sale/story` for an output, and `card/sale/print/1` for a page of a PDF. */
function nameOf(example: string, output: RenderedName | undefined): string {
  if (output === undefined) return example
  return [example, output.name, output.page].filter((part) => part !== undefined).join('/')
}

async function failedExample(name: string, error: unknown, goldens: Goldens): Promise<Outcome> {
  const golden = await goldens.read(name)
  const images = golden ? [imageOf('expected', golden)] : []
  return { name, outcome: 'error', facts: problemsOf(asFault(error)), images }
}

async function testImage(
  name: string,
  image: Rendering,
  goldens: Goldens,
  { update, tolerance, allow, format }: Options,
  app: CliOffline,
): Promise<Outcome> {
  const golden = await goldens.read(name)
  const expected = golden ? [imageOf('expected', golden)] : []
  const actual = async () => app.lossless(await image.exact.read(), golden?.format ?? format)
  const size = sizeText(image)
  if (golden === undefined) {
    const actualImage = await actual()
    if (update) await goldens.write(name, actualImage)
    const facts = update ? [size] : [size, 'the golden image is missing. Run the command with --update to create it.']
    return { name, outcome: update ? 'new' : 'missing', facts, images: [imageOf('actual', actualImage)] }
  }
  try {
    const bounds = { tolerance, signal: never, secondsLeft: () => app.secondsEach }
    const found = await app.compare(golden.bytes, await image.exact.read(), bounds)
    const facts = [size, ...figures(found)]
    if (!differs(found, allow / 100)) return { name, outcome: 'pass', facts, images: expected }
    const actualImage = await actual()
    if (update) await goldens.write(name, actualImage)
    const differenceImage = await found.differenceImage?.()
    const difference = differenceImage ? [{ label: 'difference', mediaType: 'image/png', bytes: differenceImage }] : []
    const images = [...expected, imageOf('actual', actualImage), ...difference]
    return { name, outcome: update ? 'updated' : 'fail', facts, images }
  } catch (error) {
    return { name, outcome: 'error', facts: problemsOf(asFault(error)), images: expected }
  }
}

function imageOf(label: string, { bytes, format }: Golden): ReportImage {
  return { label, mediaType: `image/${format}`, bytes }
}

function problemsOf({ message, details: { issues = [] } }: Fault): string[] {
  return issues.length > 0 ? issues.map((issue) => `${issue.path}: ${issue.message}`) : [message]
}

function printOutcome({ name, outcome, facts }: Outcome): void {
  const reason = outcome === 'pass' ? '' : `  ${facts.join('; ')}`
  process.stdout.write(`${outcome.padEnd(8)} ${name}${reason}\n`)
}

function countsOf(outcomes: Outcome[]): string {
  if (outcomes.length === 0) return 'no workflow was found'
  const counts = new Map<string, number>()
  for (const { outcome } of outcomes) counts.set(outcome, (counts.get(outcome) ?? 0) + 1)
  return [...counts].map(([outcome, count]) => `${count} ${outcome}`).join(', ')
}

function asCase({ outcome, ...rest }: Outcome): ReportCase {
  return { ...rest, outcome, tone: wrong.includes(outcome) ? 'bad' : outcome === 'pass' ? 'good' : 'new' }
}

/** `tintype diff`: compares the example images of two versions of a workflow. */
import { writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Command } from 'commander'
import type { Schemas, WorkflowDocument } from '../../client/src/index.ts'
import { countdown } from '../domain/clock.ts'
import { imageFormats } from '../domain/images/image.ts'
import { invalidRequest } from '../errors.ts'
import {
  type ComparedExample,
  compareExamples,
  type ExampleComparison,
  inFigures,
} from '../services/workflows/comparisons.ts'
import type { Rendering } from '../services/workflows/dry-runs.ts'
import type { VersionChoice } from '../services/workflows/version-chooser.ts'
import type { Act, CliOffline, CliServices } from './cli-services.ts'
import { figures, percentText, sizeText } from './figures.ts'
import { type ImagePaths, readFixtures } from './fixtures.ts'
import { replaceImagePaths } from './image-paths.ts'
import { integerUpTo, percent } from './options.ts'
import { type ReportCase, type ReportImage, reportHtml } from './report.ts'
import { type ActOnApi, type CliApi, type Output, onBoth, type TargetOptions } from './target.ts'
import { storeOnce, uploadFrom } from './upload-once.ts'
import { usedFilesIn } from './used-files.ts'
import { readWorkflow } from './workflow-files.ts'
import { chosenWorkflow } from './workflow-id.ts'
import { ownerOf } from './workflow-of.ts'

interface Options extends TargetOptions {
  report?: string
  tolerance: number
  failAbove?: number
}

interface DiffActs {
  act: Act<CliServices>
  actOffline: Act<CliOffline>
  actOnApi: ActOnApi
  /** Whether the command works on a service. */
  isOnService(options: TargetOptions): Promise<boolean>
  fail(): void
}

export function diffCommand(program: Command, { act, actOffline, actOnApi, isOnService, fail }: DiffActs): void {
  onBoth(
    program
      .command('diff <before> <after>')
      .option('--report <file>', 'write an HTML page with the images and their differences; not on a service')
      .option(
        '--tolerance <n>',
        'ignored difference of a color channel, 0 to 255; not on a service',
        integerUpTo(255),
        0,
      )
      .option(
        '--fail-above <percent>',
        'exit with code 1 if a larger share of the pixels of an example differs',
        percent,
      ),
  )
    .description(
      'Compare the example images of two workflow files, or of two saved versions or channels, such as wf_...@live wf_...@2. On a service: of a saved workflow and a file or version that would replace it.',
    )
    .action(async (before: string, after: string, options: Options) => {
      const names: Names = [before, after]
      const [old, now] = [savedVersion(before), savedVersion(after)]
      const json = { json: options.json === true }
      if ((old || /^wf_/.test(before)) && (await isOnService(options)))
        return actOnApi(options, (api) => compareOnService(api, names, options, fail))
      if (old && now) return act((app) => reportAll(savedVersions(app, old, now, options), names, options, fail), json)
      if (old || now) return actOffline(() => Promise.reject(mixed(old ? after : before)), json)
      return actOffline((app) => reportAll(files(app, names, options), names, options, fail), json)
    })
}

type Names = [before: string, after: string]

async function* savedVersions(app: CliServices, before: SavedVersion, after: SavedVersion, { tolerance }: Options) {
  const accountId = await ownerOf(app, before.id)
  const versionOf = async ({ id, choice }: SavedVersion) => {
    const { workflow } = await app.services.workflows.findAt(accountId, id, choice)
    return { id, version: workflow.version }
  }
  yield* app.services.comparisons.versions(accountId, await versionOf(before), await versionOf(after), { tolerance })
}

async function* files(app: CliOffline, [before, after]: Names, { tolerance }: Options) {
  const paths: ImagePaths = new Map()
  const version = async (file: string) => {
    const read = usedFilesIn(dirname(file), await readFixtures(dirname(file), paths), app.dryRuns.check)
    const { document, open, brand, usable } = await read(file)
    return { workflow: await app.dryRuns.check(document, usable), open, brand }
  }
  // The user can end the process. Without a user, one execution that hangs must not block the others.
  const bounds = {
    ...app,
    signal: new AbortController().signal,
    secondsLeft: countdown(app.secondsEach * 40),
    tolerance,
  }
  yield* compareExamples(await version(before), await version(after), bounds)
}

/**
 * Compares the newest version of a workflow with the document of a file or of another version. The service executes the examples, and saves
 * nothing but the images of the file.
 */
async function compareOnService(
  api: CliApi,
  [before, after]: Names,
  { report, tolerance, failAbove }: Options,
  fail: () => void,
): Promise<Output> {
  const { client, request } = api
  if (report !== undefined || tolerance !== 0) {
    const path = report === undefined ? '--tolerance' : '--report'
    throw invalidRequest([{ path, message: 'is not available on a service. Pass --local, or compare two files.' }])
  }
  const old = chosenWorkflow(before)
  const now = /^wf_/.test(after) ? chosenWorkflow(after) : undefined
  if (now && now.workflowId !== old.workflowId)
    throw invalidRequest([{ path: after, message: `is not a version of ${old.workflowId}` }])
  const newest = (await client.workflows.get(old.workflowId, {}, request)).version
  const versionOf = async ({ workflowId, ...choice }: ReturnType<typeof chosenWorkflow>) =>
    (await client.workflows.get(workflowId, choice, request)).version
  const oldVersion = await versionOf(old)
  const nowVersion = now && (await versionOf(now))
  // The service compares with the newest version, which can be either side.
  const isSwapped = oldVersion !== newest && nowVersion === newest
  if (oldVersion !== newest && !isSwapped) {
    const message = `is version ${oldVersion}, but a service compares with the newest version, ${newest}`
    throw invalidRequest([{ path: before, message }])
  }
  const other = isSwapped ? oldVersion : nowVersion
  const document = other
    ? await client.workflows.getDocument(old.workflowId, { version: other }, request)
    : await documentIn(after, api)
  const query = { compare: 'true' as const }
  const { comparison } = await client.workflows.replace(old.workflowId, document, { ...request, query })
  const examples = (comparison?.examples ?? []).map((example) =>
    isSwapped ? { ...example, before: example.after, after: example.before } : example,
  )
  if (failAbove !== undefined && examples.some(({ differing }) => (differing ?? 1) > failAbove / 100)) fail()
  return { answer: examples, view: examples.map(lineOf).concat(summaryOf(examples)).join('\n') }
}

async function documentIn(file: string, api: CliApi): Promise<WorkflowDocument> {
  const { document } = await readWorkflow(file)
  await replaceImagePaths(document, uploadFrom(file, storeOnce(api)))
  return document as WorkflowDocument
}

function lineOf({ result, differing, before, after, ...example }: Schemas['ComparedExample']): string {
  const failures = [before, after].flatMap((side) => ('error' in side ? [side.error.message] : []))
  const facts = [...(differing ? [`${percentText(differing)} of pixels differ`] : []), ...failures]
  return `${result.padEnd(9)} ${titleOf(example)}  ${facts.join('; ')}`
}

async function reportAll(
  compared: AsyncIterable<ExampleComparison>,
  [before, after]: Names,
  { report, failAbove, json }: Options,
  fail: () => void,
): Promise<unknown> {
  const found: ComparedExample[] = []
  const cases: ReportCase[] = []
  for await (const example of compared) {
    const facts = inFigures(example)
    found.push(facts)
    const share = facts.differing ?? 1
    if (failAbove !== undefined && share > failAbove / 100) fail()
    if (report !== undefined) cases.push(await asCase(example, facts))
    if (!json) process.stdout.write(`${facts.result.padEnd(9)} ${titleOf(facts)}  ${factsOf(example).join('; ')}\n`)
  }
  const summary = summaryOf(found)
  if (report !== undefined)
    await writeFile(report, reportHtml('Changes in the new version', `${before} → ${after}: ${summary}`, cases))
  return json ? found : summary
}

function summaryOf(found: readonly { result: string; output?: string }[]): string {
  const changed = found.filter(({ result }) => result !== 'same').length
  const noun = found.some(({ output }) => output !== undefined) ? 'image' : 'example'
  return `${changed} of ${found.length} ${found.length === 1 ? noun : `${noun}s`} changed`
}

function factsOf({ before, after, difference }: ExampleComparison): string[] {
  const sizes = new Set([before, after].flatMap(({ image }) => (image ? [sizeText(image)] : [])))
  return [
    ...(sizes.size > 0 ? [[...sizes].join(' → ')] : []),
    ...(difference ? figures(difference) : []),
    ...(before.fault ? [`before: ${before.fault.message}`] : []),
    ...(after.fault ? [`after: ${after.fault.message}`] : []),
  ]
}

/** `sale`, `sale: story` for an output, and `sale: print, page 1` for a page of a PDF. */
function titleOf({ name, output, page }: Pick<ComparedExample, 'name' | 'output' | 'page'>): string {
  if (output === undefined) return name
  return `${name}: ${output}${page === undefined ? '' : `, page ${page}`}`
}

async function asCase(example: ExampleComparison, compared: ComparedExample): Promise<ReportCase> {
  const { result } = compared
  const { before, after, difference } = example
  const images: ReportImage[] = []
  for (const [label, { image }] of Object.entries({ before, after }))
    if (image) images.push(await imageOf(label, image))
  const differenceImage = result === 'different' ? await difference?.differenceImage?.() : undefined
  if (differenceImage) images.push({ label: 'difference', mediaType: 'image/png', bytes: differenceImage })
  const tone = result === 'same' ? 'good' : result === 'failed' ? 'bad' : 'new'
  return { name: titleOf(compared), outcome: result, tone, facts: factsOf(example), images }
}

/** Only one browser shows TIFF. */
async function imageOf(label: string, { format, file, exact }: Rendering): Promise<ReportImage> {
  if (format === 'tiff') return { label, mediaType: imageFormats.png.mediaType, bytes: await exact.read() }
  return { label, mediaType: imageFormats[format].mediaType, bytes: await file.read() }
}

interface SavedVersion {
  id: string
  choice: VersionChoice
}

/** `wf_...@2` or `wf_...@live`. */
function savedVersion(text: string): SavedVersion | undefined {
  const [, id, version, channel] = /^(wf_[0-9a-z]+)@(?:(\d{1,9})|([a-z][a-z0-9-]{0,62}))$/.exec(text) ?? []
  if (id === undefined) return undefined
  return { id, choice: version === undefined ? { channel } : { version: Number(version) } }
}

function mixed(file: string) {
  const message = 'is a file, but the other argument is a saved version. Compare two files, or two versions.'
  return invalidRequest([{ path: file, message }])
}

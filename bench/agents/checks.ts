/** Checks of a result that need no model: each returns the problem in words, or undefined. */
import colorString from 'color-string'
import { isTemplate } from '../../shared/values.ts'
import { unknownName } from '../../src/domain/validate.ts'
import { type Document, setAt, textsIn, valueAt } from './document.ts'
import { type Box, colorAt, decode, differences, type Picture } from './pictures.ts'
import { type Execution, type Output, Refused, type Service } from './service.ts'

/** The saved workflow, executed with parameters. */
export interface Subject {
  service: Service
  workflowId: string
  document: Document
  given: Record<string, unknown>
}

type Range = number | [number, number]
type Values = Record<string, unknown>
type Result = Promise<string | undefined> | string | undefined

/** Pixels: fewer are noise of the compression. */
const differingMin = 30

const checks = {
  /** Width and height, each a number or a range. */
  size: async (size: [Range, Range], subject: Subject) => wrongSize((await executed(subject)).output, size),

  async format(format: string, subject: Subject) {
    const { output } = await executed(subject)
    return output?.format === format ? undefined : `is ${output?.format}, not ${format}`
  },

  /** The maximum size of the file in bytes. */
  async bytes(most: number, subject: Subject) {
    const { length } = await fileOf(subject)
    return length <= most ? undefined : `has ${length} bytes, not at most ${most}`
  },

  /** Texts of the resolved document whose removal changes the image. */
  async text(texts: string | string[], subject: Subject) {
    for (const text of [texts].flat()) {
      const problem = await missingText(text, subject)
      if (problem !== undefined) return problem
    }
    return undefined
  },

  /** No node that runs has these texts. */
  async noText(texts: string | string[], subject: Subject) {
    const found = (await resolvedTexts(subject)).map(({ text }) => plain(text)).join('\n')
    const shown = [texts].flat().find((text) => found.includes(plain(text)))
    return shown === undefined ? undefined : `shows ${JSON.stringify(shown)}`
  },

  /** The colour at a place, with a tolerance for each channel. */
  async color({ at, is, within = 12 }: { at: [number, number]; is: string; within?: number }, subject: Subject) {
    const color = colorAt(await picture(subject), at)
    const [r = 0, g = 0, b = 0, a = 1] = colorString.get.rgb(is) ?? []
    const isClear = a === 0 && (color[3] ?? 0) <= within
    const isSame = [r, g, b, a * 255].every((channel, i) => Math.abs(channel - (color[i] ?? 0)) <= within)
    return isClear || isSame ? undefined : `is rgba(${color.join(' ')}) at ${at.join(', ')}, not ${is}`
  },

  /** Other values of parameters make another image. */
  async changes(values: Values, subject: Subject) {
    const { inside } = differences(await picture(subject), await picture(withGiven(subject, values)))
    return inside >= differingMin ? undefined : `does not change with ${JSON.stringify(values)}`
  },

  /** Other values change the image in the box, and nowhere else. */
  async changesIn({ box, with: values }: { box: Box; with: Values }, subject: Subject) {
    const { inside, outside } = differences(await picture(subject), await picture(withGiven(subject, values)), box)
    if (inside < differingMin) return `does not change in ${box.join(', ')} with ${JSON.stringify(values)}`
    return outside < differingMin ? undefined : `changes outside of ${box.join(', ')} with ${JSON.stringify(values)}`
  },

  /** Other values make the same image. */
  keeps: (values: Values, subject: Subject) => changedIn(undefined, values, subject),

  /** Other values make the same image in the box. */
  keepsIn: ({ box, with: values }: { box: Box; with: Values }, subject: Subject) => changedIn(box, values, subject),

  /** An execution with these values is rejected before it starts. */
  async refuses(values: Values, { service, workflowId, given }: Subject) {
    try {
      await service.execute(workflowId, withoutNull({ ...given, ...values }))
      return `accepts ${JSON.stringify(values)}`
    } catch (error) {
      if (error instanceof Refused && error.status === 400) return undefined
      throw error
    }
  },

  /** The most US dollars that an execution can cost without cached results: a number, or a range. */
  async cost(range: Range, { service, document, given }: Subject) {
    const nodes = Object.entries(document.nodes as Record<string, object>)
    const uncached = {
      ...document,
      nodes: Object.fromEntries(nodes.map(([id, node]) => [id, { ...node, cache: false }])),
    }
    const { cost } = await service.validate(uncached, given)
    return cost && isIn(cost.maxUsd, range) ? undefined : `costs ${JSON.stringify(cost)}, not ${JSON.stringify(range)}`
  },

  /** Further outputs by name, with a format, a size, and the number of files or pages. */
  async outputs(
    expected: Record<string, { format?: string; size?: [Range, Range]; count?: number; pages?: number }>,
    subject: Subject,
  ) {
    const { outputs = [] } = await executed(subject)
    for (const [name, { format, size, count = 1, pages }] of Object.entries(expected)) {
      const files = outputs.flatMap((output) => (output.name === name ? (output.files ?? [output]) : []))
      if (files.length !== count) return `has ${files.length} files of the output ${name}, not ${count}`
      if (format !== undefined && files.some((file) => file.format !== format)) return `${name} is not ${format}`
      if (pages !== undefined && files[0]?.pages !== pages) return `${name} has ${files[0]?.pages} pages, not ${pages}`
      const problem = size && wrongSize(files[0], size)
      if (problem !== undefined) return `${name} ${problem}`
    }
    return undefined
  },

  /** A batch of these rows, CSV or a list, is completed, and each row has another image. */
  async rows(rows: string | object[], { service, workflowId, document }: Subject) {
    await service.publishDraft(workflowId).catch((error: unknown) => {
      // A client with the permission has published it already.
      if (!(error instanceof Refused) || error.status !== 404) throw error
    })
    const urls = await service.batch(workflowId, rows)
    const files = await Promise.all(urls.map(async (url) => (await service.file(url)).toString('base64')))
    const count = typeof rows === 'string' ? rows.trim().split('\n').length - 1 : rows.length
    if (files.length !== count) return `has ${files.length} results of ${count} rows`
    return new Set(files).size === count ? undefined : `has equal images for different rows of ${document.name}`
  },

  /** The number of frames of an animation. */
  async frames(range: Range, subject: Subject) {
    const { frames } = await picture(subject)
    return isIn(frames, range) ? undefined : `has ${frames} frames`
  },

  /** Declared parameters, with their format or else their type. */
  parameters(expected: Record<string, string>, { document }: Subject) {
    const declared = (document.parameters ?? []) as { name: string; type: string; format?: string }[]
    const kinds = Object.fromEntries(declared.map(({ name, type, format }) => [name, format ?? type]))
    const wrong = Object.entries(expected).find(([name, kind]) => kinds[name] !== kind)
    return wrong && `has the parameter ${wrong[0]} as ${kinds[wrong[0]]}, not ${wrong[1]}`
  },

  /** Dotted paths of the document that are set. */
  has(paths: string[], { document }: Subject) {
    const missing = paths.find((path) => valueAt(document, path.split('.')) === undefined)
    return missing && `has no ${missing}`
  },

  /** The part of the document at a path is this. */
  is(expected: Values, { document }: Subject) {
    const wrong = Object.entries(expected).find(
      ([path, value]) => JSON.stringify(valueAt(document, path.split('.'))) !== JSON.stringify(value),
    )
    return wrong && `has ${JSON.stringify(valueAt(document, wrong[0].split('.')))} at ${wrong[0]}`
  },
} satisfies Record<string, (argument: never, subject: Subject) => Result>

/** The problems of a list of checks. A check with `with` runs its `checks` with other values of parameters. */
export async function problemsOf(list: readonly Values[], subject: Subject): Promise<string[]> {
  const problems: string[] = []
  for (const check of list) {
    if ('with' in check) {
      const inner = withGiven(subject, check.with as Values)
      problems.push(...(await problemsOf(check.checks as Values[], inner)))
      continue
    }
    for (const [name, argument] of Object.entries(check)) {
      const run = checks[name as keyof typeof checks] as ((argument: unknown, subject: Subject) => Result) | undefined
      if (run === undefined) throw new Error(`${name} ${unknownName('check', name, Object.keys(checks))}`)
      const problem = await Promise.resolve(run(argument, subject)).catch((error: Error) => error.message)
      if (problem !== undefined) problems.push(`${name}: ${problem}`)
    }
  }
  return problems
}

function withGiven(subject: Subject, values: Values): Subject {
  const given = withoutNull({ ...subject.given, ...values })
  const key = JSON.stringify(given)
  const others = (variants.get(subject) ?? variants.set(subject, new Map()).get(subject)) as Map<string, Subject>
  const known = others.get(key) ?? { ...subject, given }
  others.set(key, known)
  return known
}

/** Null passes no value, also none of `given`. */
function withoutNull(values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null))
}

const variants = new WeakMap<Subject, Map<string, Subject>>()
const executions = new WeakMap<Subject, Promise<Execution>>()
const pictures = new WeakMap<Subject, Promise<Picture>>()

function once<Value>(made: WeakMap<Subject, Value>, subject: Subject, make: () => Value): Value {
  const value = made.get(subject) ?? make()
  made.set(subject, value)
  return value
}

function executed(subject: Subject): Promise<Execution> {
  return once(executions, subject, async () => {
    const execution = await subject.service.execute(subject.workflowId, subject.given)
    if (execution.status === 'failed') throw new Error(`the execution failed: ${execution.error?.message}`)
    return execution
  })
}

async function fileOf(subject: Subject): Promise<Buffer> {
  return subject.service.file((await executed(subject)).output?.url ?? '')
}

function picture(subject: Subject): Promise<Picture> {
  return once(pictures, subject, async () => decode(await fileOf(subject)))
}

async function changedIn(box: Box | undefined, values: Values, subject: Subject): Promise<string | undefined> {
  const { inside } = differences(await picture(subject), await picture(withGiven(subject, values)), box)
  return inside < differingMin ? undefined : `changes with ${JSON.stringify(values)}`
}

function wrongSize(output: Pick<Output, 'width' | 'height'> | undefined, [width, height]: [Range, Range]) {
  if (output && isIn(output.width, width) && isIn(output.height, height)) return undefined
  return `is ${output?.width} x ${output?.height}, not ${JSON.stringify(width)} x ${JSON.stringify(height)}`
}

function isIn(value: number, range: Range): boolean {
  const [least, most] = typeof range === 'number' ? [range, range] : range
  return value >= least && value <= most
}

/** The text as people read it: without tags, and without a difference of case and spaces. */
function plain(text: string): string {
  const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ' }
  return text
    .replaceAll(/<(style|script)[\s\S]*?<\/\1>|<[^>]*>/g, ' ')
    .replaceAll(/&(amp|lt|gt|quot|#39|nbsp);/g, (_, name: string) => entities[name] ?? '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .toLowerCase()
}

interface ResolvedText {
  node: string
  keys: string[]
  text: string
  /** All params of the node. */
  params: Record<string, unknown>
}

/** The texts of the params of all nodes that run. */
async function resolvedTexts({ service, document, given }: Subject): Promise<ResolvedText[]> {
  const { steps } = await service.validate(document, given)
  return steps
    .filter(({ action }) => action !== 'skip' && action !== 'unneeded')
    .flatMap(({ node, params }) => {
      const known = params ?? (valueAt(document, ['nodes', node, 'params']) as Record<string, unknown>)
      return [...textsIn(known)].map(({ keys, text }) => ({
        node,
        keys,
        text: isTemplate(text) ? filled(text, given) : text,
        params: known,
      }))
    })
}

/** The template of a node that waits for others, with the parameters alone. */
function filled(text: string, given: Values): string {
  return text.replaceAll(/\{\{-?\s*(\w+)[^}]*\}\}/g, (_, name: string) => String(given[name] ?? ''))
}

async function missingText(text: string, subject: Subject): Promise<string | undefined> {
  const params = (node: string) => valueAt(subject.document, ['nodes', node, 'params'])
  // Defaults and style sheets aren't texts of the document.
  const shown = (await resolvedTexts(subject)).filter(
    ({ node, keys }) => keys[0] !== 'css' && valueAt(params(node), keys.slice(0, 1)) !== undefined,
  )
  const found = shown.filter((each) => plain(each.text).includes(plain(text)))
  if (found.length === 0) return `no node shows ${JSON.stringify(text)}`
  const without = structuredClone(subject.document)
  for (const { node, keys, text: whole, params } of found) {
    const [name = ''] = keys
    setAt(without, ['nodes', node, 'params', name], params[name])
    setAt(without, ['nodes', node, 'params', ...keys], withoutText(whole, text))
  }
  const other = await pictureOf(without, subject).catch((error: unknown) => {
    // A code that can't have another text, such as an EAN.
    if (error instanceof Refused) return undefined
    throw error
  })
  const isVisible = other === undefined || differences(await picture(subject), other).inside >= differingMin
  return isVisible ? undefined : `${JSON.stringify(text)} is not visible`
}

/** Another text in its place, outside of tags. */
function withoutText(whole: string, text: string): string {
  const parts = whole.split(/(<[^>]*>)/)
  const at = parts.findIndex((part) => !part.startsWith('<') && part.toLowerCase().includes(text.toLowerCase()))
  const part = parts[at]
  if (part === undefined || whole === text) return 'x'
  const start = part.toLowerCase().indexOf(text.toLowerCase())
  return parts.with(at, `${part.slice(0, start)}x${part.slice(start + text.length)}`).join('')
}

/** The image of another document, which is saved as a draft meanwhile. */
async function pictureOf(document: Document, { service, given }: Subject): Promise<Picture> {
  const { workflowId } = await service.saveDraft(document)
  try {
    return await picture({ service, workflowId, document, given })
  } finally {
    await service.deleteDraft(workflowId)
  }
}

/** Briefs as files: the text of a customer, the files with it, and checks of the result. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Type, { type Static } from 'typebox'
import { parse } from 'yaml'
import { checker } from '../../src/domain/validate.ts'
import { type Document, type Edits, edited } from './document.ts'

export const root = fileURLToPath(new URL('../..', import.meta.url))
/** The briefs and the solutions of this folder. */
export const briefsFolder = join(root, 'bench/agents/briefs')
export const solutionsFolder = join(root, 'bench/agents/solutions')

const Values = Type.Record(Type.String(), Type.Unknown())

const Brief = Type.Object(
  {
    id: Type.String({ pattern: '^[a-z][a-z0-9-]*$' }),
    brief: Type.String({ minLength: 1, description: 'The text, as a customer writes it.' }),
    files: Type.Optional(
      Type.Record(Type.String(), Type.String(), {
        description:
          'Name to a path from the root of the repository, or to one next to the file of the briefs. `$name` is its image id.',
      }),
    ),
    workflow: Type.Optional(
      Type.Object(
        { example: Type.Optional(Type.String()), document: Type.Optional(Values), set: Type.Optional(Values) },
        {
          additionalProperties: false,
          description:
            'The workflow to repair or to extend: of `examples/workflows`, or a document, with changes by dotted path.',
        },
      ),
    ),
    given: Type.Optional({ ...Values, description: 'The parameters of the executions that are checked.' }),
    checks: Type.Array(Values, { minItems: 1, description: 'Objects of one check: `checks.ts` has their names.' }),
  },
  { additionalProperties: false },
)

export interface Brief extends Static<typeof Brief> {
  /** The folder of its file. */
  folder: string
}

const checkBriefs = checker(Type.Array(Brief))

/** The briefs of all YAML files of a folder, in the order of their names. */
export function readBriefs(folder: string): Brief[] {
  const briefs = yamlFiles(folder).flatMap((file) => {
    const found: unknown = parse(readFileSync(file, 'utf8'))
    const [issue] = checkBriefs(found)
    if (issue !== undefined) throw new Error(`${file}: ${issue.path} ${issue.message}`)
    return (found as Static<typeof Brief>[]).map((brief) => ({ ...brief, folder }))
  })
  const ids = briefs.map(({ id }) => id)
  const repeated = ids.find((id, i) => ids.indexOf(id) < i)
  if (repeated !== undefined) throw new Error(`${folder} has two briefs with the id ${repeated}.`)
  return briefs
}

export interface Solution {
  /** The words of the search for an operation. */
  search: string
  /** A document without a name; or changes of the workflow of the brief. */
  document?: Document
  set?: Edits
  /** Changes of the solution that make it wrong: at least one check must fail. */
  wrong: Edits
}

/** The solutions of the scripted agent by brief. */
export function readSolutions(folder: string): Map<string, Solution> {
  const files = yamlFiles(folder).map((file) => parse(readFileSync(file, 'utf8')) as Record<string, Solution>)
  return new Map(files.flatMap((solutions) => Object.entries(solutions)))
}

function yamlFiles(folder: string): string[] {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw new Error(`${folder} is not a folder.`)
  const files = readdirSync(folder)
    .filter((name) => /\.ya?ml$/.test(name))
    .sort()
  return files.map((name) => join(folder, name))
}

/** The document that the brief starts from. Undefined if there is none. Images of an example become ids in `images`. */
export function startOf({ workflow }: Brief): Document | undefined {
  if (workflow === undefined) return undefined
  const { example, document = {}, set = {} } = workflow
  const from =
    example === undefined
      ? document
      : (parse(readFileSync(join(root, 'examples/workflows', `${example}.yaml`), 'utf8')) as Document)
  return edited(from, set)
}

/** Replaces each `$name` by the id of the file. */
export function withFiles<Value>(value: Value, ids: Record<string, string>): Value
export function withFiles(value: unknown, ids: Record<string, string>): unknown {
  if (typeof value === 'string') return value.startsWith('$') ? (ids[value.slice(1)] ?? value) : value
  if (Array.isArray(value)) return value.map((item) => withFiles(item, ids))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withFiles(item, ids)]))
}

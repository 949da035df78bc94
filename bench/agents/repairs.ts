/** The share of seeded faults that the first problem of the validation repairs. Uses no service: the checker alone. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { createChecker } from '../../src/engine/check/check.ts'
import { catalogue } from '../../src/operations/index.ts'
import { briefsFolder, readBriefs, readSolutions, root, solutionsFolder, startOf } from './brief.ts'
import { type Document, edited } from './document.ts'
import { type Fault, isRight, kinds, randomFrom, seed } from './faults.ts'
import { type Problem, repaired } from './repair.ts'

export interface Repairs {
  seeded: number
  repaired: number
  kinds: Record<string, { seeded: number; repaired: number }>
  /** Some that were not repaired. */
  failures: { fault: Fault; problem: Problem | undefined; document: Document | undefined }[]
}

const check = createChecker(catalogue)

/** Seeds this many faults, each kind as often as possible. The same with the same number. */
export function measureRepairs(count: number): Repairs {
  const random = randomFrom(count)
  const documents = baseDocuments()
  const names = Object.keys(kinds)
  const result: Repairs = { seeded: 0, repaired: 0, kinds: {}, failures: [] }
  for (let i = 0; result.seeded < count; i += 1) {
    const kind = names[i % names.length] ?? ''
    const document = documents[Math.floor(random() * documents.length)] as Document
    const fault = seed(kind, document, random)
    const problem = fault && problemOf(fault.document)
    // A document that is still valid has no fault.
    if (fault === undefined || problem === undefined) continue
    const after = repaired(fault.document, problem)
    const isRepaired = after !== undefined && problemOf(after) === undefined && isRight(fault, after)
    const counts = result.kinds[kind] ?? { seeded: 0, repaired: 0 }
    result.kinds[kind] = { seeded: counts.seeded + 1, repaired: counts.repaired + Number(isRepaired) }
    result.seeded += 1
    result.repaired += Number(isRepaired)
    if (!isRepaired) result.failures.push({ fault, problem, document: after })
  }
  return result
}

/** The first problem of a document. */
function problemOf(document: Document): Problem | undefined {
  return check(document).issues?.[0]
}

/** The examples and the solutions of the briefs that are valid. Images are URLs, because no service has stored them. */
export function baseDocuments(): Document[] {
  const folder = join(root, 'examples/workflows')
  const examples = readdirSync(folder).map((name) => parse(readFileSync(join(folder, name), 'utf8')) as Document)
  const solutions = readSolutions(solutionsFolder)
  const solved = readBriefs(briefsFolder).flatMap((brief) => {
    const { document, set = {} } = solutions.get(brief.id) ?? {}
    const start = startOf(brief)
    return start ? [edited(start, set)] : document ? [{ name: brief.id, ...document }] : []
  })
  return [...examples, ...solved].map(withImages).filter((document) => problemOf(document) === undefined)
}

function withImages<Value>(value: Value): Value
function withImages(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(/^(\.\.\/pictures\/|\$(?=\w+$))/, 'https://images.example.com/')
  if (Array.isArray(value)) return value.map(withImages)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withImages(item)]))
}

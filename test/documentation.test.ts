/** Facts that pages of the guide repeat are those of the code: plans, failure reasons, list filters, error codes and CLI commands. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { plans } from '../src/domain/plan.ts'
import { errors, failureReasons } from '../src/errors.ts'

const docs = new URL('../docs/', import.meta.url)
const guide = readdirSync(new URL('guide/', docs)).map((name) => [name, page(`guide/${name}`)] as const)

test('the plans of the guide have the limits of the code', () => {
  for (const [name, { apiAccess, requestsPerMinute, weight, runningMax, waitingMax }] of Object.entries(plans)) {
    if (!apiAccess) continue
    const [, ...cells] = rows('guide/accounts-and-plans.md').find(([first]) => first === name) ?? []
    const numbers = cells.map((cell) => Number(/^[\d,]+/.exec(cell)?.[0].replaceAll(',', '')))
    assert.deepEqual(numbers, [requestsPerMinute, weight, runningMax, waitingMax], name)
  }
})

test('the page about failed executions has a fix for every reason', () => {
  const listed = rows('guide/debug-executions.md').map(([reason = '']) => reason.replaceAll('`', ''))
  assert.deepEqual(listed.slice(1).sort(), Object.keys(failureReasons).sort())
})

test('the page about errors says for every code whether to retry', () => {
  const listed = new Set(rows('guide/errors-and-retries.md').map(([, code = '']) => code.replaceAll('`', '')))
  assert.deepEqual(
    Object.keys(errors).filter((code) => !listed.has(code)),
    [],
  )
})

test('the page about pagination lists every list with its filters', () => {
  const listed = new Map(
    rows('guide/pagination.md')
      .filter(([path = '']) => path.includes('GET '))
      .map(([path = '', , filters = '']) => [
        path.replaceAll(/`|GET /g, '').replace('{id}', '{workflowId}'),
        Array.from(filters.matchAll(/`(\w+)/g), ([, name]) => name),
      ]),
  )
  const { paths } = JSON.parse(page('openapi.json')) as {
    paths: Record<string, { get?: { parameters?: { name: string; in: string }[] } }>
  }
  const lists = Object.entries(paths).flatMap(([path, { get }]) => {
    const names = (get?.parameters ?? []).filter((each) => each.in === 'query').map(({ name }) => name)
    return names.includes('offset')
      ? [[path, names.filter((name) => name !== 'limit' && name !== 'offset')] as const]
      : []
  })
  assert.ok(lists.length >= 8, `found ${lists.length}`)
  assert.deepEqual(Object.fromEntries([...listed].sort()), Object.fromEntries([...lists].sort()))
})

test('every command in the guide is in the CLI reference, with its options', () => {
  const reference = new Map(
    page('cli.md')
      .split(/^## /m)
      .slice(1)
      .map((section) => [section.slice(0, section.indexOf('\n')), section]),
  )
  let seen = 0
  for (const [name, text] of guide) {
    for (const [, block = ''] of text.matchAll(/```sh\n([\s\S]*?)```/g)) {
      for (const [line] of block.matchAll(/(?:npx tintype|tintype\.js|tintype tintype|api tintype) [^#|>\n]*/g)) {
        const words = line
          .replace(/^\S+(?: tintype)? /, '')
          .trim()
          .split(/\s+/)
        if (words[0]?.startsWith('-')) continue
        const command = [`tintype ${words[0]} ${words[1]}`, `tintype ${words[0]}`].find((each) => reference.has(each))
        assert.ok(command !== undefined, `${name}: ${line}`)
        for (const option of words.filter((word) => word.startsWith('--')))
          assert.ok(reference.get(command)?.includes(option), `${name}: ${line}`)
        seen += 1
      }
    }
  }
  assert.ok(seen > 30, `saw ${seen}`)
})

/** The cells of all tables of a page. */
function rows(path: string): string[][] {
  return page(path)
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| --'))
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    )
}

function page(path: string): string {
  return readFileSync(new URL(path, docs), 'utf8')
}

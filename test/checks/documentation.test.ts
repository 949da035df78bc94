/**
 * Facts that written pages repeat are those of the code: plans, failure reasons, list filters, error codes, CLI commands, defaults, numbers of
 * operations and providers, and the example code of CONTRIBUTING.md.
 */
import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { settings } from '../../src/config/config.ts'
import type { Setting } from '../../src/config/setting.ts'
import { type PlanName, plans } from '../../src/domain/accounts/plan.ts'
import { maximumOf, type Quota, quotaNames, quotaRow } from '../../src/domain/accounts/quota.ts'
import { errors, failureReasons } from '../../src/errors.ts'
import { limits } from '../../src/limits.ts'
import type { Operation } from '../../src/operations/define.ts'
import { catalogue } from '../../src/operations/index.ts'
import { providersById } from '../../src/providers/index.ts'

const root = new URL('../../', import.meta.url)
const docs = new URL('docs/', root)
const guide = readdirSync(new URL('guide/', docs)).map((name) => [name, page(`guide/${name}`)] as const)

test('the plans of the guide have the limits of the code', () => {
  for (const [name, { apiAccess, requestsPerMinute, weight, runningMax, waitingMax }] of Object.entries(plans)) {
    if (!apiAccess) continue
    const bytes = maximumOf('storageBytes', name as PlanName, {})
    const storage = bytes === null ? Number.NaN : bytes / 2 ** 30
    const [, ...cells] = rows('guide/accounts-and-plans.md').find(([first]) => first === name) ?? []
    const numbers = cells.map((cell) => Number(/^[\d,]+/.exec(cell)?.[0].replaceAll(',', '')))
    assert.deepEqual(numbers, [requestsPerMinute, weight, runningMax, waitingMax, storage], name)
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
      ? [[path, names.filter((name) => !['limit', 'offset', 'cursor'].includes(name))] as const]
      : []
  })
  assert.ok(lists.length >= 8, `found ${lists.length}`)
  assert.deepEqual(Object.fromEntries([...listed].sort()), Object.fromEntries([...lists].sort()))
})

test('every command in the guide is in the CLI reference, with its options', () => {
  const [head = '', ...sections] = page('cli.md').split(/^## /m)
  // The options of targets are in one table for all commands.
  const reference = new Map(
    sections.map((section) => [
      section.slice(0, section.indexOf('\n')),
      section.includes('works on a service') ? head + section : section,
    ]),
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
        const command = [3, 2, 1]
          .map((count) => `tintype ${words.slice(0, count).join(' ')}`)
          .find((each) => reference.has(each))
        assert.ok(command !== undefined, `${name}: ${line}`)
        for (const option of words.filter((word) => word.startsWith('--')))
          assert.ok(reference.get(command)?.includes(option), `${name}: ${line}`)
        seen += 1
      }
    }
  }
  assert.ok(seen > 30, `saw ${seen}`)
})

test('a default after the name of a setting is the default of the setting', () => {
  const defaults = new Map((Object.values(settings) as Setting<unknown>[]).map((each) => [each.name, each.default]))
  for (const { setting, max } of quotaNames.map(quotaRow)) if (setting) defaults.set(setting.name, max)
  const units: Record<string, number> = { GiB: 2 ** 30, MiB: 2 ** 20, megapixels: 1e6 }
  let seen = 0
  for (const [name, text] of guide) {
    for (const [found, setting = '', digits = '', unit = ''] of text.matchAll(
      /`([A-Z_]{4,})`(?:\]\([^)]*\))? \(([\d,.]+) ?(\w*)[^)]*\)/g,
    )) {
      assert.equal(Number(digits.replaceAll(',', '')) * (units[unit] ?? 1), defaults.get(setting), `${name}: ${found}`)
      seen += 1
    }
  }
  assert.ok(seen >= 13, `saw ${seen}`)
})

test('a number in the guide that is a limit of the service is that limit', () => {
  const quotas = quotaNames.flatMap((quota): [Quota, number][] => {
    const { max, evicts } = quotaRow(quota)
    return typeof max === 'number' && !evicts ? [[quota, max]] : []
  })
  const facts: [page: string, pattern: RegExp, limit: number, unit?: number][] = [
    ['authentication', /An account can have (\d+) valid keys/, limits.keysMax],
    ['text', /An account can have (\d+) fonts/, limits.fontsMax],
    ['webhooks', /An account can have (\d+) endpoints/, limits.webhookEndpointsMax],
    ['workflows', /([\d,]+) saved workflows/, limits.workflowsMax],
    ['versions-and-drafts', /([\d,]+) drafts/, limits.draftsMax],
    ...quotas.map(([quota, limit]): [string, RegExp, number] => [
      'errors-and-retries',
      new RegExp(`^\\| \`${quota}\` +\\| ([\\d,]+) `, 'm'),
      limit,
    ]),
    ['test-workflows', /can have up to (\d+) examples/, limits.examplesMax],
    ['conditions-and-lists', /A list has at most \[(\d+) values\]/, limits.eachMax],
    ['process-many-images', /To combine up to (\d+) images/, limits.eachMax],
    ['pagination', /`limit` +\| (\d+) /, limits.pageSizeDefault],
    ['pagination', /Items per page, 1 to (\d+)/, limits.pageSizeMax],
    ['async-and-events', /sends a comment every (\d+) seconds/, limits.eventsKeepAliveSeconds],
    ['async-and-events', /stored until (\d+) days after the end/, limits.executionEventsKeptSeconds, 86_400],
    ['async-and-events', /can have (\d+) open streams and requests/, limits.eventStreamsMax],
    ['async-and-events', /`wait` is at most (\d+) seconds/, limits.statusWaitSecondsMax],
    ['delivery-urls', /not ready within ([\d.]+) seconds/, limits.deliveryFallbackSeconds],
    ['delivery-urls', /which caches keep for (\d+) seconds/, limits.deliveryFallbackCacheSeconds],
    ['idempotency', /A key has 1 to (\d+) printable/, limits.idempotencyKeyCharsMax],
    ['console', /- after (\d+) days, after a day/, limits.sessionSeconds, 86_400],
    ['console', /A key has up to (\d+) sessions/, limits.sessionsPerKeyMax],
    ['animation', /at most ([\d,]+) frames/, limits.framesMax],
    ['security', /at most ([\d,]+) characters in templates/, limits.templatesCharsMax],
    ['security', /killed after (\d+) seconds or above 1 GiB,/, limits.svgSeconds],
    ['ai-models', /(\d+) seconds to describe, judge or write/, limits.providerTextSeconds],
    ['outputs', /accepts at most ([\d,]+) pixels/, limits.avifEffortPixelsMax],
    ['troubleshooting', /The process waits (\d+) seconds, then exits/, limits.storageStartSeconds],
  ]
  for (const [name, pattern, limit, unit = 1] of facts) {
    const [, digits = ''] = pattern.exec(page(`guide/${name}.md`)) ?? []
    assert.equal(Number(digits.replaceAll(',', '')) * unit, limit, `${name}: ${pattern}`)
  }
})

test('written pages count the operations and providers that exist', () => {
  let seen = 0
  for (const [name, text] of guide) {
    for (const [found, digits, noun] of text.matchAll(/(\d+) (operations|providers)\b/g)) {
      assert.equal(Number(digits), noun === 'operations' ? catalogue.size : providersById.size, `${name}: ${found}`)
      seen += 1
    }
  }
  assert.ok(seen >= 1, `saw ${seen}`)
})

test('the operation of CONTRIBUTING.md is valid, and its name is free', async () => {
  const text = readFileSync(new URL('CONTRIBUTING.md', root), 'utf8')
  const [, path = '', code = ''] = /Write `(src\/operations\/[\w/-]+\.ts)`[^`]*```ts\n([\s\S]*?)```/.exec(text) ?? []
  assert.ok(code.includes('defineOperation'), 'found no operation')
  assert.equal(existsSync(new URL(path, root)), false, `${path} exists`)
  const folder = mkdtempSync(join(tmpdir(), 'tintype-contributing-'))
  try {
    symlinkSync(fileURLToPath(new URL('node_modules', root)), join(folder, 'node_modules'))
    const file = join(folder, 'operation.ts')
    const imported = (relative: string) => new URL(relative, new URL(path, root)).href
    writeFileSync(
      file,
      code.replaceAll(/^ {3}/gm, '').replaceAll(/from '(\.[^']+)'/g, (_, relative) => `from '${imported(relative)}'`),
    )
    const [operation] = Object.values((await import(pathToFileURL(file).href)) as Record<string, Operation>)
    assert.equal(operation?.id, path.replace(/.*\//, '').replace('.ts', ''))
    assert.equal(catalogue.has(operation.id), false)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
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

test('the API reference does not point to files of the repository, which callers do not have', () => {
  const found = readFileSync(new URL('docs/openapi.json', root), 'utf8').match(
    /.{0,60}\b(docs|src|deploy)\/[\w/-]+\.(md|ts|ya?ml).{0,20}/g,
  )
  assert.deepEqual(found ?? [], [])
})

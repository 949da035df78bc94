/** The official conformance suite of the Model Context Protocol against `/mcp`, for both revisions. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { repository } from './harness/process.ts'
import { type Service, startWithoutExamples } from './harness/service.ts'

const command = join(repository, 'test/mcp-conformance/node_modules/.bin/conformance')
const skip = !existsSync(command) && 'the suite is not installed: run scripts/install-test-tools.sh'

interface Check {
  id: string
  status: string
  errorMessage?: string
  details?: { untestable?: boolean }
}

/** Scenarios for servers of this kind. All of their checks pass, except those that say that they need a tool of the suite's own server. */
const applicable: Record<string, string[]> = {
  '2026-07-28': [
    'server-stateless',
    'tools-list',
    'server-sse-multiple-streams',
    'resources-list',
    'sep-2164-resource-not-found',
    'prompts-list',
    'dns-rebinding-protection',
    'caching',
    'http-header-validation',
  ],
  '2025-11-25': [
    'server-initialize',
    'ping',
    'tools-list',
    'resources-list',
    'prompts-list',
    'dns-rebinding-protection',
    'server-session-lifecycle',
  ],
}

/** All others call a tool, a prompt or a resource of the suite's own server, or use a feature that the service doesn't declare. */
const ofOtherServers =
  /^(tools-call-|prompts-get-|resources-(read|templates|subscribe|unsubscribe)|completion-|logging-|elicitation-|input-required-|tasks-|json-schema-|http-custom-header|server-sse-)/

describe('the conformance suite of MCP', { skip }, () => {
  let service: Service
  let proxy: http.Server
  let folder: string

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tintype-conformance-'))
    // The suite can't send a key.
    proxy = http.createServer((request, response) => {
      const { hostname, port } = new URL(service.origin)
      const headers = { ...request.headers, authorization: `Bearer ${service.key}` }
      const { method, url: path } = request
      const passed = http.request({ hostname, port, method, path, headers }, (received) => {
        response.writeHead(received.statusCode ?? 502, received.headers)
        received.pipe(response)
      })
      passed.on('error', () => response.destroy())
      request.pipe(passed)
    })
    proxy.listen(0, '127.0.0.1')
    await once(proxy, 'listening')
    service = await startWithoutExamples({ PUBLIC_URL: origin() })
  })
  after(async () => {
    proxy?.close()
    proxy?.closeAllConnections()
    await service?.remove()
    rmSync(folder, { recursive: true, force: true })
  })

  const origin = () => `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`

  for (const [revision, scenarios] of Object.entries(applicable))
    test(`every check of ${revision} for servers of this kind passes`, async () => {
      const results = join(folder, revision)
      const args = ['server', '--url', `${origin()}/mcp`, '--requirements', revision, '-o', results]
      const running = spawn(process.execPath, [command, ...args], { cwd: folder, stdio: 'ignore' })
      await once(running, 'close')
      const found = new Map(
        readdirSync(results).map((name) => [
          name.replace(/^server-/, '').replace(/-\d{4}-\d{2}-\d{2}T.*$/, ''),
          JSON.parse(readFileSync(join(results, name, 'checks.json'), 'utf8')) as Check[],
        ]),
      )
      for (const scenario of scenarios) {
        const checks = found.get(scenario) ?? assert.fail(`${scenario} did not run: ${[...found.keys()].join(', ')}`)
        const failed = checks.filter(({ status, details }) => status === 'FAILURE' && !details?.untestable)
        assert.deepEqual(failed, [], scenario)
      }
      const unknown = [...found.keys()].filter((name) => !scenarios.includes(name) && !ofOtherServers.test(name))
      assert.deepEqual(unknown, [], 'a scenario that nobody has looked at')
    })
})

/** The programs of the guide that verify webhooks accept what the service signs, and nothing else. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { signedHeaders } from '../src/services/webhooks/webhook-messages.ts'
import { repository } from './harness/process.ts'

const guide = readFileSync(join(repository, 'docs/guide/webhooks.md'), 'utf8')
const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`
const other = `whsec_${Buffer.alloc(24, 8).toString('base64')}`
const body = '{"type":"execution.completed","data":{"name":"日本 é"}}'

/** Each program reads cases from a file, and prints whether each is valid. */
const languages = {
  TypeScript: {
    fence: 'ts',
    command: process.execPath,
    file: 'verify.ts',
    driver: `
import { readFileSync } from 'node:fs'
const cases = JSON.parse(readFileSync(process.argv[2], 'utf8'))
console.log(JSON.stringify(cases.map(([secret, headers, body]) => isValid(secret, headers, body))))`,
  },
  Python: {
    fence: 'python',
    command: 'python3',
    file: 'verify.py',
    driver: `
import json, sys
cases = json.load(open(sys.argv[1], encoding="utf-8"))
print(json.dumps([is_valid(secret, headers, body.encode()) for secret, headers, body in cases]))`,
  },
  PHP: {
    fence: 'php',
    command: 'php',
    file: 'verify.php',
    driver: `
$cases = json_decode(file_get_contents($argv[1]), true);
echo json_encode(array_map(fn($each) => is_valid(...$each), $cases));`,
  },
  Ruby: {
    fence: 'ruby',
    command: 'ruby',
    file: 'verify.rb',
    driver: `
require "json"
cases = JSON.parse(File.read(ARGV[0], encoding: "utf-8"))
puts JSON.generate(cases.map { |secret, headers, body| valid?(secret, headers, body) })`,
  },
}

for (const [language, { fence, command, file, driver }] of Object.entries(languages)) {
  const isMissing = spawnSync(command, ['--version']).status !== 0
  const skip = isMissing ? `${command} is not installed: run scripts/install-test-tools.sh` : false
  test(`the ${language} of the guide accepts a signed webhook, and rejects a changed, old or unsigned one`, {
    skip,
  }, () => {
    const program = guide.match(new RegExp(`### ${language}\\n\\n\`\`\`${fence}\\n(.*?)\`\`\``, 's'))?.[1] ?? ''
    assert.ok(program.length > 100)
    const now = Date.now()
    const sign = (current: string, previous: string | null, at = now) => {
      const rotation = { secret: current, previous, previousUntil: previous === null ? null : at + 1_000 }
      return signedHeaders({ eventId: 'evt_1', body, secret: rotation }, at)
    }
    const cases = [
      [true, secret, sign(secret, null), body],
      [true, secret, sign(other, secret), body],
      [true, other, sign(other, secret), body],
      [false, other, sign(secret, null), body],
      [false, secret, sign(secret, null), body.replace('日', '月')],
      [false, secret, { ...sign(secret, null), 'webhook-id': 'evt_2' }, body],
      [false, secret, sign(secret, null, now - 400_000), body],
      [false, secret, { ...sign(secret, null), 'webhook-signature': 'v1,AAAA' }, body],
      [false, secret, { ...sign(secret, null), 'webhook-signature': '' }, body],
    ] as const
    const folder = mkdtempSync(join(tmpdir(), 'tintype-verifiers-'))
    try {
      writeFileSync(join(folder, file), program + driver)
      writeFileSync(join(folder, 'cases.json'), JSON.stringify(cases.map(([, ...fields]) => fields)))
      const { stdout, stderr } = spawnSync(command, [join(folder, file), join(folder, 'cases.json')], {
        encoding: 'utf8',
      })
      assert.deepEqual(
        JSON.parse(stdout || 'null'),
        cases.map(([expected]) => expected),
        stderr,
      )
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
}

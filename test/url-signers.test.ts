/** The programs of the guide that sign delivery URLs make the same URLs as the service. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { isSignature, parseSignedUrl, signUrl } from '../src/domain/delivery/signed-url.ts'
import { repository } from './harness/process.ts'

const guide = readFileSync(join(repository, 'docs/guide/delivery-urls.md'), 'utf8')
const secret = 'tt_sign_uadYqK1BnCMFuhBmRcJ08lDpCIwmaOkqKzsGGM7lg4k'
const keyId = 'skey_06h17ante000xyqcrp9m14q6dt2r'
const expires = 1_798_218_286

const cases: [path: string, parameters: Record<string, string>][] = [
  ['/i/card.webp', {}],
  ['/i/card@7.auto', { headline: 'Hello & world!' }],
  ['/i/card@live.png', { zeta: '~._-', alpha: "!'()*", Beta: 'a+b=c&d/e?f#g%20', exq: ' ', number: '-1.5e3' }],
  ['/i/card.jpg', { empty: '', text: '日本語 é 🎉\n\t"quoted"', json: '{"a":[1,true,null]}' }],
  ['/i/img_06h17ada4000f9m93ky55jc1e99a.avif', { w: '400', h: '300', fit: 'cover', dpr: '1.5', q: '80' }],
]

/** Each program reads cases from a file, and prints their URLs. */
const languages = {
  TypeScript: {
    fence: 'ts',
    command: process.execPath,
    file: 'sign.ts',
    driver: `
import { readFileSync } from 'node:fs'
const cases = JSON.parse(readFileSync(process.argv[2], 'utf8'))
console.log(JSON.stringify(cases.map((each) => signUrl(...each))))`,
  },
  Python: {
    fence: 'python',
    command: 'python3',
    file: 'sign.py',
    driver: `
import json, sys
print(json.dumps([sign_url(*each) for each in json.load(open(sys.argv[1], encoding="utf-8"))]))`,
  },
  PHP: {
    fence: 'php',
    command: 'php',
    file: 'sign.php',
    driver: `
echo json_encode(array_map(fn($each) => sign_url(...$each), json_decode(file_get_contents($argv[1]), true)));`,
  },
  Ruby: {
    fence: 'ruby',
    command: 'ruby',
    file: 'sign.rb',
    driver: `
require "json"
puts JSON.generate(JSON.parse(File.read(ARGV[0], encoding: "utf-8")).map { |each| sign_url(*each) })`,
  },
}

for (const [language, { fence, command, file, driver }] of Object.entries(languages)) {
  const isMissing = spawnSync(command, ['--version']).status !== 0
  test(`the ${language} of the guide makes the same URLs as the service`, {
    skip: isMissing ? `${command} is not installed: run scripts/install-test-tools.sh` : false,
  }, () => {
    const program = new RegExp(`^\`\`\`${fence}\\n(.*?)^\`\`\`$`, 'ms').exec(guide)?.[1]
    assert.ok(program, `the guide has a program in ${language}`)
    const folder = mkdtempSync(join(tmpdir(), 'tintype-signers-'))
    try {
      const start = fence === 'php' ? '<?php\n' : ''
      writeFileSync(join(folder, file), `${start}${program}${driver}`)
      const input = cases.map(([path, parameters]) => [path, parameters, expires, keyId, secret])
      writeFileSync(join(folder, 'cases.json'), JSON.stringify(input))
      const { stdout, stderr } = spawnSync(command, [file, 'cases.json'], { cwd: folder, encoding: 'utf8' })
      assert.deepEqual(
        stdout && JSON.parse(stdout),
        cases.map(([path, parameters]) => signUrl({ path, parameters, expires, keyId }, secret)),
        stderr,
      )
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
}

test('the service reads what it signs', () => {
  for (const [path, parameters] of cases) {
    const signed = parseSignedUrl(signUrl({ path, parameters, expires, keyId }, secret))
    assert.ok(signed && isSignature(signed.signature, signed.message, secret), path)
    assert.deepEqual(Object.fromEntries(signed.parameters), parameters)
    assert.deepEqual([signed.path, signed.expires, signed.keyId], [path, expires, keyId])
  }
})

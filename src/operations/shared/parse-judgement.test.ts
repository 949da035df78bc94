import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseJudgement } from './parse-judgement.ts'

const judgement = { index: 1, reason: 'Sharp.' }
const json = '{"index": 2, "reason": "Sharp."}'

test('reads JSON, also in a code fence', () => {
  for (const text of [
    json,
    ` ${json}\n`,
    `\`\`\`json\n${json}\n\`\`\``,
    `\`\`\`\n${json}\`\`\``,
    `\`\`\`JSON ${json} \`\`\`\n`,
  ])
    assert.deepEqual(parseJudgement(text, 3, 100), judgement, text)
})

test('rejects anything else, however long', () => {
  for (const text of [
    '',
    '```',
    '```json',
    '``````',
    `\`\`\`${json}`,
    `x${json}`,
    `\`\`\`${' '.repeat(1e6)}x`,
    '{"index": 4}',
  ])
    assert.throws(() => parseJudgement(text, 3, 100), Error, text.slice(0, 40))
})

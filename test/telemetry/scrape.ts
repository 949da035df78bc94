/** Reads metrics as Prometheus does. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { sendRequest } from '../harness/http.ts'

export interface Sample {
  name: string
  labels: Record<string, string>
  value: number
}

export interface Scrape {
  text: string
  samples: Sample[]
  /** The sum of the samples with these labels. Undefined if there are none. */
  sum(name: string, labels?: Record<string, string>): number | undefined
}

export async function scrape(port: number): Promise<Scrape> {
  const { status, headers, bytes } = await sendRequest(`http://127.0.0.1:${port}`, '/metrics', { keepAlive: false })
  assert.equal(status, 200)
  assert.match(headers['content-type'] ?? '', /^text\/plain; version=0\.0\.4/)
  return parsed(bytes.toString())
}

export function parsed(text: string): Scrape {
  const samples = text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, name = '', labels = '', value = ''] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
      assert.ok(name, line)
      const pairs = [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, key = '', text = '']) => [key, text])
      return { name, labels: Object.fromEntries(pairs) as Record<string, string>, value: Number(value) }
    })
  return {
    text,
    samples,
    sum(name, labels = {}) {
      const found = samples.filter(
        (sample) =>
          sample.name === name && Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
      )
      return found.length === 0 ? undefined : found.reduce((total, { value }) => total + value, 0)
    },
  }
}

/** A reason to skip a test that needs Prometheus's tool. */
export const withoutPromtool = hasPromtool() ? false : 'promtool is missing: scripts/install-test-tools.sh'

function hasPromtool(): boolean {
  try {
    execFileSync('promtool', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

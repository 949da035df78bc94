/** What the service prints when it is ready. */
import type { FirstStart } from './first-start.ts'

export function banner(facts: {
  version: string
  publicUrl: string
  dataDir: string
  hasConsole: boolean
  first: FirstStart | undefined
}): string {
  const { version, publicUrl, dataDir, hasConsole, first } = facts
  const lines = [
    `Tintype ${version} is ready.`,
    '',
    ...(hasConsole ? [`  Console    ${publicUrl}`] : []),
    `  API        ${publicUrl}/v1`,
    `  Reference  ${publicUrl}/docs`,
    `  Data       ${dataDir}`,
  ]
  if (first) {
    lines.push(
      `  API key    ${first.key}`,
      '             (shown this once and stored nowhere; "npx tintype keys create" makes more)',
    )
    if (first.workflow) lines.push('', 'Execute an example:', '', curl(publicUrl, first.key, first.workflow))
  }
  return `${lines.join('\n')}\n\n`
}

function curl(publicUrl: string, key: string, { id, parameters }: NonNullable<FirstStart['workflow']>): string {
  const body = JSON.stringify({ workflowId: id, parameters })
  return `curl -sS -X POST ${publicUrl}/v1/workflows/execute -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' -d '${body.replaceAll("'", "'\\''")}'`
}

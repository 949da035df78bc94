import type { Command } from 'commander'
import type { CredentialState } from '../domain/credentials/credential-state.ts'
import {
  type CredentialsReport,
  executionLabel,
  type ReportedIngredient,
  type ReportedManifest,
} from '../domain/credentials/credentials.ts'
import { parseExecutionFacts } from '../domain/credentials/execution-facts.ts'
import { Fault } from '../errors.ts'
import type { Reexecution } from '../services/credentials/reexecutions.ts'
import { stageFile, type Verified } from '../services/credentials/verification.ts'
import type { Act, CliServices, CliVerifier } from './cli-services.ts'
import { ownerOf } from './workflow-of.ts'

interface Options {
  reexecute?: boolean
  json?: boolean
}

export function verifyCommand(
  program: Command,
  { act, actOffline, fail }: { act: Act<CliServices>; actOffline: Act<CliVerifier>; fail: () => void },
): void {
  program
    .command('verify <file>')
    .description('Show the Content Credentials of an image. Exits with 1 if it has none, or if they are invalid.')
    .option('--reexecute', 'execute the recorded execution again, and compare the pixels')
    .option('--json', 'print one JSON value')
    .action((file: string, { reexecute, json = false }: Options) => {
      const show = (verified: Verified) => {
        const { credentials, reexecution } = verified
        if (credentials === null || credentials.state === 'invalid') fail()
        if (reexecute && !isConfirmed(verified)) fail()
        return json ? verified : [textOf(credentials), ...(reexecute ? reexecutionText(reexecution) : [])].join('\n')
      }
      return reexecute
        ? act(async (app) => show(await reexecuted(app, file)), { json })
        : actOffline(async ({ verify }) => show(await verify(file)), { json })
    })
}

/** Whether the file is confirmed: without its own pixels, it is only as good as its signature. */
function isConfirmed({ credentials, reexecution }: Verified): boolean {
  return reexecution?.result === 'equal' || (reexecution?.result === 'partial' && credentials?.state === 'trusted')
}

/** Executes the file again for the account of the recorded workflow. */
async function reexecuted(app: CliServices, file: string): Promise<Verified> {
  const { verification } = app.services
  const options = { signal: new AbortController().signal }
  const staged = await stageFile(file)
  const verified = await verification.verify('', staged, options)
  const facts = parseExecutionFacts(verified.credentials?.assertions[executionLabel])
  if (facts === undefined) return { ...verified, reexecution: null }
  try {
    return await verification.verify(await ownerOf(app, facts.workflow), staged, { ...options, reexecutes: true })
  } catch (error) {
    // The workflow was deleted, or is in another installation.
    if (!(error instanceof Fault) || error.code !== 'not_found') throw error
    return { ...verified, reexecution: { result: 'impossible', message: error.message, steps: [] } }
  }
}

function reexecutionText(reexecution: Reexecution | null = null): string[] {
  if (reexecution === null) return ['', 'Executed again: no, because the file has no facts of an execution.']
  const { message, steps } = reexecution
  const lines = steps.map(({ node, operation, result, message: why }) =>
    ['  Step        ', result.padEnd(9), `${node} (${operation})`, ...(why === undefined ? [] : [printable(why)])].join(
      ' ',
    ),
  )
  return ['', `Executed again: ${printable(message)}`, ...lines]
}

const states: Record<CredentialState, string> = {
  trusted: 'Trusted: unchanged since a trusted signer signed it.',
  valid: 'Valid: unchanged since it was signed, but the signer is unknown.',
  invalid: 'Invalid: changed since it was signed, or not signed correctly.',
}

/** Text for people. */
export function textOf(report: CredentialsReport | null): string {
  if (report === null) return 'The file has no Content Credentials.'
  const note = report.isShortened ? ['', 'Some facts were left out, because there are too many.'] : []
  return [states[report.state], ...factsOf(report), ...note].join('\n')
}

function factsOf({ problems, signer, claimGenerator, actions, ingredients }: ReportedManifest): string[] {
  const names = [signer?.commonName, signer?.issuer].filter((name) => name !== undefined)
  const signedBy = [...names, ...(signer?.isOwn ? ['this installation'] : [])].join(', ')
  return [
    ...problems.map(({ code, message }) => `  Problem      ${printable(message)} (${printable(code)})`),
    ...(signedBy === '' ? [] : [`  Signed by    ${printable(signedBy)}`]),
    ...(signer?.time === undefined ? [] : [`  Signed at    ${printable(signer.time)}`]),
    ...(claimGenerator === undefined ? [] : [`  Written by   ${printable(claimGenerator)}`]),
    ...actions.map(
      ({ action, softwareAgent, digitalSourceType, description }) =>
        `  Action       ${[action, softwareAgent, digitalSourceType, description]
          .filter((source) => source !== undefined)
          .map(printable)
          .join(', ')}`,
    ),
    ...ingredients.flatMap(ingredientOf),
  ]
}

function ingredientOf({ title, relationship, credentials }: ReportedIngredient): string[] {
  const state = credentials === null ? 'no Content Credentials' : credentials.state
  const head = `  Ingredient   ${printable(title)}, ${printable(relationship)}, ${state}`
  return [head, ...(credentials === null ? [] : factsOf(credentials).map((line) => `  ${line}`))]
}

/** Texts of an unknown file must not control the terminal. */
function printable(text: string): string {
  return text.replaceAll(/\p{C}/gu, '?')
}

import type { Command } from 'commander'
import type { CredentialState } from '../domain/credential-state.ts'
import type { CredentialsReport, ReportedIngredient, ReportedManifest } from '../domain/credentials.ts'
import type { Act, CliVerifier } from './cli-services.ts'

export function verifyCommand(program: Command, act: Act<CliVerifier>, fail: () => void): void {
  program
    .command('verify <file>')
    .description('Show the Content Credentials of an image. Exits with 1 if it has none, or if they are invalid.')
    .option('--json', 'print one JSON value')
    .action((file: string, { json }: { json?: boolean }) =>
      act(
        async ({ verify }) => {
          const verified = await verify(file)
          if (verified.credentials === null || verified.credentials.state === 'invalid') fail()
          return json === true ? verified : textOf(verified.credentials)
        },
        { json: json === true },
      ),
    )
}

const states: Record<CredentialState, string> = {
  trusted: 'Trusted: unchanged since a trusted signer signed it.',
  valid: 'Valid: unchanged since it was signed, but the signer is unknown.',
  invalid: 'Invalid: changed since it was signed, or not signed correctly.',
}

/** For people. */
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
          .filter((each) => each !== undefined)
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

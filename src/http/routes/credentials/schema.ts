/** Schemas of Content Credentials. */
import Type, { type TSchema } from 'typebox'
import { credentialStates } from '../../../domain/credentials/credential-state.ts'
import { imageFormats } from '../../../domain/images/image.ts'
import { later, named } from '../../../domain/named-schema.ts'

const optionalText = (description: string) => Type.Optional(Type.String({ description }))

const Problem = Type.Object(
  {
    code: Type.String({
      description: 'A status code of C2PA, such as `assertion.dataHash.mismatch`, or one that starts with `tintype.`.',
    }),
    message: Type.String(),
  },
  named('CredentialProblem'),
)

const Signer = Type.Object(
  {
    issuer: optionalText('Organization in the certificate.'),
    commonName: optionalText('Name in the certificate.'),
    algorithm: optionalText('Such as `Es256`.'),
    time: optionalText('Time of the time stamp. Without a time stamp, the time is unknown.'),
    isOwn: Type.Boolean({ description: 'The certificate is the one of this service.' }),
  },
  named('CredentialSigner'),
)

const Action = Type.Object(
  {
    action: Type.String({ description: 'Such as `c2pa.created`, `c2pa.opened`, `c2pa.placed`, `c2pa.edited`.' }),
    digitalSourceType: optionalText('URI of the IPTC vocabulary.'),
    softwareAgent: optionalText('The model or program that did it.'),
    description: Type.Optional(Type.String()),
    when: Type.Optional(Type.String()),
  },
  named('CredentialAction'),
)

const Ingredient = Type.Object(
  {
    title: Type.String(),
    relationship: Type.String({ description: '`parentOf`: it was changed. `componentOf`: it is a part.' }),
    mediaType: Type.Optional(Type.String()),
    credentials: Type.Union([later((): TSchema => CredentialManifest), Type.Null()], {
      description: 'Null if it had no credentials when it was used.',
    }),
  },
  named('CredentialIngredient'),
)

const manifest = {
  state: Type.Enum([...credentialStates], {
    description:
      '`trusted`: unchanged since a trusted signer signed it. `valid`: unchanged, but the signer is unknown. `invalid`: changed, or not signed correctly. Of an ingredient: when it was used.',
  }),
  problems: Type.Array(Problem),
  title: Type.Optional(Type.String()),
  signer: Type.Union([Signer, Type.Null()]),
  claimGenerator: optionalText('The program that wrote it, such as `Tintype 1.0.0`.'),
  actions: Type.Array(Action),
  ingredients: Type.Array(Ingredient),
  assertions: Type.Record(Type.String(), Type.Unknown(), {
    description:
      'Facts that Tintype recorded: label to data. If a manifest is in the file several times, only its first report has them.',
  }),
}

/** One manifest, with those of its ingredients. */
export const CredentialManifest = Type.Object(manifest, named('CredentialManifest'))

const CredentialsReport = Type.Object(
  {
    ...manifest,
    isShortened: Type.Boolean({
      description: 'Actions, ingredients or facts were left out, because there are too many.',
    }),
  },
  named('CredentialsReport'),
)

const stepName = { node: Type.String(), operation: Type.String() }

const Reexecution = Type.Object(
  {
    result: Type.Enum(['equal', 'partial', 'different', 'impossible'], {
      description:
        '`equal`: the output has the same pixels. `partial`: the output depends on an AI model, and all steps that could be compared have the same pixels. `different`: the pixels of the output or of a step differ. `impossible`: see the message.',
    }),
    message: Type.String({ description: 'One or more sentences.' }),
    executionId: Type.Optional(Type.String()),
    workflowId: Type.Optional(Type.String()),
    workflowVersion: Type.Optional(Type.Integer({ description: 'Missing for a draft.' })),
    steps: Type.Array(
      Type.Object(
        {
          ...stepName,
          result: Type.Enum(['equal', 'different', 'unknown', 'skipped'], {
            description: '`unknown`: its pixels were not recorded. `skipped`: it was not executed again.',
          }),
          message: Type.Optional(Type.String()),
        },
        named('ReexecutedStep'),
      ),
      { description: 'In the order of work.' },
    ),
    firstDifference: Type.Optional(Type.Object({ ...stepName, message: Type.String() }, named('StepDifference'))),
    output: Type.Optional(
      Type.Object(
        {
          sameSize: Type.Boolean(),
          differing: Type.Union([Type.Number(), Type.Null()], { description: 'Share of the pixels, 0 to 1.' }),
          maxDifference: Type.Union([Type.Number(), Type.Null()], {
            description: 'The largest difference of a channel, 0 to 255.',
          }),
        },
        { ...named('OutputDifference'), description: 'The file and the new output.' },
      ),
    ),
  },
  named('Reexecution'),
)

export const VerifiedFile = Type.Object(
  {
    format: Type.Enum(Object.keys(imageFormats)),
    size: Type.Integer({ description: 'Bytes.' }),
    sha256: Type.String({ description: 'Hash of the bytes, in hex.' }),
    credentials: Type.Union([CredentialsReport, Type.Null()], {
      description: 'Null if the file has no Content Credentials.',
    }),
    reexecution: Type.Optional(
      Type.Union([Reexecution, Type.Null()], {
        description: 'With `reexecute=true`. Null if the file has no facts of an execution.',
      }),
    ),
  },
  named('VerifiedFile'),
)

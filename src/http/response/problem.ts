/** Converts a fault to the error envelope of the specification. */
import Type from 'typebox'
import { quotaNames } from '../../domain/accounts/quota.ts'
import { budgetKinds } from '../../domain/models/provider-call.ts'
import { named } from '../../domain/named-schema.ts'
import { errors, type Fault, failureReasons } from '../../errors.ts'
import type { RouteResponse } from '../define-route.ts'

/** `Retry-After` of a service that is full or shutting down. */
const unavailableRetrySeconds = 5

/** `docsUrl`: the documentation, without a slash at the end. Its page `errors` has an anchor for each code and each reason. */
export function problemResponse(fault: Fault, requestId: string, docsUrl?: string): Required<RouteResponse> {
  const docs = docsUrl === undefined ? {} : { docs: `${docsUrl}/errors#${fault.details.reason ?? fault.code}` }
  const headers: Record<string, string> = {}
  const retryAfter =
    fault.details.retryAfterSeconds ?? (fault.code === 'unavailable' ? unavailableRetrySeconds : undefined)
  if (retryAfter !== undefined) headers['retry-after'] = String(retryAfter)
  if (fault.details.deliveryStatus !== undefined) headers['tintype-status'] = String(fault.details.deliveryStatus)
  if (fault.code === 'method_not_allowed') headers.allow = [fault.details.allow].flat().join(', ')
  if (fault.code === 'unauthorized') headers['www-authenticate'] = 'Bearer realm="Tintype"'
  return {
    status: errors[fault.code].status,
    headers,
    body: {
      error: {
        code: fault.code,
        message: fault.message,
        ...(retryAfter === undefined ? {} : { retryAfter }),
        details: { ...fault.details, ...docs, requestId },
      },
    },
  }
}

export const IssueRecord = Type.Object(
  {
    path: Type.String(),
    message: Type.String(),
    line: Type.Optional(
      Type.Integer({
        description:
          'The line of an uploaded file, or of a longer text such as a style sheet. Lines and columns start at 1.',
      }),
    ),
    column: Type.Optional(Type.Integer()),
    fix: Type.Optional(
      Type.Object(
        {
          rename: Type.Optional(Type.String({ description: 'Another name of the field at `path`.' })),
          value: Type.Optional(Type.Unknown({ description: 'Another value at `path`.' })),
          remove: Type.Optional(Type.Literal(true, { description: 'Remove the field at `path`.' })),
        },
        {
          ...named('Fix'),
          description:
            'The most likely correction, one of the fields. Check it: you can have meant something else. Absent if none is likely.',
        },
      ),
    ),
  },
  named('Issue'),
)

/** Details of a failed execution. */
const failureDetails = {
  reason: Type.Optional(Type.Enum(Object.keys(failureReasons), { description: 'Why the execution failed.' })),
  issues: Type.Optional(
    Type.Array(IssueRecord, {
      description: 'All issues of an `invalid_request`, or the values that a step or an output could not use.',
    }),
  ),
  executionId: Type.Optional(Type.String()),
  node: Type.Optional(Type.String({ description: 'The node of the failed step.' })),
  operation: Type.Optional(Type.String({ description: 'The operation of the failed step.' })),
  output: Type.Optional(Type.String({ description: 'The output in `outputs` of the workflow that failed.' })),
  provider: Type.Optional(Type.String({ description: 'The AI provider of the call.' })),
  model: Type.Optional(Type.String({ description: 'The model as `provider/model`.' })),
  problem: Type.Optional(
    Type.String({
      description:
        'The kind of the error: not_configured, auth, quota, rate_limited, invalid_request, unsupported, refused, down, timeout, bad_output, no_output, expired, outcome_unknown, cancelled, circuit_open or budget. After `outcome_unknown`, the provider may have completed and billed the call.',
    }),
  ),
  status: Type.Optional(Type.Integer({ description: 'HTTP status of the response of the provider.' })),
  providerRequestId: Type.Optional(
    Type.String({ description: 'The id that the provider assigned to the request or job.' }),
  ),
  billed: Type.Optional(Type.Enum(['no', 'yes', 'unknown'], { description: 'Whether the call was billed.' })),
  budget: Type.Optional(
    Type.Enum(budgetKinds, {
      description:
        'The budget that was too small for the call. `key day` and `key month` are those of the API key that started the execution.',
    }),
  ),
}

export const FailureDetails = Type.Object(failureDetails, { ...named('FailureDetails'), additionalProperties: true })

export const errorExample = {
  error: {
    code: 'invalid_request',
    message: '"parameters.headline" is required (string).',
    details: {
      issues: [{ path: 'parameters.headline', message: 'is required (string)' }],
      docs: 'https://images.example.com/guide/errors#invalid_request',
      requestId: 'req_0d3ks8tvn400f0j2qg6xw5p8rm1c',
    },
  },
}

export const ErrorReply = Type.Object(
  {
    error: Type.Object(
      {
        code: Type.Enum(Object.keys(errors) as (keyof typeof errors)[]),
        message: Type.String({
          description:
            'Text for people, which can change in any release. Branch on `code` and `details.reason`, never on `message`.',
        }),
        retryAfter: Type.Optional(
          Type.Integer({ description: 'Seconds to wait before a retry, as in the header `Retry-After`.' }),
        ),
        details: Type.Object(
          {
            requestId: Type.String(),
            nodes: Type.Optional(Type.Array(Type.String(), { description: 'The nodes of an `execution_required`.' })),
            frames: Type.Optional(
              Type.Array(Type.Record(Type.String(), Type.Unknown()), {
                description: 'Areas of the failed node of a preview in its inputs, with the properties of a `Frame`.',
              }),
            ),
            docs: Type.Optional(
              Type.String({
                format: 'uri',
                description:
                  'The documentation of the code, or of the reason if there is one. Missing with `DOCS=false`.',
              }),
            ),
            issueCount: Type.Optional(
              Type.Integer({ description: 'Number of issues of an uploaded file. `issues` has the first ones.' }),
            ),
            rowCount: Type.Optional(
              Type.Integer({ description: 'Number of rows of an uploaded file that were read.' }),
            ),
            allow: Type.Optional(
              Type.Array(Type.String(), { description: 'The methods of the path, for `method_not_allowed`.' }),
            ),
            quota: Type.Optional(
              Type.String({ description: `The quota of the account that was reached: ${quotaNames.join(', ')}.` }),
            ),
            permission: Type.Optional(
              Type.Union([Type.String(), Type.Null()], { description: 'The permission that the key lacks.' }),
            ),
            liveKeyRequired: Type.Optional(
              Type.Literal(true, {
                description: 'The request needs a live key (`tt_live_...`), and the key is a test key.',
              }),
            ),
            plan: Type.Optional(Type.String({ description: 'The plan of the account, if it has no API access.' })),
            retryAfterSeconds: Type.Optional(Type.Integer()),
            limit: Type.Optional(Type.Integer({ description: 'The limit that was reached, of a quota or of a rate.' })),
            used: Type.Optional(Type.Integer({ description: 'How much of the quota the account has used.' })),
            resetsAt: Type.Optional(
              Type.String({ format: 'date-time', description: 'When a quota of a month begins again.' }),
            ),
            deliveryStatus: Type.Optional(
              Type.Enum(['pending', 'failed', 'busy', 'invalid'], {
                description: 'Why the output of a delivery URL is missing, also in the header `Tintype-Status`.',
              }),
            ),
            ...failureDetails,
          },
          { ...named('ErrorDetails'), additionalProperties: true },
        ),
      },
      named('ErrorBody'),
    ),
  },
  { ...named('Error'), examples: [errorExample] },
)

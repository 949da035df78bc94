/** The shapes of what is told about AI models: who they are, what was called, what it cost. */
import Type from 'typebox'
import { capabilities } from '../../../domain/model.ts'
import { ActivityRecord } from '../usage/schema.ts'

const closed = { additionalProperties: false }

const CapabilityName = Type.Enum([...capabilities])

export const ExecutionCost = Type.Object(
  {
    usd: Type.Number({ description: 'US dollars.' }),
    unknown: Type.Optional(
      Type.Integer({
        description: 'Calls whose cost nobody knows; the most that each may cost is in `usd`, where that is known.',
      }),
    ),
  },
  { ...closed, description: 'What its calls of AI models cost; only where there were any.' },
)

export const ModelCall = Type.Object(
  {
    model: Type.String({ description: '`provider/model`.' }),
    outcome: Type.String({ description: '`done`, or what went wrong.' }),
    costUsd: Type.Union([Type.Number(), Type.Null()], { description: 'US dollars; null where nobody knows.' }),
    costSource: Type.Union([Type.Enum(['reported', 'computed', 'assumed']), Type.Null()], {
      description:
        '`reported` by the provider; `computed` from what was used and the price table; `assumed`: the most that it may cost, because whether it was billed cannot be known.',
    }),
    requestId: Type.Optional(Type.String({ description: "The provider's own id of the request or the job." })),
  },
  closed,
)

export const CostRange = Type.Union(
  [Type.Object({ minUsd: Type.Number(), maxUsd: Type.Number() }, closed), Type.Null()],
  { description: 'US dollars that calls of AI models may cost; null where a price is not known.' },
)

const Sizes = Type.Union([
  Type.Object({ listed: Type.Array(Type.String()) }, closed),
  Type.Object(
    {
      free: Type.Object(
        {
          sideMin: Type.Number(),
          sideMax: Type.Number(),
          step: Type.Optional(Type.Number({ description: 'Sides are multiples of it.' })),
          pixelsMax: Type.Optional(Type.Number()),
        },
        closed,
      ),
    },
    closed,
  ),
])

/** What one model can do of one capability, and for how much. */
const Ability = Type.Object(
  {
    sizes: Type.Optional(Sizes),
    aspectRatios: Type.Optional(Type.Array(Type.String())),
    seed: Type.Optional(Type.Boolean()),
    transparency: Type.Optional(Type.Boolean()),
    imagesMax: Type.Optional(Type.Integer({ description: 'Images that it takes, the mask not counted.' })),
    scales: Type.Optional(Type.Array(Type.Number())),
    prompt: Type.Optional(Type.Boolean({ description: 'Whether it takes words.' })),
    price: Type.Union(
      [
        Type.Object(
          {
            per: Type.String({ description: 'Of what: call, image, megapixel, unit, second, or (a million) tokens.' }),
            asOf: Type.String({ description: 'The month of the price list.' }),
            usd: Type.Optional(Type.Number()),
            unitsMax: Type.Optional(Type.Number()),
            secondsMax: Type.Optional(Type.Number()),
            inputUsd: Type.Optional(Type.Number()),
            outputUsd: Type.Optional(Type.Number()),
            inputMax: Type.Optional(Type.Number()),
            outputMax: Type.Optional(Type.Number()),
          },
          closed,
        ),
        Type.Null(),
      ],
      { description: 'US dollars; null where it is not known. The `...Max` bound what is set aside of a budget.' },
    ),
  },
  { ...closed, description: 'What is not named, it cannot.' },
)

export const ProviderRecord = Type.Object(
  {
    id: Type.String({ description: 'What stands before the slash of a model.' }),
    title: Type.String(),
    summary: Type.String(),
    docsUrl: Type.Union([Type.String(), Type.Null()]),
    configured: Type.Boolean(),
    missing: Type.Array(Type.String(), { description: 'Settings of the service that would enable it.' }),
    problem: Type.Union([Type.String(), Type.Null()], { description: 'Why it is not configured.' }),
    capabilities: Type.Array(CapabilityName),
    models: Type.Array(
      Type.Object(
        {
          model: Type.String({ description: '`provider/model`; one that ends in `*` stands for all that begin so.' }),
          can: Type.Record(Type.String(), Ability, { description: 'By capability.' }),
          defaultFor: Type.Array(CapabilityName),
          problem: Type.Union([Type.String(), Type.Null()], {
            description: 'Why it cannot be asked although its provider is configured: one that is not installed.',
          }),
        },
        closed,
      ),
    ),
  },
  closed,
)

export const ProvidersReply = Type.Object(
  {
    providers: Type.Array(ProviderRecord),
    defaults: Type.Object(
      Object.fromEntries(capabilities.map((capability) => [capability, Type.Array(Type.String())])),
      { ...closed, description: 'Models that are tried, in this order, where a node names none.' },
    ),
  },
  closed,
)

const sums = {
  calls: Type.Integer({ description: 'Calls that gave an answer.' }),
  failures: Type.Integer({ description: 'Calls that gave none.' }),
  costUsd: Type.Number({
    description: 'US dollars. Of calls whose cost nobody knows, the most that they may cost, where that is known.',
  }),
  unknownCosts: Type.Integer({ description: 'Calls whose cost nobody knows.' }),
}

export const UsageReply = Type.Object(
  {
    from: Type.String({ description: 'The first day.' }),
    to: Type.String({ description: 'The last day.' }),
    totals: Type.Object(sums, closed),
    months: Type.Array(Type.Object({ month: Type.String(), ...sums }, closed)),
    days: Type.Array(Type.Object({ day: Type.String(), ...sums }, closed)),
    workflows: Type.Array(Type.Object({ workflowId: Type.String(), ...sums }, closed)),
    keys: Type.Array(
      Type.Object(
        {
          keyId: Type.Union([Type.String(), Type.Null()], { description: 'Null: begun by a command of the operator.' }),
          ...sums,
        },
        closed,
      ),
    ),
    models: Type.Array(Type.Object({ model: Type.String(), ...sums }, closed)),
    budget: Type.Object(
      {
        month: Type.String(),
        monthUsd: Type.Union([Type.Number(), Type.Null()], { description: 'Most that may be spent; null: no bound.' }),
        spentUsd: Type.Number(),
        reservedUsd: Type.Number({ description: 'Set aside for calls that have not ended.' }),
      },
      { ...closed, description: 'Of the account, in the month that it is (UTC).' },
    ),
    activity: Type.Optional(ActivityRecord),
  },
  closed,
)

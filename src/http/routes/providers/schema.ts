/** Schemas of providers and their models. */
import Type from 'typebox'
import { capabilities } from '../../../domain/model.ts'
import { closed } from '../../define-route.ts'

const CapabilityName = Type.Enum([...capabilities])

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
const ModelCapability = Type.Object(
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
          can: Type.Record(Type.String(), ModelCapability, { description: 'By capability.' }),
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

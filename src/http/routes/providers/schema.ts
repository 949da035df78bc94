/** Schemas of providers and their models. */
import Type from 'typebox'
import { capabilities } from '../../../domain/models/model.ts'
import { named } from '../../../domain/named-schema.ts'

const CapabilityName = Type.Enum([...capabilities])

const Sizes = Type.Union([
  Type.Object({ listed: Type.Array(Type.String()) }, named('ListedSizes')),
  Type.Object(
    {
      free: Type.Object(
        {
          sideMin: Type.Number(),
          sideMax: Type.Number(),
          step: Type.Optional(Type.Number({ description: 'Width and height must be multiples of this number.' })),
          pixelsMax: Type.Optional(Type.Number()),
        },
        named('SizeRange'),
      ),
    },
    named('FreeSizes'),
  ),
])

/** Features and price of one capability of a model. */
const ModelCapability = Type.Object(
  {
    sizes: Type.Optional(Sizes),
    aspectRatios: Type.Optional(Type.Array(Type.String())),
    seed: Type.Optional(Type.Boolean()),
    transparency: Type.Optional(Type.Boolean()),
    imagesMax: Type.Optional(Type.Integer({ description: 'Maximum number of input images, excluding the mask.' })),
    scales: Type.Optional(Type.Array(Type.Number())),
    prompt: Type.Optional(Type.Boolean({ description: 'Whether the model accepts a prompt.' })),
    structuredOutput: Type.Optional(
      Type.Boolean({
        description:
          'Whether the provider makes the model respond in JSON of a `schema`. For other models, the schema is part of the prompt.',
      }),
    ),
    price: Type.Union(
      [
        Type.Object(
          {
            per: Type.String({
              description: 'Unit of the price: call, image, megapixel, unit, second or (a million) tokens.',
            }),
            asOf: Type.String({ description: 'Month of the price list.' }),
            usd: Type.Optional(Type.Number()),
            unitsMax: Type.Optional(Type.Number()),
            secondsMax: Type.Optional(Type.Number()),
            inputUsd: Type.Optional(Type.Number()),
            outputUsd: Type.Optional(Type.Number()),
            inputMax: Type.Optional(Type.Number()),
            outputMax: Type.Optional(Type.Number()),
          },
          named('ModelPrice'),
        ),
        Type.Null(),
      ],
      {
        description:
          'US dollars. Null if unknown. The `...Max` fields limit the amount that is reserved from a budget.',
      },
    ),
  },
  { ...named('ModelCapability'), description: 'Features that are not listed are not supported.' },
)

const LocalModel = Type.Object(
  {
    operation: Type.String({ description: 'The id of the operation that uses it.' }),
    license: Type.String({ description: 'SPDX identifier.' }),
    hash: Type.Union([Type.String(), Type.Null()], {
      description:
        'SHA-512 of the package or SHA-256 of the file, with the name of the algorithm. Null if it is not known before the installation.',
    }),
  },
  { ...named('LocalModel'), description: 'Only of local models.' },
)

export const ProviderRecord = Type.Object(
  {
    id: Type.String({ description: 'The part before the slash in the name of a model.' }),
    title: Type.String(),
    summary: Type.String(),
    docsUrl: Type.Union([Type.String(), Type.Null()]),
    configured: Type.Boolean(),
    missing: Type.Array(Type.String(), { description: 'Settings that are missing to enable the provider.' }),
    problem: Type.Union([Type.String(), Type.Null()], { description: 'Reason why the provider is not configured.' }),
    capabilities: Type.Array(CapabilityName),
    models: Type.Array(
      Type.Object(
        {
          model: Type.String({
            description: '`provider/model`. A name that ends in `*` matches all models with this prefix.',
          }),
          can: Type.Record(Type.String(), ModelCapability, { description: 'Features by capability.' }),
          defaultFor: Type.Array(CapabilityName),
          problem: Type.Union([Type.String(), Type.Null()], {
            description:
              'Reason why the model is unavailable although its provider is configured, such as a model that is not installed.',
          }),
          local: Type.Optional(LocalModel),
        },
        named('ProviderModel'),
      ),
    ),
  },
  named('Provider'),
)

export const ProvidersReply = Type.Object(
  {
    providers: Type.Array(ProviderRecord),
    defaults: Type.Object(
      Object.fromEntries(capabilities.map((capability) => [capability, Type.Array(Type.String())])),
      { ...named('DefaultModels'), description: 'Models to try, in this order, if a node names no model.' },
    ),
  },
  named('Providers'),
)

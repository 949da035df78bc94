/** The groups of the API reference, in its order. */
export const tags = {
  Workflows: 'Saved workflows, their documents and versions, and their execution.',
  Executions: 'The runs of workflows: status, output, steps, events and previews.',
  'OpenAI-compatible API': 'Workflows as models of clients that are made for OpenAI: image generation and edits.',
  Batches: 'Executions of one workflow for the rows of a CSV, JSON or NDJSON file.',
  Channels: 'Names that point to a version of a workflow, such as `live`, and their moves.',
  Drafts: 'Editable copies of workflow documents. Publishing a draft makes it the next version.',
  Storage: 'Images: uploads and outputs of executions.',
  'Delivery URLs': 'Signed URLs that execute workflows and resize images.',
  'Content Credentials': 'Verification of the origin of a file (C2PA).',
  Fonts: 'Font files of the account, for workflows.',
  Projects: 'Groups of workflows and images.',
  Brand: 'Colours, fonts, images and texts that the templates of all workflows read, of the account and of projects.',
  Operations: 'The catalogue of operations that the nodes of a workflow use.',
  Agents: 'The Model Context Protocol.',
  'AI models': 'Providers and models, with their prices, and the usage of the account.',
  Keys: 'API keys of the account.',
  'Run links':
    'The page of a workflow for people without an account. Requires the key of a run link, which no other route accepts.',
  'Signing keys': 'Keys that sign delivery URLs and URLs of images.',
  Webhooks: 'Endpoints that get the events of the account, and the log of deliveries (Standard Webhooks 1.0).',
  'Audit log': 'Who changed what in the account, and when.',
  Session: 'The session of the console, and the account of a key.',
  Service: 'Health, API reference and contact of the service.',
} as const

export type Tag = keyof typeof tags

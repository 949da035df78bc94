/** Derived from the OpenAPI document by `npm run derive`: the operations of the API as methods. */
import type { FileInput, List, None, Query, RequestOptions, Rows, Schemas, ServerSentEvent } from './types.ts'

export interface AuditResource {
  /** List the audit log, newest first. `GET /audit` */
  list(query?: Query<'audit.list'>, options?: RequestOptions): List<Schemas['AuditPage'], Schemas['AuditEntry']>
  /** Download the audit log as CSV. `GET /audit.csv` */
  csv(query?: Query<'audit.csv'>, options?: RequestOptions): Promise<Response>
}

export interface BatchesResource {
  /** List batches, newest first. `GET /batches` */
  list(query?: Query<'batches.list'>, options?: RequestOptions): List<Schemas['BatchPage'], Schemas['Batch']>
  /** Create a batch. `POST /batches` */
  create(body: Schemas['BatchesCreateRequest'], options?: RequestOptions): Promise<Schemas['Batch']>
  /** Get a batch and its progress. `GET /batches/{batchId}` */
  get(batchId: string, query?: Query<'batches.get'>, options?: RequestOptions): Promise<Schemas['Batch']>
  /** Change the name or the budget of a batch. `PATCH /batches/{batchId}` */
  update(batchId: string, body?: Schemas['BatchesUpdateRequest'], options?: RequestOptions): Promise<Schemas['Batch']>
  /** Delete a batch. `DELETE /batches/{batchId}` */
  delete(batchId: string, query?: None, options?: RequestOptions): Promise<Schemas['Deleted']>
  /** List the rows of a batch, in the order of the file. `GET /batches/{batchId}/items` */
  items(batchId: string, query?: Query<'batches.items'>, options?: RequestOptions): List<Schemas['BatchItemPage'], Schemas['BatchItem']>
  /** Upload the rows of a batch, as JSON, CSV or NDJSON. `PUT /batches/{batchId}/items` */
  upload(batchId: string, rows: Rows, options?: RequestOptions): Promise<Schemas['Batch']>
  /** Get a row of a batch. `GET /batches/{batchId}/items/{key}` */
  item(batchId: string, key: string, query?: None, options?: RequestOptions): Promise<Schemas['BatchItem']>
  /** Change parameters of a row. `PATCH /batches/{batchId}/items/{key}` */
  updateItem(batchId: string, key: string, body: Schemas['BatchesUpdateItemRequest'], options?: RequestOptions): Promise<Schemas['BatchItem']>
  /** Estimate the cost and the duration of a batch. `GET /batches/{batchId}/estimate` */
  estimate(batchId: string, query?: None, options?: RequestOptions): Promise<Schemas['BatchEstimate']>
  /** Start a batch. `POST /batches/{batchId}/start` */
  start(batchId: string, body?: None, options?: RequestOptions): Promise<Schemas['StartedBatch']>
  /** Pause a batch. `POST /batches/{batchId}/pause` */
  pause(batchId: string, body?: None, options?: RequestOptions): Promise<Schemas['Batch']>
  /** Resume a paused batch. `POST /batches/{batchId}/resume` */
  resume(batchId: string, body?: None, options?: RequestOptions): Promise<Schemas['Batch']>
  /** Cancel a batch. `POST /batches/{batchId}/cancel` */
  cancel(batchId: string, body?: None, options?: RequestOptions): Promise<Schemas['Batch']>
  /** Retry rows that failed or were cancelled. `POST /batches/{batchId}/retry` */
  retry(batchId: string, body?: Schemas['BatchesRetryRequest'], options?: RequestOptions): Promise<Schemas['RetriedBatch']>
  /** Stream the progress of a batch (server-sent events). `GET /batches/{batchId}/events` */
  events(batchId: string, query?: Query<'batches.events'>, options?: RequestOptions): AsyncIterable<ServerSentEvent<'batch', Schemas['Batch']> | ServerSentEvent<'item', Schemas['BatchItem']>>
  /** List the ZIP files of a batch. `GET /batches/{batchId}/results` */
  results(batchId: string, query?: None, options?: RequestOptions): Promise<Schemas['BatchResults']>
  /** Download the results of a batch as CSV. `GET /batches/{batchId}/results.csv` */
  resultsCsv(batchId: string, query?: Query<'batches.resultsCsv'>, options?: RequestOptions): Promise<Response>
  /** Download the results of a batch as NDJSON. `GET /batches/{batchId}/results.ndjson` */
  resultsNdjson(batchId: string, query?: Query<'batches.resultsNdjson'>, options?: RequestOptions): Promise<Response>
  /** Download the images of a batch as a ZIP file. `GET /batches/{batchId}/results.zip` */
  resultsZip(batchId: string, query?: Query<'batches.resultsZip'>, options?: RequestOptions): Promise<Response>
}

export interface BinResource {
  /** List the bin. `GET /storage/bin` */
  list(query?: Query<'bin.list'>, options?: RequestOptions): List<Schemas['BinPage'], Schemas['BinnedImage']>
  /** Empty the bin. `DELETE /storage/bin` */
  delete(query?: Query<'bin.delete'>, options?: RequestOptions): Promise<Schemas['DeletedImages']>
  /** Restore images from the bin. `POST /storage/bin/restore` */
  restore(body: Schemas['BinRestoreRequest'], options?: RequestOptions): Promise<Schemas['RestoredImages']>
  /** Get the thumbnail of an image in the bin. `GET /storage/bin/{imageId}/thumbnail` */
  thumbnail(imageId: string, query?: None, options?: RequestOptions): Promise<Response>
}

export interface BrandsResource {
  /** Get the brand values of the account. `GET /brand` */
  get(query?: None, options?: RequestOptions): Promise<Schemas['Brand']>
  /** Replace the brand values of the account. `PUT /brand` */
  replace(body: Schemas['BrandsReplaceRequest'], options?: RequestOptions): Promise<Schemas['Brand']>
  /** Get the brand values of a project. `GET /projects/{projectId}/brand` */
  getOfProject(projectId: string, query?: None, options?: RequestOptions): Promise<Schemas['ProjectBrand']>
  /** Replace the brand values of a project. `PUT /projects/{projectId}/brand` */
  replaceOfProject(projectId: string, body: Schemas['BrandsReplaceOfProjectRequest'], options?: RequestOptions): Promise<Schemas['ProjectBrand']>
}

export interface ChannelsResource {
  /** List the channels of a workflow, by name. `GET /workflows/{workflowId}/channels` */
  list(workflowId: string, query?: None, options?: RequestOptions): Promise<Schemas['ChannelList']>
  /** Get a channel. `GET /workflows/{workflowId}/channels/{name}` */
  get(workflowId: string, name: string, query?: None, options?: RequestOptions): Promise<Schemas['Channel']>
  /** Point a channel to a version. `PUT /workflows/{workflowId}/channels/{name}` */
  move(workflowId: string, name: string, body: Schemas['ChannelsMoveRequest'], options?: RequestOptions): Promise<Schemas['Channel']>
  /** Delete a channel. `DELETE /workflows/{workflowId}/channels/{name}` */
  delete(workflowId: string, name: string, query?: None, options?: RequestOptions): Promise<Schemas['Deleted']>
  /** Roll a channel back. `POST /workflows/{workflowId}/channels/{name}/rollback` */
  rollBack(workflowId: string, name: string, body?: None, options?: RequestOptions): Promise<Schemas['Channel']>
  /** List the moves of a channel, newest first. `GET /workflows/{workflowId}/channels/{name}/moves` */
  listMoves(workflowId: string, name: string, query?: Query<'channels.listMoves'>, options?: RequestOptions): List<Schemas['ChannelMovePage'], Schemas['ChannelMove']>
}

export interface CredentialsResource {
  /** Verify the Content Credentials of a file. `POST /verify` */
  verify(body: Omit<Schemas['CredentialsVerifyRequest'], 'file'> & { file: FileInput }, options?: RequestOptions & { query?: Query<'credentials.verify'> }): Promise<Schemas['VerifiedFile']>
}

export interface DraftsResource {
  /** List drafts, newest first. `GET /workflows/drafts` */
  list(query?: Query<'drafts.list'>, options?: RequestOptions): List<Schemas['DraftPage'], Schemas['DraftSummary']>
  /** Create a draft of a new workflow. `POST /workflows/drafts` */
  create(body?: Schemas['DraftsCreateRequest'], options?: RequestOptions): Promise<Schemas['Draft']>
  /** Get a draft. `GET /workflows/{workflowId}/draft` */
  get(workflowId: string, query?: None, options?: RequestOptions): Promise<Schemas['Draft']>
  /** Save a draft. `PUT /workflows/{workflowId}/draft` */
  save(workflowId: string, body: Schemas['DraftsSaveRequest'], options?: RequestOptions): Promise<Schemas['Draft']>
  /** Delete a draft. `DELETE /workflows/{workflowId}/draft` */
  delete(workflowId: string, query?: None, options?: RequestOptions): Promise<Schemas['Deleted']>
  /** Publish a draft as the next version of its workflow. `POST /workflows/{workflowId}/draft/publish` */
  publish(workflowId: string, body?: Schemas['DraftsPublishRequest'], options?: RequestOptions): Promise<Schemas['Workflow']>
  /** Execute a draft. `POST /workflows/{workflowId}/draft/execute` */
  execute(workflowId: string, body?: Schemas['DraftsExecuteRequest'], options?: RequestOptions): Promise<Schemas['CompletedExecution'] | Schemas['AcceptedExecution']>
  /** Compare the outputs of a draft with those of the newest version. `POST /workflows/{workflowId}/draft/compare` */
  compare(workflowId: string, body?: None, options?: RequestOptions): Promise<Schemas['Comparison']>
  /** Preview a node of a draft. `POST /workflows/{workflowId}/draft/preview` */
  preview(workflowId: string, body?: Schemas['DraftsPreviewRequest'], options?: RequestOptions): Promise<Schemas['DraftPreview']>
}

export interface ExecutionsResource {
  /** Get an execution. `GET /workflows/executions/{executionId}` */
  get(executionId: string, query?: Query<'executions.get'>, options?: RequestOptions): Promise<Schemas['Execution']>
  /** Get the document that an execution runs. `GET /workflows/executions/{executionId}/document` */
  getDocument(executionId: string, query?: None, options?: RequestOptions): Promise<Schemas['WorkflowDocument']>
  /** List executions, newest first. `GET /workflows/executions` */
  list(query?: Query<'executions.list'>, options?: RequestOptions): List<Schemas['ExecutionPage'], Schemas['Execution']>
  /** List the steps of an execution. `GET /workflows/executions/{executionId}/steps` */
  steps(executionId: string, query?: None, options?: RequestOptions): Promise<Schemas['Steps']>
  /** Stream the events of an execution (server-sent events). `GET /workflows/executions/{executionId}/events` */
  events(executionId: string, query?: Query<'executions.events'>, options?: RequestOptions): AsyncIterable<ServerSentEvent<'snapshot', Schemas['ExecutionSnapshotEvent']> | ServerSentEvent<'step', Schemas['Step']> | ServerSentEvent<'execution', Schemas['ExecutionStatusEvent']>>
  /** Get the preview of a step. `GET /workflows/executions/{executionId}/steps/{node}/preview` */
  stepPreview(executionId: string, node: string, query?: None, options?: RequestOptions): Promise<Response>
  /** Cancel an execution. `POST /workflows/executions/{executionId}/cancel` */
  cancel(executionId: string, body?: None, options?: RequestOptions): Promise<Schemas['Execution']>
  /** Resume a failed execution. `POST /workflows/executions/{executionId}/resume` */
  resume(executionId: string, body?: Schemas['ExecutionsResumeRequest'], options?: RequestOptions): Promise<Schemas['CompletedExecution'] | Schemas['AcceptedExecution']>
}

export interface FontsResource {
  /** List fonts, newest first. `GET /fonts` */
  list(query?: Query<'fonts.list'>, options?: RequestOptions): List<Schemas['FontPage'], Schemas['Font']>
  /** Upload a font. `POST /fonts` */
  upload(body: Omit<Schemas['FontsUploadRequest'], 'file'> & { file: FileInput }, options?: RequestOptions): Promise<Schemas['Font']>
  /** Get a font. `GET /fonts/{fontId}` */
  get(fontId: string, query?: None, options?: RequestOptions): Promise<Schemas['Font']>
  /** Delete a font. `DELETE /fonts/{fontId}` */
  delete(fontId: string, query?: None, options?: RequestOptions): Promise<Schemas['Deleted']>
}

export interface ImagesResource {
  /** Upload an image. `POST /storage/upload` */
  upload(body: Omit<Schemas['ImagesUploadRequest'], 'file'> & { file: FileInput }, options?: RequestOptions): Promise<Schemas['Image']>
  /** List images, newest first. `GET /storage/images` */
  list(query?: Query<'images.list'>, options?: RequestOptions): List<Schemas['ImagePage'], Schemas['ImageSummary']>
  /** Delete images by ids or filter. `DELETE /storage/images` */
  deleteSome(query?: Query<'images.deleteSome'>, options?: RequestOptions): Promise<Schemas['DeletedImages']>
  /** Get an image. `GET /storage/images/{imageId}` */
  get(imageId: string, query?: None, options?: RequestOptions): Promise<Schemas['Image']>
  /** Rename or move an image, or make it private. `PUT /storage/images/{imageId}` */
  update(imageId: string, body?: Schemas['ImagesUpdateRequest'], options?: RequestOptions): Promise<Schemas['Image']>
  /** Delete an image. `DELETE /storage/images/{imageId}` */
  delete(imageId: string, query?: Query<'images.delete'>, options?: RequestOptions): Promise<Schemas['Deleted']>
  /** List workflows and brands that use an image. `GET /storage/images/{imageId}/uses` */
  uses(imageId: string, query?: None, options?: RequestOptions): List<Schemas['ImageUses'], Schemas['ImageUse']>
  /** Download an image. `GET /images/{file}` */
  content(file: string, query?: Query<'images.content'>, options?: RequestOptions): Promise<Response>
  /** Get the thumbnail of an image. `GET /images/{imageId}/thumbnail` */
  thumbnail(imageId: string, query?: Query<'images.thumbnail'>, options?: RequestOptions): Promise<Response>
}

export interface KeysResource {
  /** List API keys, newest first. `GET /keys` */
  list(query?: Query<'keys.list'>, options?: RequestOptions): List<Schemas['ApiKeyPage'], Schemas['ApiKey']>
  /** Create an API key. `POST /keys` */
  create(body?: Schemas['KeysCreateRequest'], options?: RequestOptions): Promise<Schemas['NewApiKey']>
  /** Get an API key. `GET /keys/{keyId}` */
  get(keyId: string, query?: None, options?: RequestOptions): Promise<Schemas['ApiKey']>
  /** Update an API key. `PUT /keys/{keyId}` */
  update(keyId: string, body?: Schemas['KeysUpdateRequest'], options?: RequestOptions): Promise<Schemas['ApiKey']>
  /** Revoke an API key. `DELETE /keys/{keyId}` */
  revoke(keyId: string, query?: None, options?: RequestOptions): Promise<Schemas['ApiKey']>
  /** Rotate an API key. `POST /keys/{keyId}/rotate` */
  rotate(keyId: string, body?: Schemas['KeysRotateRequest'], options?: RequestOptions): Promise<Schemas['RotatedApiKey']>
}

export interface OperationsResource {
  /** List operations, with the JSON Schema of their params. `GET /operations` */
  list(query?: None, options?: RequestOptions): Promise<Schemas['Operations']>
}

export interface ProjectsResource {
  /** List projects, newest first. `GET /projects` */
  list(query?: Query<'projects.list'>, options?: RequestOptions): List<Schemas['ProjectPage'], Schemas['Project']>
  /** Create a project. `POST /projects` */
  create(body: Schemas['ProjectsCreateRequest'], options?: RequestOptions): Promise<Schemas['Project']>
  /** Get a project. `GET /projects/{projectId}` */
  get(projectId: string, query?: None, options?: RequestOptions): Promise<Schemas['Project']>
  /** Update a project. `PUT /projects/{projectId}` */
  update(projectId: string, body?: Schemas['ProjectsUpdateRequest'], options?: RequestOptions): Promise<Schemas['Project']>
  /** Delete a project. `DELETE /projects/{projectId}` */
  delete(projectId: string, query?: Query<'projects.delete'>, options?: RequestOptions): Promise<Schemas['DeletedProject']>
}

export interface ProvidersResource {
  /** List AI providers and their models. `GET /providers` */
  list(query?: None, options?: RequestOptions): Promise<Schemas['Providers']>
}

export interface RunLinkResource {
  /** Get the page of a run link. `GET /run-link` */
  get(query?: None, options?: RequestOptions): Promise<Schemas['RunLinkPage']>
  /** Execute the workflow of a run link. `POST /run-link/executions` */
  execute(body?: Schemas['RunLinkExecuteRequest'], options?: RequestOptions): Promise<Schemas['RunLinkExecution']>
  /** Get an execution of a run link. `GET /run-link/executions/{executionId}` */
  getExecution(executionId: string, query?: Query<'runLink.getExecution'>, options?: RequestOptions): Promise<Schemas['RunLinkExecution']>
  /** Cancel an execution of a run link. `POST /run-link/executions/{executionId}/cancel` */
  cancelExecution(executionId: string, body?: None, options?: RequestOptions): Promise<Schemas['RunLinkExecution']>
  /** Upload an image for a run link. `POST /run-link/images` */
  upload(body: Omit<Schemas['RunLinkUploadRequest'], 'file'> & { file: FileInput }, options?: RequestOptions): Promise<Schemas['RunLinkUpload']>
}

export interface ServiceResource {
  /** Get the OpenAPI 3.1 document. `GET /openapi.json` */
  openapi(query?: None, options?: RequestOptions): Promise<Schemas['OpenApiDocument']>
  /** Get the version, and check that the service is ready, as `/health/ready` does. `GET /health` */
  health(query?: None, options?: RequestOptions): Promise<Schemas['HealthAndVersion']>
  /** Check that the process is running. `GET /health/live` */
  live(query?: None, options?: RequestOptions): Promise<Schemas['Health']>
  /** Check that the service is ready: the database and the image storage can be read and written. `GET /health/ready` */
  ready(query?: None, options?: RequestOptions): Promise<Schemas['Health']>
  /** Get the security contact (RFC 9116). `GET /.well-known/security.txt` */
  securityTxt(query?: None, options?: RequestOptions): Promise<Response>
}

export interface SigningKeysResource {
  /** List signing keys, newest first. `GET /signing-keys` */
  list(query?: Query<'signingKeys.list'>, options?: RequestOptions): List<Schemas['SigningKeyPage'], Schemas['SigningKey']>
  /** Create a signing key. `POST /signing-keys` */
  create(body?: Schemas['SigningKeysCreateRequest'], options?: RequestOptions): Promise<Schemas['NewSigningKey']>
  /** Get a signing key. `GET /signing-keys/{keyId}` */
  get(keyId: string, query?: None, options?: RequestOptions): Promise<Schemas['SigningKey']>
  /** Update a signing key. `PUT /signing-keys/{keyId}` */
  update(keyId: string, body?: Schemas['SigningKeysUpdateRequest'], options?: RequestOptions): Promise<Schemas['SigningKey']>
  /** Revoke a signing key. `DELETE /signing-keys/{keyId}` */
  revoke(keyId: string, query?: None, options?: RequestOptions): Promise<Schemas['SigningKey']>
  /** Rotate a signing key. `POST /signing-keys/{keyId}/rotate` */
  rotate(keyId: string, body?: Schemas['SigningKeysRotateRequest'], options?: RequestOptions): Promise<Schemas['RotatedSigningKey']>
  /** Sign a delivery URL. `POST /signing-keys/{keyId}/urls` */
  sign(keyId: string, body: Schemas['SigningKeysSignRequest'], options?: RequestOptions): Promise<Schemas['SignedUrl']>
}

export interface UsageResource {
  /** Get the usage of the account and the cost of its AI model calls. `GET /usage` */
  get(query?: Query<'usage.get'>, options?: RequestOptions): Promise<Schemas['Usage']>
}

export interface WebhookDeliveriesResource {
  /** List webhook deliveries, newest first. `GET /webhook-deliveries` */
  list(query?: Query<'webhookDeliveries.list'>, options?: RequestOptions): List<Schemas['WebhookDeliveryPage'], Schemas['WebhookDelivery']>
  /** Get a webhook delivery, with its body and attempts. `GET /webhook-deliveries/{deliveryId}` */
  get(deliveryId: string, query?: None, options?: RequestOptions): Promise<Schemas['WebhookDeliveryDetails']>
  /** Send a webhook delivery again. `POST /webhook-deliveries/{deliveryId}/replay` */
  replay(deliveryId: string, body?: None, options?: RequestOptions): Promise<Schemas['WebhookDelivery']>
}

export interface WebhookEndpointsResource {
  /** List webhook endpoints, newest first. `GET /webhook-endpoints` */
  list(query?: Query<'webhookEndpoints.list'>, options?: RequestOptions): List<Schemas['WebhookEndpointPage'], Schemas['WebhookEndpoint']>
  /** Create a webhook endpoint. `POST /webhook-endpoints` */
  create(body: Schemas['WebhookEndpointInput'], options?: RequestOptions): Promise<Schemas['NewWebhookEndpoint']>
  /** Get a webhook endpoint. `GET /webhook-endpoints/{endpointId}` */
  get(endpointId: string, query?: None, options?: RequestOptions): Promise<Schemas['WebhookEndpoint']>
  /** Update a webhook endpoint. `PUT /webhook-endpoints/{endpointId}` */
  replace(endpointId: string, body: Schemas['WebhookEndpointInput'], options?: RequestOptions): Promise<Schemas['WebhookEndpoint']>
  /** Delete a webhook endpoint. `DELETE /webhook-endpoints/{endpointId}` */
  delete(endpointId: string, query?: None, options?: RequestOptions): Promise<Schemas['Deleted']>
  /** Get the secret of a webhook endpoint. `GET /webhook-endpoints/{endpointId}/secret` */
  getSecret(endpointId: string, query?: None, options?: RequestOptions): Promise<Schemas['WebhookSecret']>
  /** Rotate the secret of a webhook endpoint. `POST /webhook-endpoints/{endpointId}/secret/rotate` */
  rotateSecret(endpointId: string, body?: Schemas['WebhookEndpointsRotateSecretRequest'], options?: RequestOptions): Promise<Schemas['WebhookSecret']>
  /** Send a test event to a webhook endpoint. `POST /webhook-endpoints/{endpointId}/test` */
  test(endpointId: string, body?: None, options?: RequestOptions): Promise<Schemas['WebhookDelivery']>
}

export interface WebhookSecretResource {
  /** Get the secret for webhook URLs of executions. `GET /webhook-secret` */
  get(query?: None, options?: RequestOptions): Promise<Schemas['WebhookSecret']>
  /** Rotate the secret for webhook URLs of executions. `POST /webhook-secret/rotate` */
  rotate(body?: Schemas['WebhookSecretRotateRequest'], options?: RequestOptions): Promise<Schemas['WebhookSecret']>
}

export interface WorkflowsResource {
  /** Execute a saved workflow. `POST /workflows/execute` */
  execute(body: Schemas['WorkflowsExecuteRequest'], options?: RequestOptions): Promise<Schemas['CompletedExecution'] | Schemas['AcceptedExecution']>
  /** List workflows, newest first. `GET /workflows` */
  list(query?: Query<'workflows.list'>, options?: RequestOptions): List<Schemas['WorkflowPage'], Schemas['WorkflowSummary']>
  /** Create a workflow. `POST /workflows` */
  create(body: Schemas['WorkflowInput'], options?: RequestOptions): Promise<Schemas['Workflow']>
  /** Import an SVG as a workflow. `POST /workflows/import-svg` */
  importSvg(body: Omit<Schemas['WorkflowsImportSvgRequest'], 'file'> & { file: FileInput }, options?: RequestOptions): Promise<Schemas['ImportedWorkflow']>
  /** Validate a workflow document without saving or executing it. `POST /workflows/validate` */
  validate(body: Schemas['WorkflowsValidateRequest'], options?: RequestOptions): Promise<Schemas['Validation']>
  /** Get a workflow and its parameters. `GET /workflows/{workflowId}` */
  get(workflowId: string, query?: Query<'workflows.get'>, options?: RequestOptions): Promise<Schemas['Workflow']>
  /** Update a workflow. `PUT /workflows/{workflowId}` */
  replace(workflowId: string, body: Schemas['WorkflowInput'], options?: RequestOptions & { query?: Query<'workflows.replace'> }): Promise<Schemas['WorkflowReplacement']>
  /** Delete a workflow. `DELETE /workflows/{workflowId}` */
  delete(workflowId: string, query?: None, options?: RequestOptions): Promise<Schemas['Deleted']>
  /** Get the document of a workflow. `GET /workflows/{workflowId}/document` */
  getDocument(workflowId: string, query?: Query<'workflows.getDocument'>, options?: RequestOptions): Promise<Schemas['WorkflowDocument']>
  /** Get the OpenAPI 3.1 document of a workflow. `GET /workflows/{workflowId}/openapi.json` */
  openapi(workflowId: string, query?: Query<'workflows.openapi'>, options?: RequestOptions): Promise<Schemas['OpenApiDocument']>
  /** List the versions of a workflow, newest first. `GET /workflows/{workflowId}/versions` */
  listVersions(workflowId: string, query?: Query<'workflows.listVersions'>, options?: RequestOptions): List<Schemas['WorkflowVersionPage'], Schemas['WorkflowVersion']>
  /** Set the slug of a workflow. `PUT /workflows/{workflowId}/slug` */
  setSlug(workflowId: string, body: Schemas['WorkflowsSetSlugRequest'], options?: RequestOptions): Promise<Schemas['Workflow']>
  /** Remove the slug of a workflow. `DELETE /workflows/{workflowId}/slug` */
  deleteSlug(workflowId: string, query?: None, options?: RequestOptions): Promise<Schemas['Deleted']>
}

/** The resources of the client, named by the operations of the API. */
export interface Resources {
  readonly audit: AuditResource
  readonly batches: BatchesResource
  readonly bin: BinResource
  readonly brands: BrandsResource
  readonly channels: ChannelsResource
  readonly credentials: CredentialsResource
  readonly drafts: DraftsResource
  readonly executions: ExecutionsResource
  readonly fonts: FontsResource
  readonly images: ImagesResource
  readonly keys: KeysResource
  readonly operations: OperationsResource
  readonly projects: ProjectsResource
  readonly providers: ProvidersResource
  readonly runLink: RunLinkResource
  readonly service: ServiceResource
  readonly signingKeys: SigningKeysResource
  readonly usage: UsageResource
  readonly webhookDeliveries: WebhookDeliveriesResource
  readonly webhookEndpoints: WebhookEndpointsResource
  readonly webhookSecret: WebhookSecretResource
  readonly workflows: WorkflowsResource
}

/** The body of a webhook. */
export type WebhookEvent =
  | Schemas['ExecutionCompletedWebhook']
  | Schemas['ExecutionFailedWebhook']
  | Schemas['BatchCompletedWebhook']
  | Schemas['WorkflowPublishedWebhook']
  | Schemas['BudgetReachedWebhook']
  | Schemas['KeyExpiringWebhook']
  | Schemas['WebhookDisabledWebhook']
  | Schemas['TestWebhook']

/** Method, path, input, result, and the field of the items of a list. */
export type OperationRow = readonly [
  method: string,
  path: string,
  input: 'query' | 'json' | 'form' | 'rows',
  result: 'json' | 'list' | 'events' | 'file',
  itemsField?: string,
]

/** Parameters of the path come first, then the query or the body, then options. */
export const operations: Record<keyof Resources, Record<string, OperationRow>> = {
  audit: {
    list: ['GET', '/v1/audit', 'query', 'list', 'entries'],
    csv: ['GET', '/v1/audit.csv', 'query', 'file'],
  },
  batches: {
    list: ['GET', '/v1/batches', 'query', 'list', 'batches'],
    create: ['POST', '/v1/batches', 'json', 'json'],
    get: ['GET', '/v1/batches/{batchId}', 'query', 'json'],
    update: ['PATCH', '/v1/batches/{batchId}', 'json', 'json'],
    delete: ['DELETE', '/v1/batches/{batchId}', 'query', 'json'],
    items: ['GET', '/v1/batches/{batchId}/items', 'query', 'list', 'items'],
    upload: ['PUT', '/v1/batches/{batchId}/items', 'rows', 'json'],
    item: ['GET', '/v1/batches/{batchId}/items/{key}', 'query', 'json'],
    updateItem: ['PATCH', '/v1/batches/{batchId}/items/{key}', 'json', 'json'],
    estimate: ['GET', '/v1/batches/{batchId}/estimate', 'query', 'json'],
    start: ['POST', '/v1/batches/{batchId}/start', 'query', 'json'],
    pause: ['POST', '/v1/batches/{batchId}/pause', 'query', 'json'],
    resume: ['POST', '/v1/batches/{batchId}/resume', 'query', 'json'],
    cancel: ['POST', '/v1/batches/{batchId}/cancel', 'query', 'json'],
    retry: ['POST', '/v1/batches/{batchId}/retry', 'json', 'json'],
    events: ['GET', '/v1/batches/{batchId}/events', 'query', 'events'],
    results: ['GET', '/v1/batches/{batchId}/results', 'query', 'json'],
    resultsCsv: ['GET', '/v1/batches/{batchId}/results.csv', 'query', 'file'],
    resultsNdjson: ['GET', '/v1/batches/{batchId}/results.ndjson', 'query', 'file'],
    resultsZip: ['GET', '/v1/batches/{batchId}/results.zip', 'query', 'file'],
  },
  bin: {
    list: ['GET', '/v1/storage/bin', 'query', 'list', 'images'],
    delete: ['DELETE', '/v1/storage/bin', 'query', 'json'],
    restore: ['POST', '/v1/storage/bin/restore', 'json', 'json'],
    thumbnail: ['GET', '/v1/storage/bin/{imageId}/thumbnail', 'query', 'file'],
  },
  brands: {
    get: ['GET', '/v1/brand', 'query', 'json'],
    replace: ['PUT', '/v1/brand', 'json', 'json'],
    getOfProject: ['GET', '/v1/projects/{projectId}/brand', 'query', 'json'],
    replaceOfProject: ['PUT', '/v1/projects/{projectId}/brand', 'json', 'json'],
  },
  channels: {
    list: ['GET', '/v1/workflows/{workflowId}/channels', 'query', 'json'],
    get: ['GET', '/v1/workflows/{workflowId}/channels/{name}', 'query', 'json'],
    move: ['PUT', '/v1/workflows/{workflowId}/channels/{name}', 'json', 'json'],
    delete: ['DELETE', '/v1/workflows/{workflowId}/channels/{name}', 'query', 'json'],
    rollBack: ['POST', '/v1/workflows/{workflowId}/channels/{name}/rollback', 'query', 'json'],
    listMoves: ['GET', '/v1/workflows/{workflowId}/channels/{name}/moves', 'query', 'list', 'moves'],
  },
  credentials: {
    verify: ['POST', '/v1/verify', 'form', 'json'],
  },
  drafts: {
    list: ['GET', '/v1/workflows/drafts', 'query', 'list', 'drafts'],
    create: ['POST', '/v1/workflows/drafts', 'json', 'json'],
    get: ['GET', '/v1/workflows/{workflowId}/draft', 'query', 'json'],
    save: ['PUT', '/v1/workflows/{workflowId}/draft', 'json', 'json'],
    delete: ['DELETE', '/v1/workflows/{workflowId}/draft', 'query', 'json'],
    publish: ['POST', '/v1/workflows/{workflowId}/draft/publish', 'json', 'json'],
    execute: ['POST', '/v1/workflows/{workflowId}/draft/execute', 'json', 'json'],
    compare: ['POST', '/v1/workflows/{workflowId}/draft/compare', 'query', 'json'],
    preview: ['POST', '/v1/workflows/{workflowId}/draft/preview', 'json', 'json'],
  },
  executions: {
    get: ['GET', '/v1/workflows/executions/{executionId}', 'query', 'json'],
    getDocument: ['GET', '/v1/workflows/executions/{executionId}/document', 'query', 'json'],
    list: ['GET', '/v1/workflows/executions', 'query', 'list', 'executions'],
    steps: ['GET', '/v1/workflows/executions/{executionId}/steps', 'query', 'json'],
    events: ['GET', '/v1/workflows/executions/{executionId}/events', 'query', 'events'],
    stepPreview: ['GET', '/v1/workflows/executions/{executionId}/steps/{node}/preview', 'query', 'file'],
    cancel: ['POST', '/v1/workflows/executions/{executionId}/cancel', 'query', 'json'],
    resume: ['POST', '/v1/workflows/executions/{executionId}/resume', 'json', 'json'],
  },
  fonts: {
    list: ['GET', '/v1/fonts', 'query', 'list', 'fonts'],
    upload: ['POST', '/v1/fonts', 'form', 'json'],
    get: ['GET', '/v1/fonts/{fontId}', 'query', 'json'],
    delete: ['DELETE', '/v1/fonts/{fontId}', 'query', 'json'],
  },
  images: {
    upload: ['POST', '/v1/storage/upload', 'form', 'json'],
    list: ['GET', '/v1/storage/images', 'query', 'list', 'images'],
    deleteSome: ['DELETE', '/v1/storage/images', 'query', 'json'],
    get: ['GET', '/v1/storage/images/{imageId}', 'query', 'json'],
    update: ['PUT', '/v1/storage/images/{imageId}', 'json', 'json'],
    delete: ['DELETE', '/v1/storage/images/{imageId}', 'query', 'json'],
    uses: ['GET', '/v1/storage/images/{imageId}/uses', 'query', 'list', 'workflows'],
    content: ['GET', '/images/{file}', 'query', 'file'],
    thumbnail: ['GET', '/images/{imageId}/thumbnail', 'query', 'file'],
  },
  keys: {
    list: ['GET', '/v1/keys', 'query', 'list', 'keys'],
    create: ['POST', '/v1/keys', 'json', 'json'],
    get: ['GET', '/v1/keys/{keyId}', 'query', 'json'],
    update: ['PUT', '/v1/keys/{keyId}', 'json', 'json'],
    revoke: ['DELETE', '/v1/keys/{keyId}', 'query', 'json'],
    rotate: ['POST', '/v1/keys/{keyId}/rotate', 'json', 'json'],
  },
  operations: {
    list: ['GET', '/v1/operations', 'query', 'json'],
  },
  projects: {
    list: ['GET', '/v1/projects', 'query', 'list', 'projects'],
    create: ['POST', '/v1/projects', 'json', 'json'],
    get: ['GET', '/v1/projects/{projectId}', 'query', 'json'],
    update: ['PUT', '/v1/projects/{projectId}', 'json', 'json'],
    delete: ['DELETE', '/v1/projects/{projectId}', 'query', 'json'],
  },
  providers: {
    list: ['GET', '/v1/providers', 'query', 'json'],
  },
  runLink: {
    get: ['GET', '/v1/run-link', 'query', 'json'],
    execute: ['POST', '/v1/run-link/executions', 'json', 'json'],
    getExecution: ['GET', '/v1/run-link/executions/{executionId}', 'query', 'json'],
    cancelExecution: ['POST', '/v1/run-link/executions/{executionId}/cancel', 'query', 'json'],
    upload: ['POST', '/v1/run-link/images', 'form', 'json'],
  },
  service: {
    openapi: ['GET', '/v1/openapi.json', 'query', 'json'],
    health: ['GET', '/v1/health', 'query', 'json'],
    live: ['GET', '/v1/health/live', 'query', 'json'],
    ready: ['GET', '/v1/health/ready', 'query', 'json'],
    securityTxt: ['GET', '/.well-known/security.txt', 'query', 'file'],
  },
  signingKeys: {
    list: ['GET', '/v1/signing-keys', 'query', 'list', 'signingKeys'],
    create: ['POST', '/v1/signing-keys', 'json', 'json'],
    get: ['GET', '/v1/signing-keys/{keyId}', 'query', 'json'],
    update: ['PUT', '/v1/signing-keys/{keyId}', 'json', 'json'],
    revoke: ['DELETE', '/v1/signing-keys/{keyId}', 'query', 'json'],
    rotate: ['POST', '/v1/signing-keys/{keyId}/rotate', 'json', 'json'],
    sign: ['POST', '/v1/signing-keys/{keyId}/urls', 'json', 'json'],
  },
  usage: {
    get: ['GET', '/v1/usage', 'query', 'json'],
  },
  webhookDeliveries: {
    list: ['GET', '/v1/webhook-deliveries', 'query', 'list', 'deliveries'],
    get: ['GET', '/v1/webhook-deliveries/{deliveryId}', 'query', 'json'],
    replay: ['POST', '/v1/webhook-deliveries/{deliveryId}/replay', 'query', 'json'],
  },
  webhookEndpoints: {
    list: ['GET', '/v1/webhook-endpoints', 'query', 'list', 'endpoints'],
    create: ['POST', '/v1/webhook-endpoints', 'json', 'json'],
    get: ['GET', '/v1/webhook-endpoints/{endpointId}', 'query', 'json'],
    replace: ['PUT', '/v1/webhook-endpoints/{endpointId}', 'json', 'json'],
    delete: ['DELETE', '/v1/webhook-endpoints/{endpointId}', 'query', 'json'],
    getSecret: ['GET', '/v1/webhook-endpoints/{endpointId}/secret', 'query', 'json'],
    rotateSecret: ['POST', '/v1/webhook-endpoints/{endpointId}/secret/rotate', 'json', 'json'],
    test: ['POST', '/v1/webhook-endpoints/{endpointId}/test', 'query', 'json'],
  },
  webhookSecret: {
    get: ['GET', '/v1/webhook-secret', 'query', 'json'],
    rotate: ['POST', '/v1/webhook-secret/rotate', 'json', 'json'],
  },
  workflows: {
    execute: ['POST', '/v1/workflows/execute', 'json', 'json'],
    list: ['GET', '/v1/workflows', 'query', 'list', 'workflows'],
    create: ['POST', '/v1/workflows', 'json', 'json'],
    importSvg: ['POST', '/v1/workflows/import-svg', 'form', 'json'],
    validate: ['POST', '/v1/workflows/validate', 'json', 'json'],
    get: ['GET', '/v1/workflows/{workflowId}', 'query', 'json'],
    replace: ['PUT', '/v1/workflows/{workflowId}', 'json', 'json'],
    delete: ['DELETE', '/v1/workflows/{workflowId}', 'query', 'json'],
    getDocument: ['GET', '/v1/workflows/{workflowId}/document', 'query', 'json'],
    openapi: ['GET', '/v1/workflows/{workflowId}/openapi.json', 'query', 'json'],
    listVersions: ['GET', '/v1/workflows/{workflowId}/versions', 'query', 'list', 'versions'],
    setSlug: ['PUT', '/v1/workflows/{workflowId}/slug', 'json', 'json'],
    deleteSlug: ['DELETE', '/v1/workflows/{workflowId}/slug', 'query', 'json'],
  },
}

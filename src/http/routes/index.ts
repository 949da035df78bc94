/** All routes, in the order of the API reference. The architecture test fails if a route file is missing here. */
import type { Route } from '../define-route.ts'
import { getAuditCsv } from './audit/csv.ts'
import { listAudit } from './audit/list.ts'
import { cancelBatch } from './batches/cancel.ts'
import { createBatch } from './batches/create.ts'
import { deleteBatch } from './batches/delete.ts'
import { estimateBatch } from './batches/estimate.ts'
import { streamBatchEvents } from './batches/events.ts'
import { getBatch } from './batches/get.ts'
import { getBatchItem } from './batches/get-item.ts'
import { listBatches } from './batches/list.ts'
import { listBatchItems } from './batches/list-items.ts'
import { pauseBatch } from './batches/pause.ts'
import { getBatchResults } from './batches/results.ts'
import { getBatchCsv } from './batches/results-csv.ts'
import { getBatchNdjson } from './batches/results-ndjson.ts'
import { getBatchZip } from './batches/results-zip.ts'
import { resumeBatch } from './batches/resume.ts'
import { retryBatch } from './batches/retry.ts'
import { startBatch } from './batches/start.ts'
import { updateBatch } from './batches/update.ts'
import { updateBatchItem } from './batches/update-item.ts'
import { uploadBatchItems } from './batches/upload.ts'
import { emptyBin } from './bin/delete.ts'
import { listBin } from './bin/list.ts'
import { restoreFromBin } from './bin/restore.ts'
import { getBinThumbnail } from './bin/thumbnail.ts'
import { getBrand } from './brands/get.ts'
import { getProjectBrand } from './brands/get-of-project.ts'
import { replaceBrand } from './brands/replace.ts'
import { replaceProjectBrand } from './brands/replace-of-project.ts'
import { deleteChannel } from './channels/delete.ts'
import { getChannel } from './channels/get.ts'
import { listChannels } from './channels/list.ts'
import { listChannelMoves } from './channels/list-moves.ts'
import { moveChannel } from './channels/move.ts'
import { rollBackChannel } from './channels/roll-back.ts'
import { verifyFile } from './credentials/verify.ts'
import { deliver } from './delivery/get.ts'
import { compareDraft } from './drafts/compare.ts'
import { createDraft } from './drafts/create.ts'
import { deleteDraft } from './drafts/delete.ts'
import { executeDraft } from './drafts/execute.ts'
import { getDraft } from './drafts/get.ts'
import { listDrafts } from './drafts/list.ts'
import { previewDraft } from './drafts/preview.ts'
import { publishDraft } from './drafts/publish.ts'
import { saveDraft } from './drafts/save.ts'
import { cancelExecution } from './executions/cancel.ts'
import { streamExecutionEvents } from './executions/events.ts'
import { getExecution } from './executions/get.ts'
import { getExecutionDocument } from './executions/get-document.ts'
import { listExecutions } from './executions/list.ts'
import { resumeExecution } from './executions/resume.ts'
import { getStepPreview } from './executions/step-preview.ts'
import { listSteps } from './executions/steps.ts'
import { deleteFont } from './fonts/delete.ts'
import { getFont } from './fonts/get.ts'
import { listFonts } from './fonts/list.ts'
import { uploadFont } from './fonts/upload.ts'
import { getImageContent } from './images/content.ts'
import { deleteImage } from './images/delete.ts'
import { deleteImages } from './images/delete-some.ts'
import { getImage } from './images/get.ts'
import { listImages } from './images/list.ts'
import { listImageUses } from './images/list-uses.ts'
import { getThumbnail } from './images/thumbnail.ts'
import { updateImage } from './images/update.ts'
import { uploadImage } from './images/upload.ts'
import { createKey } from './keys/create.ts'
import { getKey } from './keys/get.ts'
import { listKeys } from './keys/list.ts'
import { revokeKey } from './keys/revoke.ts'
import { rotateKey } from './keys/rotate.ts'
import { updateKey } from './keys/update.ts'
import { sendMcp } from './mcp/send.ts'
import { editOpenAiImages } from './openai/edit.ts'
import { generateOpenAiImages } from './openai/generate.ts'
import { listOpenAiModels } from './openai/models.ts'
import { listOperations } from './operations/list.ts'
import { createProject } from './projects/create.ts'
import { deleteProject } from './projects/delete.ts'
import { getProject } from './projects/get.ts'
import { listProjects } from './projects/list.ts'
import { updateProject } from './projects/update.ts'
import { listProviders } from './providers/list.ts'
import { cancelRunLinkExecution } from './run-link/cancel-execution.ts'
import { executeRunLink } from './run-link/execute.ts'
import { getRunLink } from './run-link/get.ts'
import { getRunLinkExecution } from './run-link/get-execution.ts'
import { uploadRunLinkImage } from './run-link/upload.ts'
import { getDocs, getDocsFile } from './service/docs.ts'
import { getHealth, getLiveness, getReadiness } from './service/health.ts'
import { getOpenApi } from './service/openapi.ts'
import { getSecurityTxt } from './service/security-txt.ts'
import { createSession } from './session/create.ts'
import { deleteSession } from './session/delete.ts'
import { getSession } from './session/get.ts'
import { createSigningKey } from './signing-keys/create.ts'
import { getSigningKey } from './signing-keys/get.ts'
import { listSigningKeys } from './signing-keys/list.ts'
import { revokeSigningKey } from './signing-keys/revoke.ts'
import { rotateSigningKey } from './signing-keys/rotate.ts'
import { signDeliveryUrl } from './signing-keys/sign.ts'
import { updateSigningKey } from './signing-keys/update.ts'
import { getUsage } from './usage/get.ts'
import { getWebhookDelivery } from './webhook-deliveries/get.ts'
import { listWebhookDeliveries } from './webhook-deliveries/list.ts'
import { replayWebhookDelivery } from './webhook-deliveries/replay.ts'
import { createWebhookEndpoint } from './webhook-endpoints/create.ts'
import { deleteWebhookEndpoint } from './webhook-endpoints/delete.ts'
import { getWebhookEndpoint } from './webhook-endpoints/get.ts'
import { getEndpointSecret } from './webhook-endpoints/get-secret.ts'
import { listWebhookEndpoints } from './webhook-endpoints/list.ts'
import { replaceWebhookEndpoint } from './webhook-endpoints/replace.ts'
import { rotateEndpointSecret } from './webhook-endpoints/rotate-secret.ts'
import { testWebhookEndpoint } from './webhook-endpoints/test.ts'
import { getWebhookSecret } from './webhook-secret/get.ts'
import { rotateWebhookSecret } from './webhook-secret/rotate.ts'
import { createWorkflow } from './workflows/create.ts'
import { deleteWorkflow } from './workflows/delete.ts'
import { deleteSlug } from './workflows/delete-slug.ts'
import { executeWorkflow } from './workflows/execute.ts'
import { getWorkflow } from './workflows/get.ts'
import { getWorkflowDocument } from './workflows/get-document.ts'
import { importSvgWorkflow } from './workflows/import-svg.ts'
import { listWorkflows } from './workflows/list.ts'
import { listWorkflowVersions } from './workflows/list-versions.ts'
import { getWorkflowOpenApi } from './workflows/openapi.ts'
import { replaceWorkflow } from './workflows/replace.ts'
import { setSlug } from './workflows/set-slug.ts'
import { validateWorkflow } from './workflows/validate.ts'

export const routes: Route[] = [
  executeWorkflow,
  getExecution,
  getExecutionDocument,
  listExecutions,
  listSteps,
  streamExecutionEvents,
  getStepPreview,
  cancelExecution,
  resumeExecution,
  listOpenAiModels,
  generateOpenAiImages,
  editOpenAiImages,
  createBatch,
  listBatches,
  getBatch,
  updateBatch,
  deleteBatch,
  uploadBatchItems,
  listBatchItems,
  getBatchItem,
  updateBatchItem,
  estimateBatch,
  startBatch,
  pauseBatch,
  resumeBatch,
  cancelBatch,
  retryBatch,
  streamBatchEvents,
  getBatchResults,
  getBatchCsv,
  getBatchNdjson,
  getBatchZip,
  listWorkflows,
  createWorkflow,
  importSvgWorkflow,
  validateWorkflow,
  getWorkflow,
  replaceWorkflow,
  deleteWorkflow,
  getWorkflowDocument,
  getWorkflowOpenApi,
  listWorkflowVersions,
  setSlug,
  deleteSlug,
  listChannels,
  getChannel,
  moveChannel,
  rollBackChannel,
  deleteChannel,
  listChannelMoves,
  listDrafts,
  createDraft,
  getDraft,
  saveDraft,
  deleteDraft,
  publishDraft,
  executeDraft,
  compareDraft,
  previewDraft,
  uploadImage,
  listImages,
  deleteImages,
  getImage,
  listImageUses,
  updateImage,
  deleteImage,
  getImageContent,
  getThumbnail,
  listBin,
  restoreFromBin,
  emptyBin,
  getBinThumbnail,
  deliver,
  verifyFile,
  uploadFont,
  listFonts,
  getFont,
  deleteFont,
  listProjects,
  deleteProject,
  createProject,
  getProject,
  updateProject,
  getBrand,
  replaceBrand,
  getProjectBrand,
  replaceProjectBrand,
  listOperations,
  sendMcp,
  listProviders,
  getUsage,
  listKeys,
  createKey,
  getKey,
  updateKey,
  revokeKey,
  rotateKey,
  getRunLink,
  executeRunLink,
  getRunLinkExecution,
  cancelRunLinkExecution,
  uploadRunLinkImage,
  listWebhookEndpoints,
  createWebhookEndpoint,
  getWebhookEndpoint,
  replaceWebhookEndpoint,
  deleteWebhookEndpoint,
  getEndpointSecret,
  rotateEndpointSecret,
  testWebhookEndpoint,
  getWebhookSecret,
  rotateWebhookSecret,
  listWebhookDeliveries,
  getWebhookDelivery,
  replayWebhookDelivery,
  listSigningKeys,
  createSigningKey,
  getSigningKey,
  updateSigningKey,
  revokeSigningKey,
  rotateSigningKey,
  signDeliveryUrl,
  listAudit,
  getAuditCsv,
  createSession,
  getSession,
  deleteSession,
  getOpenApi,
  getDocs,
  getDocsFile,
  getHealth,
  getLiveness,
  getReadiness,
  getSecurityTxt,
]

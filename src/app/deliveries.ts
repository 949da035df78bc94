/** Composition of delivery URLs: their responses, and the service that signs them. */
import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import type { Clock } from '../domain/clock.ts'
import { createFairQueue } from '../domain/fair-queue.ts'
import type { BlobStore } from '../domain/images/image.ts'
import type { Models } from '../domain/models/model.ts'
import type { Retention } from '../domain/retention.ts'
import { limits } from '../limits.ts'
import { createDeliveries } from '../services/delivery/deliveries.ts'
import { createDerivedBytes } from '../services/delivery/derived-bytes.ts'
import { createPlanFile } from '../services/delivery/plan-file.ts'
import { createRenditions } from '../services/delivery/renditions.ts'
import type { SigningKeys } from '../services/delivery/signing-keys.ts'
import { createUrlSigner } from '../services/delivery/url-signer.ts'
import { createWorkflowFiles } from '../services/delivery/workflow-files.ts'
import type { Executions } from '../services/executions/executions.ts'
import type { RequestParameters } from '../services/executions/request-parameters.ts'
import type { Sources } from '../services/executions/sources.ts'
import type { RenderImage } from '../services/images/image-renderer.ts'
import type { VersionCache } from '../services/workflows/version-cache.ts'
import type { VersionChooser } from '../services/workflows/version-chooser.ts'
import type { Stores } from '../storage/database/open.ts'

interface DeliveryDependencies {
  config: Config
  log: Logger
  stores: Stores
  retention: Retention
  clock: Clock
  blobs: BlobStore
  versionCache: VersionCache
  versionChooser: VersionChooser
  requestParameters: RequestParameters
  sources: Sources
  executions: Executions
  models: Models | undefined
  signingKeys: SigningKeys
  serviceUrl(): string
  render: RenderImage
}

export function createDeliveryServices(dependencies: DeliveryDependencies) {
  const { config, log, stores, retention, clock, blobs, versionCache, versionChooser, executions, render } =
    dependencies
  const { derivedFiles, images } = stores
  const planFile = createPlanFile(dependencies)
  const derivedBytes = createDerivedBytes({
    retention,
    bytesMax: config.deliveryBytesMax,
    clock,
    onError: (err) => log.warn({ err }, 'files of delivery URLs could not be evicted: later'),
  })
  const waiting = createFairQueue({ perAccount: limits.deliveryWaitingMax })
  // Of work in this process. A short DELIVERY_WAIT_SECONDS would end it each time: only executions continue without their request.
  const workSeconds = Math.max(config.deliveryWaitSeconds, limits.deliveryWaitSeconds)
  return {
    deliveries: createDeliveries({
      derivedFiles,
      signingKeys: stores.signingKeys,
      images,
      blobs,
      clock,
      imagesUrl: config.imagesUrl,
      workflowFiles: createWorkflowFiles({
        derivedFiles,
        derivedBytes,
        versionCache,
        planFile,
        planSeconds: workSeconds,
        executions,
        waiting,
        clock,
        waitSeconds: config.deliveryWaitSeconds,
        fallbackSeconds: limits.deliveryFallbackSeconds,
      }),
      renditions: createRenditions({
        derivedFiles,
        blobs,
        derivedBytes,
        render,
        waiting,
        clock,
        perAccountMax: limits.renditionsPerAccountMax,
        seconds: workSeconds,
      }),
      onError: (err) => log.warn({ err }, 'the use of a delivery URL could not be recorded'),
    }),
    urlSigner: createUrlSigner({
      versionCache,
      versionChooser,
      images,
      planFile,
      clock,
      signingKeys: dependencies.signingKeys,
      serviceUrl: dependencies.serviceUrl,
    }),
  }
}

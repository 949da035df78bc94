import * as shared from '../shared/limits.ts'

/** Every limit, once. A limit that an operator can change is the default of a setting in config/config.ts. */
export const limits = {
  // Requests
  jsonBodyBytesMax: 1_048_576,
  jsonDepthMax: shared.jsonDepthMax,
  /** More than a workflow document and the parameters of its execution can have. Each takes time, whatever it is. */
  jsonValuesMax: 100_000,
  /** Different names. A workflow document has at most `documentValuesMax`. */
  jsonNamesMax: 20_000,
  headersMax: 100,
  /** Each takes as long as some hundred characters. Requests have at most `parametersMax` and the few of a signed URL. */
  queryParametersMax: 200,
  signInBodyBytesMax: 1_024,
  issuesMax: shared.issuesMax,
  nameCharsMax: 255,
  descriptionCharsMax: 4_000,
  versionNoteCharsMax: 1_000,
  /** An agent reads the descriptions of all tools before its first call. */
  toolDescriptionCharsMax: 1_000,
  pageSizeDefault: 20,
  pageSizeMax: 100,
  pageOffsetMax: 1_000_000_000,
  /** Matches of a list of images by `source`, `search` or time: to count all of a million takes a second. */
  imagesCountedMax: 1_000,
  idempotencyKeyCharsMax: 255,
  idempotencyKeptSeconds: 86_400,
  sessionSeconds: 604_800,
  sessionUnusedSeconds: 86_400,
  sessionsPerKeyMax: 100,

  // Clients
  connectionsMax: 10_000,
  connectionsPerAddressMax: 1_000,
  wrongKeysPerMinuteMax: 100,
  signInsPerMinuteMax: 60,
  stalledResponseSeconds: 60,
  addressCountersMax: 16_384,

  // Keys of an account
  keysMax: 100,
  keyDaysMax: 3_650,
  /** Enough for a CI job and for a person who tries something; it is not a plan. */
  testRequestsPerMinuteMax: 60,
  /** Executions with test keys don't take the place of live ones. Another number needs a migration: `2026-12-30-twins.ts`. */
  testExecutionsRunningMax: 5,
  testImagesKeptDays: 7,
  testStorageBytesMax: 1_073_741_824,
  keyOverlapSecondsMax: 2_592_000,
  keyEndedSeconds: 2_592_000,
  /** Maximum of an account, and of each kind: `POST /keys` and rotations can end 60 keys per minute. */
  keysEndedMax: 1_000,

  // Run links: keys that run one workflow, for people without an account
  runLinkDaysDefault: 30,
  runLinkExecutionsPerMinuteDefault: 10,
  runLinkExecutionsPerMinuteMax: 600,
  /** Requests of all people with the link, in place of the limit of the account: a person needs about five for an image. */
  runLinkRequestsPerMinuteMax: 240,
  /** Uploads of all people with the link. A photo of a phone has up to 15 MB. */
  runLinkUploadsPerMinuteMax: 20,
  /** 100 full minutes: without it, a forwarded link could upload all day. */
  runLinkUploadsPerDayMax: 2_000,
  runLinkUploadBytesMax: 20_971_520,
  /** The page uploads a photo again if it is used later. */
  runLinkUploadSeconds: 3_600,

  // Workflows of an account
  /** A search reads the names of all of them: some 7 ms. */
  workflowsMax: 10_000,
  /** Maximum of drafts of new and of saved workflows. */
  draftsMax: 10_000,

  // Previews of drafts
  /** Counted apart from other requests, for an editor that requests one for each frame of a drag. */
  draftPreviewsPerMinuteMax: 3_600,
  /** Previews that run or wait: an editor has one in progress, and sends the next one when it aborts another. */
  draftPreviewsPerAccountMax: 4,
  draftPreviewSeconds: 10,
  draftPreviewSidePixelsMin: 16,
  /** Decoded sources and results: some 20 images of 1200 x 630 and a photo of 12 megapixels, for two accounts. */
  draftPreviewMemoryBytesMax: 201_326_592,
  draftPreviewIdleSeconds: 120,

  // OpenAI-compatible API
  /** Equals the maximum of OpenAI. */
  openAiImagesMax: 10,
  openAiModelsMax: 100,
  openAiModelsSearchedMax: 1_000,
  openAiModelsBytesMax: 16_777_216,

  // Projects of an account
  /** They can't be deleted: at most some 40 MB of names and descriptions stay. */
  projectsMax: 10_000,

  // Workflow documents
  documentBytesMax: 524_288,
  nodesMax: 200,
  /** Workflows inside one another. Each level is read and checked. */
  workflowDepthMax: 8,
  /** An execution plans the nodes of all workflows that it uses: some 50 ms, twice. */
  inlinedNodesMax: 1_000,
  /** The workflows are read and checked together, and the params of each use are copied. With `templatesCharsMax`: some 16 MB of memory. */
  inlinedBytesMax: 1_048_576,
  /** Checks of an account at the same time, because each has the memory of its document. The rest waits. */
  documentChecksMax: 2,
  usersShownMax: 100,
  /** Sources, and models, that an image remembers. */
  madeFromMax: 50,
  variationCharsMax: 100,
  parametersMax: 100,
  parameterCharsMax: shared.parameterCharsMax,
  parameterValuesMax: shared.parameterValuesMax,
  /** The extent of the `schema` of a parameter. */
  parameterSchemaDepthMax: 5,
  parameterSchemaValuesMax: 200,
  parameterImagesMax: 200,
  examplesMax: 20,
  channelsMax: 20,
  channelMovesMax: 1_000,
  /** Moves of all channels of a workflow, also of deleted ones. */
  workflowMovesMax: 20_000,
  /** Values of an account, and of a project. */
  brandValuesMax: 100,
  brandValueCharsMax: shared.urlCharsMax,
  /** Size of the JSON: each execution stores the values that it reads. */
  brandBytesMax: 65_536,
  /** Files of an execution, with the primary output. */
  outputFilesMax: 32,
  /** The files of `outputs` together: as much work as four of the largest images. */
  outputsPixelsMax: 400_000_000,
  outputPagesMax: 100,
  /** The largest page of PDF 1.7 (14,400 points), rounded down. */
  outputPageMillimetresMax: 5_000,
  inputWiresMax: 100,
  eachMax: 100,
  documentValuesMax: 10_000,
  imageUsesSearchedMax: 1_000,
  imageUsesBytesMax: 16_777_216,
  imageUsesMax: 20,
  ...shared.templateLimits,

  // Delivery URLs
  deliveryUrlCharsMax: 8_192,
  /** Validity of a URL that the service signs for a client: 30 days, and at most ten years. */
  deliveryUrlSeconds: 2_592_000,
  deliveryUrlSecondsMax: 315_360_000,
  deliveryHostsMax: 100,
  deliveryMaxAgeSeconds: 300,
  deliveryMaxAgeSecondsMax: 31_536_000,
  deliveryStaleSeconds: 86_400,
  deliveryWaitSeconds: 10,
  /** Crawlers of social networks give up after some seconds, and keep a card without an image for days. The image arrives within 3 s. */
  deliveryFallbackSeconds: 2,
  deliveryFallbackCacheSeconds: 10,
  deliveryFailureSeconds: 30,
  /** Waiting requests of an account, in one process: a fifth of the connections. */
  deliveryWaitingMax: 2_000,
  /** Clients that read slowly would keep one copy of a larger file for each of their requests. */
  deliveryBufferedBytesMax: 262_144,
  derivedFilesBytesMax: 1_073_741_824,
  /** The URL of a private image in a response is valid for one to two times as long. */
  signedImageUrlSeconds: 86_400,
  privateImageCacheSeconds: 3_600,
  renditionsPerAccountMax: 2,
  renditionSideMax: 4_096,
  renditionDprMax: 4,
  signingKeysMax: 100,
  signingKeyWorkflowsMax: 100,

  // Images
  uploadBytesMax: 33_554_432,
  /**
   * Uploads of more than a megabyte, or of unknown length, in one process, that are being sent. Each is on the disk.
   */
  longUploadsPerAccountMax: 16,
  imagePixelsMax: 100_000_000,
  pixelsInFlightMax: 200_000_000,
  /** Together with the part of one execution, this leaves the rest of a small container to the process itself. */
  pixelsInFlightMemoryPart: 1 / 6,
  executionMemoryPart: 0.6,
  releasedMemoryPart: 1 / 8,
  releasedBytesMax: 268_435_456,
  longJobPixels: 32_000_000,
  sidePixelsMax: 16_384,
  framesMax: 1_000,
  animationPixelsMax: 100_000_000,
  frameMsMax: 60_000,
  blobGraceSeconds: 3_600,
  gainMapBytesMax: 8_388_608,
  /** AVIF is decoded and encoded in one piece, with about 18 bytes for each pixel, and can't be interrupted. */
  avifPixelsMax: 50_000_000,
  /** High effort takes about 0.9 s of CPU for each megapixel. */
  avifEffortPixelsMax: 8_847_360,
  /** CPU time for the largest number of pixels, of which the slowest decoders need up to 6 s. */
  inspectSeconds: 15,
  /** CPU time of an image with few pixels; the time increases with their number. An image that passes is decoded again in a shared process when it is used. */
  inspectSecondsMin: 2,
  inspectUsualMemoryBytes: 268_435_456,
  processIdleSeconds: 60,
  /** Longer than a new process takes to start on a busy machine, shorter than the timeout of most clients. */
  executorWaitSeconds: 20,
  executorPauseSecondsMax: 5,
  /** A turn of its event loop takes less than a second. A busy machine can keep it from running for some seconds. Half the time that a thumbnail waits. */
  executorSilentSeconds: 15,
  thumbnailSeconds: 30,
  thumbnailsPerAccountMax: 2,
  svgBytesMax: 262_144,
  svgTextCharsMax: 2_000,
  svgSeconds: 5,
  svgUsualMemoryBytes: 201_326_592,
  svgMemoryBytesMax: 1_073_741_824,
  /** CPU time. Files of the maximum size take up to 10 s to import. */
  svgImportSeconds: 20,
  /** A4 has 1,240 x 1,754 pixels. */
  pdfDpi: 150,
  pdfDpiMax: 2_400,
  pdfPageMax: 100_000,
  pdfSeconds: 15,
  pdfUsualMemoryBytes: 201_326_592,
  pdfMemoryBytesMax: 1_073_741_824,
  textCharsMax: 5_000,
  stepWarningsMax: 20,
  /** Each takes about 200 bytes in the record of its execution and in an event. */
  stepFramesMax: 50,
  /** Lines of all frames of a step. Each takes about 50 bytes. */
  stepFrameLinesMax: 100,
  markupDepthMax: 50,
  htmlCharsMax: 100_000,
  htmlElementsMax: 3_000,
  htmlDepthMax: 64,
  cssCharsMax: 50_000,
  cssDeclarationsMax: 3_000,
  cssValueCharsMax: 5_000,
  htmlSeconds: 5,
  htmlUsualMemoryBytes: 301_989_888,
  htmlMemoryBytesMax: 1_073_741_824,
  htmlFontBytesMax: 41_943_040,
  htmlPixelsMax: 67_108_864,
  qrCharsMax: 2_000,
  barcodeCharsMax: 1_000,
  chartDataCharsMax: 20_000,
  chartSeriesMax: 12,
  chartPointsMax: 500,
  chartValuesMax: 1_000,
  chartSidePixelsMax: 2_560,
  lutCharsMax: 262_144,
  lutBytesMax: 16_777_216,
  lutCubeSizeMax: 65,
  lutCurveSizeMax: 65_536,
  labelCharsMax: 200,

  // Fonts of an account
  fontBytesMax: 10_485_760,
  fontUnpackedBytesMax: 41_943_040,
  /** The ranges of its characters, which are read for each text with a character that the included fonts lack. */
  fontCharactersBytesMax: 65_536,
  fontsMax: 200,
  fontFamilyCharsMax: shared.fontFamilyCharsMax,
  fontSeconds: 20,
  fontMemoryBytesMax: 1_073_741_824,

  // Local models
  /** More threads hardly help, and requests and image jobs need cores too. */
  modelThreadsMax: 2,
  /** Priority from 0 to 19. With 10, the scheduler of Linux gives a model a tenth of a core that other work needs. */
  modelNice: 10,
  /** Time of a model: with two threads and a low priority, the largest models need a minute. */
  modelSeconds: 300,
  localModelsMemoryPart: 3 / 4,
  onnxManifestBytesMax: 65_536,
  /** The largest cut-out models have 973 MB. Protobuf ends at 2 GiB, and loading needs the memory several times. */
  onnxFileBytesMax: 1_073_741_824,
  onnxDownloadSeconds: 3_600,
  onnxModelsMax: 100,
  onnxSidePixelsMax: 4_096,
  onnxOutputValuesMax: 50_331_648,
  onnxLabelsMax: 1_000,
  onnxCandidatesMax: 5_000,
  onnxBoxesMax: 500,
  /** BiRefNet has 16,400 nodes and 437 tensors. */
  onnxMessagesMax: 2_000_000,
  onnxDepthMax: 64,
  ocrLinesMax: 500,
  /** The slowest upscaler takes about 3 s for each megapixel of the result. */
  upscalePixelsMax: 16_000_000,

  // AI models
  promptCharsMax: 32_000,
  questionCharsMax: 4_000,
  textAnswerCharsMax: 10_000,
  modelNameCharsMax: shared.modelNameCharsMax,
  fallbackModelsMax: 5,
  modelInputImagesMax: 20,
  modelInputSidePixelsMax: 2_048,

  // Content Credentials
  /** A file of 141 MB needs 331 MB of memory. */
  credentialsFileBytesMax: 134_217_728,
  credentialsTotalBytesMax: 268_435_456,
  credentialIngredientsMax: 1_000,
  /** Sources whose credentials are copied are in memory together. */
  credentialsSourceBytesMax: 67_108_864,
  credentialsDownloadedBytesMax: 16_777_216,
  /** Seconds of CPU. A thousand sources take a few seconds on an idle machine. */
  credentialsSeconds: 30,
  credentialsReadSeconds: 10,
  credentialsRequestSeconds: 10,
  credentialsResponseBytesMax: 65_536,
  credentialsExpiryDays: 30,
  credentialsRunningMax: 8,
  /** Each is in memory twice: here and in a process. */
  credentialsReadingMax: 2,
  verificationsWaitingMax: 20,
  credentialsProcessesMax: 3,
  credentialsIdleBytesMax: 268_435_456,
  /** The largest file with its sources needs 0.9 GiB, and is sent to the process. */
  credentialsMemoryBytesMax: 1_610_612_736,
  credentialItemsMax: 2_000,
  credentialDepthMax: 20,
  credentialTextCharsMax: 1_000,
  credentialDataCharsMax: 65_536,
  credentialReportCharsMax: 1_000_000,

  // Outside hosts
  fetchSeconds: 20,
  fetchesPerAccountMax: 16,
  lookupTryMs: 2_000,
  lookupTriesMax: 3,
  lookupOtherFamilyMs: 250,
  lookupSearchDomainsMax: 6,
  /** A response of a name server can have 4,000. Each takes some microseconds. */
  lookupAddressesMax: 64,
  fetchRedirectsMax: 5,
  fetchHeaderBytesMax: 16_384,
  receivedChunksMax: 1_024,
  /**
   * Average of a body with more than `receivedChunksMax` pieces. Hosts send at least a kilobyte. Each piece takes a
   * microsecond or two.
   */
  receivedChunkBytesMin: 256,
  /** Responses with a status below 200, before the final response. Hosts send one or two. */
  informationalResponsesMax: 16,
  urlCharsMax: shared.urlCharsMax,

  // AI providers
  providerConnectSeconds: 5,
  providerPollSeconds: 10,
  providerDownloadSeconds: 60,
  providerDownloadTriesMax: 3,
  providerEnvelopeBytesMax: 1_048_576,
  providerTextSeconds: 60,
  providerImageSeconds: 180,
  providerBackgroundSeconds: 120,
  providerUpscaleSeconds: 300,
  providerCancelSeconds: 5,
  providerTriesMax: 3,
  providerHandleBytesMax: 16_384,

  // S3
  s3ConnectSeconds: 5,
  s3IdleSeconds: 8,
  s3RequestSeconds: 60,
  s3AttemptsMax: 7,
  storageStartSeconds: 30,
  s3SocketsMax: 200,

  // Executions
  executionSeconds: 300,
  executionSecondsMax: 86_400,
  executionImagesMax: 5,
  executionsWaitingMax: 20_000,
  executionAttemptsMax: 3,
  executionStartsMax: 100,
  executionsParkedMax: 200,
  unstoredBytesMax: 67_108_864,
  workerLeaseSeconds: 10,
  comparisonsRunningMax: 2,
  comparisonsWaitingMax: 20,
  renderedFilesBytesMax: 536_870_912,
  cacheBytesMax: 1_073_741_824,
  diskReserveBytes: 536_870_912,
  /** Part of a disk that is smaller. */
  diskReservePart: 0.05,
  checkpointSeconds: 604_800,
  executionEventsKeptSeconds: 604_800,
  executionsKeptDays: 90,
  expiresInSecondsMin: 60,
  expiresInSecondsMax: 315_360_000,
  imagesDeletedMax: 1_000,
  /** 30 days, as in the bins of operating systems and of cloud storage. */
  binSeconds: 2_592_000,
  imageIdsMax: 100,
  auditKeptDays: 365,
  checkpointBytesMax: 1_073_741_824,
  providerCallSeconds: 604_800,
  previewHours: 168,
  previewBytesMax: 268_435_456,
  previewSidePixels: 512,
  previewSeconds: 10,
  syncWaitSeconds: 55,
  /** Proxies cut a request without a response after 60 s. */
  statusWaitSecondsMax: 55,
  eventStreamsMax: 100,
  eventStreamSeconds: 3_600,
  eventsKeepAliveSeconds: 15,
  shutdownGraceSeconds: 25,

  // Agents (`/mcp`)
  /** UTF-8 bytes of the text of an answer: at most 8,000 tokens with its images. Measured with JSON in English: 3 to 4 bytes a token. */
  mcpAnswerBytesMax: 20_000,
  /** Images in an answer. One of 512 x 512 pixels counts as about 350 tokens. */
  mcpImagesMax: 4,
  /** Workflows of an account, the newest first, that one page of the list of tools looks at. */
  mcpSearchedMax: 1_000,
  /** Seconds that a call waits for its execution. Clients give up after 60 s by default. */
  mcpWaitSeconds: 50,
  mcpProgressSeconds: 2,
  mcpToolsBytesMax: 4_194_304,
  mcpToolsAccountBytesMax: 524_288,

  // Batches
  batchesMax: 1_000,
  batchesRunningMax: 10,
  batchRowsMax: 100_000,
  batchOpenRowsMax: 500_000,
  batchUploadBytesMax: 67_108_864,
  batchRowBytesMax: 1_048_576,
  batchDefaultsBytesMax: 65_536,
  batchKeyCharsMax: 200,
  /** Problems of one file: the rest is not read. */
  batchProblemsMax: 1_000,
  /** Files that are read at the same time. A file that is being sent is on the disk. */
  batchUploadsMax: 4,
  /** The directory at the end of a ZIP file is in memory: some 600 bytes for each file. */
  batchZipFilesMax: 100_000,
  /** Files of an account that are made at the same time. */
  batchZipsMax: 2,
  batchUploadSeconds: 15,
  /** A plan takes 0.1 to 0.2 ms for the shipped examples, and at most some 20 ms. */
  batchPlanSeconds: 20,
  batchSampleRows: 50,
  batchRetryKeysMax: 1_000,
  batchWindowMax: 400,
  batchKeptSeconds: 2_592_000,

  // Webhooks
  webhookEndpointsMax: 20,
  webhookUrlCharsMax: 2_048,
  webhookBodyBytesMax: 20_480,
  webhookResponseBytesMax: 1_024,
  webhookConnectSeconds: 5,
  webhookSeconds: 15,
  webhookLeaseSeconds: 60,
  webhookAttemptsRunningMax: 100,
  webhookAttemptsReserved: 20,
  webhookAttemptsPerAccountMax: 10,
  webhookAttemptsPerEndpointMax: 4,
  webhookAttemptsLoggedMax: 30,
  webhookDeliveriesWaitingMax: 50_000,
  /** 13,000 of the largest bodies. Without it, an account could fill the disk with the backlog of its slow receivers. */
  webhookWaitingBytesMax: 268_435_456,
  webhookDeliveriesKeptMax: 10_000,
  webhookDeliveriesKeptSeconds: 1_209_600,
  webhookFailingSeconds: 432_000,
  webhookSecretOverlapSecondsMax: 604_800,
  keyExpiryNoticeDays: 7,

  // Memory that a process keeps between requests
  checkedWorkflowsBytesMax: 67_108_864,
  /** The largest document takes about 13 MB, and 16 MB with the workflows that it uses. */
  checkedWorkflowsAccountBytesMax: 16_777_216,
  /** Memory of thumbnails, of image sizes and of delivery URLs each. */
  knownFailuresBytesMax: 8_388_608,
  knownFailuresAccountBytesMax: 1_048_576,
  docsBytesMax: 33_554_432,
  idleFontsBytesMax: 67_108_864,
  idleFontsAccountBytesMax: 33_554_432,
  unstoredResultsBytesMax: 134_217_728,
  unstoredResultsAccountBytesMax: 67_108_864,

  // Usage reports
  usageDaysMax: 366,
  usageListMax: 1_000,
} as const

/** Every limit, once. Those that an operator may move are the defaults of a setting in config.ts. */
export const limits = {
  // Requests
  jsonBodyBytesMax: 1_048_576,
  jsonDepthMax: 64,
  issuesMax: 100,
  nameCharsMax: 255,
  descriptionCharsMax: 4_000,
  pageSizeDefault: 20,
  pageSizeMax: 100,
  pageOffsetMax: 1_000_000_000,
  idempotencyKeyCharsMax: 255,

  // Workflow documents
  documentBytesMax: 524_288,
  nodesMax: 200,
  parametersMax: 100,
  parameterCharsMax: 100_000,
  examplesMax: 20,
  socketWiresMax: 100,
  eachMax: 100,

  // Templates (LiquidJS counts memory in its own units: about one per character or array item)
  templatesMax: 2_000,
  templateCharsMax: 20_000,
  templateMemoryUnitsMax: 1_000_000,
  templateRenderMsMax: 100,
  templatesMsMax: 1_000,
  templateOutputCharsMax: 200_000,

  // Images
  uploadBytesMax: 33_554_432,
  imagePixelsMax: 100_000_000,
  pixelsInFlightMax: 200_000_000,
  sidePixelsMax: 16_384,
  framesMax: 1_000,
  /** Of all frames of one animation together; and no more than a picture may have. */
  animationPixelsMax: 100_000_000,
  frameMsMax: 60_000,
  pngChunksMax: 30_000,
  blobGraceSeconds: 3_600,
  /** AVIF is decoded and encoded all at once, in some 18 bytes a pixel, and nothing stops it once it runs. */
  avifPixelsMax: 50_000_000,
  /** Effort high takes some 0.9 s of work a megapixel. */
  avifEffortPixelsMax: 8_847_360,
  inspectSeconds: 30,
  svgBytesMax: 262_144,
  svgTextCharsMax: 2_000,
  svgSeconds: 5,
  svgMemoryBytesMax: 1_073_741_824,
  textCharsMax: 5_000,
  markupDepthMax: 50,
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
  fontsMax: 200,
  fontFamilyCharsMax: 100,
  fontSeconds: 20,
  fontMemoryBytesMax: 1_073_741_824,

  // Local models
  modelIdleSeconds: 60,
  ocrLinesMax: 500,
  /** The slowest upscaler takes some 3 s for a megapixel of these. */
  upscalePixelsMax: 16_000_000,

  // AI models
  promptCharsMax: 32_000,
  questionCharsMax: 4_000,
  textAnswerCharsMax: 10_000,
  modelNameCharsMax: 200,
  fallbackModelsMax: 5,
  askedImagesMax: 20,
  viewedSidePixelsMax: 2_048,

  // Outside hosts
  fetchSeconds: 20,
  fetchRedirectsMax: 5,
  fetchHeaderBytesMax: 16_384,
  urlCharsMax: 4_096,

  // AI providers
  providerConnectSeconds: 5,
  providerPollSeconds: 10,
  providerDownloadSeconds: 60,
  providerDownloadTriesMax: 3,
  providerEnvelopeBytesMax: 1_048_576,

  // S3
  s3ConnectSeconds: 5,
  s3IdleSeconds: 8,
  s3RequestSeconds: 60,
  s3AttemptsMax: 7,
  s3SocketsMax: 200,

  // Executions
  executionSeconds: 300,
  executionPicturesMax: 5,
  executionsWaitingMax: 1_000,
  executionAttemptsMax: 3,
  executionsAwayMax: 200,
  comparisonsRunningMax: 2,
  cacheBytesMax: 1_073_741_824,
  keptStepsSeconds: 604_800,
  keptStepsBytesMax: 1_073_741_824,
  syncWaitSeconds: 55,
  shutdownGraceSeconds: 25,

  // What AI models cost
  usageDaysMax: 366,
  usageListMax: 1_000,
} as const

/** What each is, for the reference. In capitals: the setting by which an operator moves it. */
export const limitSummaries: Record<string, Partial<Record<keyof typeof limits, string>>> = {
  Requests: {
    jsonBodyBytesMax: 'Bytes of a JSON body.',
    jsonDepthMax: 'Levels of nesting in a JSON body.',
    issuesMax: 'Problems told in one answer.',
    nameCharsMax: 'Characters of the name of an image, a workflow or a project.',
    descriptionCharsMax: 'Characters of a description.',
    pageSizeDefault: 'Items of a page of a list when `limit` is not given.',
    pageSizeMax: 'Items of a page of a list.',
    pageOffsetMax: 'Largest `offset` of a list.',
    idempotencyKeyCharsMax: 'Characters of an `Idempotency-Key`.',
  },
  'Workflow documents': {
    documentBytesMax: 'Bytes of a document as JSON.',
    nodesMax: 'Nodes.',
    parametersMax: 'Declared parameters.',
    parameterCharsMax: 'Characters of a string that is passed as a parameter.',
    examplesMax: 'Examples of a workflow.',
    socketWiresMax: 'Nodes wired to a socket that takes many.',
    eachMax: 'Images that a node makes which runs over a list (`each`).',
  },
  Templates: {
    templatesMax: 'Templates of a document.',
    templateCharsMax: 'Characters of one template.',
    templateMemoryUnitsMax: 'Memory of one rendering, as LiquidJS counts it: about one per character or array item.',
    templateRenderMsMax: 'Milliseconds of one rendering.',
    templatesMsMax: 'Milliseconds of all renderings of a plan together, and of an execution.',
    templateOutputCharsMax: 'Characters that one template gives.',
  },
  Images: {
    uploadBytesMax: 'Bytes of an upload, and of a source fetched by URL: `UPLOAD_MAX_BYTES`.',
    imagePixelsMax: 'Pixels of a picture: `IMAGE_MAX_PIXELS`.',
    pixelsInFlightMax: 'Pixels that all running executions hold at once: `PIXELS_IN_FLIGHT_MAX`.',
    sidePixelsMax: 'Pixels of a side of a picture.',
    framesMax: 'Frames of an animation.',
    animationPixelsMax: 'Pixels of all frames of an animation together; never more than those of a picture.',
    frameMsMax: 'Milliseconds for which a frame of an animation is shown.',
    pngChunksMax: 'Chunks of a PNG.',
    blobGraceSeconds: 'Seconds after which stored bytes are removed that no record names, as a crash can leave them.',
    avifPixelsMax: 'Pixels of an AVIF, read or written.',
    avifEffortPixelsMax: 'Pixels of an AVIF that is written with `effort: high`: 4096 x 2160.',
    inspectSeconds: 'Seconds that an upload may take to be decoded.',
    svgBytesMax: 'Bytes of an SVG.',
    svgTextCharsMax: 'Characters of text in an SVG.',
    svgSeconds: 'Seconds that an SVG may take to be drawn.',
    svgMemoryBytesMax: 'Bytes of memory that an SVG may take to be drawn.',
    textCharsMax: 'Characters that the operation `text` writes.',
    markupDepthMax: 'Elements inside each other in the markup of a text.',
    qrCharsMax: 'Characters in a QR code.',
    barcodeCharsMax: 'Characters in a barcode.',
    chartDataCharsMax: 'Characters of the data of a chart when they are given as text.',
    chartSeriesMax: 'Series of a chart.',
    chartPointsMax: 'Values of a series of a chart.',
    chartValuesMax: 'Values of all series of a chart together.',
    chartSidePixelsMax: 'Pixels of a side of a chart.',
    lutCharsMax: 'Characters of the text of a look-up table.',
    lutBytesMax: 'Bytes of a .cube file.',
    lutCubeSizeMax: 'Entries along a side of a .cube file of three dimensions.',
    lutCurveSizeMax: 'Entries of a .cube file of one dimension.',
    labelCharsMax: 'Characters of a caption, a label, a title or a watermark.',
  },
  'Fonts of an account': {
    fontBytesMax: 'Bytes of a font.',
    fontUnpackedBytesMax: 'Bytes that a WOFF2 font has when it is unpacked.',
    fontsMax: 'Fonts of an account.',
    fontFamilyCharsMax: 'Characters of the name of a family.',
    fontSeconds: 'Seconds that it may take to draw all characters of a font, once, when it is uploaded.',
    fontMemoryBytesMax: 'Bytes of memory that this may take.',
  },
  'Local models': {
    modelIdleSeconds: 'Seconds without work after which the process that runs them ends, and its memory is free.',
    ocrLinesMax: 'Pieces of text that the operation `ocr` reads.',
    upscalePixelsMax: 'Pixels that the operation `upscale` makes.',
  },
  'AI models': {
    promptCharsMax: 'Characters of a prompt.',
    questionCharsMax: 'Characters of a question about images.',
    textAnswerCharsMax: 'Characters of a text that a model writes.',
    modelNameCharsMax: 'Characters of the name of a model, with its provider.',
    fallbackModelsMax: 'Models of a `fallback` list.',
    askedImagesMax: 'Images that a model is handed at once; most take fewer.',
    viewedSidePixelsMax:
      'Pixels of the longer side of an image that a model only looks at; a larger one is sent at this size.',
  },
  'Outside hosts': {
    fetchSeconds: 'Seconds that a source may take to be fetched, redirects included: `FETCH_TIMEOUT_SECONDS`.',
    fetchRedirectsMax: 'Redirects that are followed.',
    fetchHeaderBytesMax: 'Bytes of the headers of an answer.',
    urlCharsMax: 'Characters of a URL.',
  },
  'AI providers': {
    providerConnectSeconds: 'Seconds that a connection to a provider may take to be made.',
    providerPollSeconds: 'Seconds that a provider may take to tell how a job stands, or to cancel it.',
    providerDownloadSeconds: 'Seconds that a result may take to be downloaded, in one try.',
    providerDownloadTriesMax: 'Tries of downloading a result.',
    providerEnvelopeBytesMax:
      'Bytes of an answer of a provider, besides the image of at most `UPLOAD_MAX_BYTES` in it.',
  },
  'Images on S3': {
    s3ConnectSeconds: 'Seconds that a connection may take to be made.',
    s3IdleSeconds: 'Seconds for which nothing may move on a connection.',
    s3RequestSeconds: 'Seconds that one try of a request may take, for 8 MiB at most.',
    s3AttemptsMax: 'Tries of a request, further and further apart.',
    s3SocketsMax: 'Connections of a process.',
  },
  Executions: {
    executionSeconds: 'Seconds that an execution may run: `EXECUTION_TIMEOUT_SECONDS`.',
    executionPicturesMax: 'Pixels that one execution may hold in memory, in pictures of the largest size.',
    executionsWaitingMax: 'Executions that may wait to be run: `EXECUTIONS_WAITING_MAX`.',
    executionAttemptsMax: 'How often an execution is begun whose process dies while it runs.',
    executionsAwayMax:
      'Executions that wait for AI models beside those that run, in each process; past it, others wait for them.',
    comparisonsRunningMax:
      'Comparisons of a workflow with what is saved that run at the same time, one of each account.',
    cacheBytesMax: 'Bytes of the step cache of an account: `CACHE_MAX_BYTES`.',
    keptStepsSeconds: 'Seconds for which the finished steps of a failed execution are kept, to resume it.',
    keptStepsBytesMax: 'Bytes of finished steps that are kept for an account.',
    syncWaitSeconds: 'Seconds that a synchronous execution is waited for before 202 is answered: `SYNC_WAIT_SECONDS`.',
    shutdownGraceSeconds: 'Seconds that running executions may go on after SIGTERM: `SHUTDOWN_GRACE_SECONDS`.',
  },
  'What AI models cost': {
    usageDaysMax: 'Days that are added up at once.',
    usageListMax: 'Workflows, keys or models that are told of: the dearest.',
  },
}

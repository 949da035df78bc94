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
  templateCharsMax: 20_000,
  templateMemoryUnitsMax: 1_000_000,
  templateRenderMsMax: 100,
  templateOutputCharsMax: 200_000,

  // Images
  uploadBytesMax: 33_554_432,
  imagePixelsMax: 100_000_000,
  pixelsInFlightMax: 200_000_000,
  sidePixelsMax: 16_384,
  framesMax: 1_000,
  /** Of all frames of one animation together. */
  animationPixelsMax: 200_000_000,
  frameMsMax: 60_000,
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

  // Fonts of an account
  fontBytesMax: 10_485_760,
  fontUnpackedBytesMax: 41_943_040,
  fontsMax: 200,
  fontFamilyCharsMax: 100,
  fontSeconds: 20,
  fontMemoryBytesMax: 1_073_741_824,
  barcodeCharsMax: 1_000,
  chartDataCharsMax: 20_000,
  chartSeriesMax: 12,
  chartPointsMax: 500,
  lutCharsMax: 262_144,
  lutBytesMax: 16_777_216,
  lutCubeSizeMax: 65,
  lutCurveSizeMax: 65_536,
  labelCharsMax: 200,

  // Local models
  modelIdleSeconds: 60,
  /** The slowest upscaler takes some 3 s for a megapixel of these. */
  upscalePixelsMax: 16_000_000,

  // Outside hosts
  fetchSeconds: 20,
  fetchRedirectsMax: 5,
  fetchHeaderBytesMax: 16_384,
  urlCharsMax: 4_096,

  // Executions
  executionSeconds: 300,
  executionsWaitingMax: 1_000,
  executionAttemptsMax: 3,
  comparisonsRunningMax: 2,
  syncWaitSeconds: 55,
  shutdownGraceSeconds: 25,
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
    templateCharsMax: 'Characters of one template.',
    templateMemoryUnitsMax: 'Memory of one rendering, as LiquidJS counts it: about one per character or array item.',
    templateRenderMsMax: 'Milliseconds of one rendering.',
    templateOutputCharsMax: 'Characters that one template gives.',
  },
  Images: {
    uploadBytesMax: 'Bytes of an upload, and of a source fetched by URL: `UPLOAD_MAX_BYTES`.',
    imagePixelsMax: 'Pixels of a picture: `IMAGE_MAX_PIXELS`.',
    pixelsInFlightMax: 'Pixels that all running executions hold at once: `PIXELS_IN_FLIGHT_MAX`.',
    sidePixelsMax: 'Pixels of a side of a picture.',
    framesMax: 'Frames of an animation.',
    animationPixelsMax: 'Pixels of all frames of an animation together.',
    frameMsMax: 'Milliseconds for which a frame of an animation is shown.',
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
    lutCharsMax: 'Characters of the text of a look-up table.',
    lutBytesMax: 'Bytes of a .cube file.',
    lutCubeSizeMax: 'Entries along a side of a .cube file of three dimensions.',
    lutCurveSizeMax: 'Entries of a .cube file of one dimension.',
    labelCharsMax: 'Characters of a caption, a label, a title or a watermark.',
  },
  'Local models': {
    modelIdleSeconds: 'Seconds without work after which the process that runs them ends, and its memory is free.',
    upscalePixelsMax: 'Pixels that the operation `upscale` makes.',
  },
  'Fonts of an account': {
    fontBytesMax: 'Bytes of a font.',
    fontUnpackedBytesMax: 'Bytes that a WOFF2 font has when it is unpacked.',
    fontsMax: 'Fonts of an account.',
    fontFamilyCharsMax: 'Characters of the name of a family.',
    fontSeconds: 'Seconds that it may take to draw all characters of a font, once, when it is uploaded.',
    fontMemoryBytesMax: 'Bytes of memory that this may take.',
  },
  'Outside hosts': {
    fetchSeconds: 'Seconds that a source may take to be fetched, redirects included: `FETCH_TIMEOUT_SECONDS`.',
    fetchRedirectsMax: 'Redirects that are followed.',
    fetchHeaderBytesMax: 'Bytes of the headers of an answer.',
    urlCharsMax: 'Characters of a URL.',
  },
  Executions: {
    executionSeconds: 'Seconds that an execution may run: `EXECUTION_TIMEOUT_SECONDS`.',
    executionsWaitingMax: 'Executions that may wait to be run: `EXECUTIONS_WAITING_MAX`.',
    executionAttemptsMax: 'How often an execution is begun whose process dies while it runs.',
    comparisonsRunningMax: 'Comparisons of a workflow with what is saved that run at the same time.',
    syncWaitSeconds: 'Seconds that a synchronous execution is waited for before 202 is answered: `SYNC_WAIT_SECONDS`.',
    shutdownGraceSeconds: 'Seconds that running executions may go on after SIGTERM: `SHUTDOWN_GRACE_SECONDS`.',
  },
}

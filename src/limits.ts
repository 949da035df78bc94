/** Every limit, once. Those that an operator may move are the defaults of a setting in config.ts. */
export const limits = {
  // Requests
  jsonBodyBytesMax: 1_048_576,
  jsonDepthMax: 64,
  signInBodyBytesMax: 1_024,
  issuesMax: 100,
  nameCharsMax: 255,
  descriptionCharsMax: 4_000,
  versionNoteCharsMax: 1_000,
  pageSizeDefault: 20,
  pageSizeMax: 100,
  pageOffsetMax: 1_000_000_000,
  idempotencyKeyCharsMax: 255,
  sessionSeconds: 604_800,
  sessionUnusedSeconds: 86_400,
  sessionsOfKeyMax: 100,

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
  keyOverlapSecondsMax: 2_592_000,

  // Workflow documents
  documentBytesMax: 524_288,
  nodesMax: 200,
  parametersMax: 100,
  parameterCharsMax: 100_000,
  examplesMax: 20,
  socketWiresMax: 100,
  eachMax: 100,
  documentValuesMax: 10_000,

  // Templates. Work is counted in units of about 0.1 µs (engine/check/template-cost.ts), memory in units of LiquidJS: about one per
  // character or array item. Rendering delays every other request of the process, so the work of one plan is at most some 20 ms.
  templatesMax: 2_000,
  templatesCharsMax: 65_536,
  templateCharsMax: 20_000,
  templateOperatorsMax: 100,
  templateUnitsMax: 100_000,
  templatesUnitsMax: 150_000,
  executionTemplateUnitsMax: 2_000_000,
  templateMemoryUnitsMax: 1_000_000,
  templateRenderMsMax: 50,
  templateOutputCharsMax: 200_000,
  templateOutputValuesMax: 5_000,

  // Images
  uploadBytesMax: 33_554_432,
  imagePixelsMax: 100_000_000,
  pixelsInFlightMax: 200_000_000,
  /** With the part of one execution, this leaves the rest of a small container to the process itself. */
  pixelsInFlightMemoryPart: 1 / 6,
  executionMemoryPart: 0.6,
  longJobPixels: 32_000_000,
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
  /** Longer than a new process takes to start on a busy machine, and shorter than clients wait. */
  imageProcessWaitSeconds: 20,
  imageProcessPauseSecondsMax: 5,
  imageTurnWaitSeconds: 20,
  svgBytesMax: 262_144,
  svgTextCharsMax: 2_000,
  svgSeconds: 5,
  svgUsualMemoryBytes: 201_326_592,
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
  fetchesOfAccountMax: 16,
  lookupTryMs: 2_000,
  lookupTriesMax: 3,
  lookupOtherFamilyMs: 250,
  lookupSearchDomainsMax: 6,
  fetchRedirectsMax: 5,
  fetchHeaderBytesMax: 16_384,
  urlCharsMax: 4_096,

  // AI providers
  providerConnectSeconds: 5,
  providerPollSeconds: 10,
  providerDownloadSeconds: 60,
  providerDownloadTriesMax: 3,
  providerEnvelopeBytesMax: 1_048_576,
  providerTextSeconds: 60,
  providerImageSeconds: 180,
  providerCutOutSeconds: 120,
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
  executionPicturesMax: 5,
  executionsWaitingMax: 20_000,
  executionAttemptsMax: 3,
  executionStartsMax: 100,
  executionsAwayMax: 200,
  comparisonsRunningMax: 2,
  comparisonsWaitingMax: 20,
  cacheBytesMax: 1_073_741_824,
  keptStepsSeconds: 604_800,
  executionEventsKeptSeconds: 604_800,
  keptStepsBytesMax: 1_073_741_824,
  providerCallKeptSeconds: 604_800,
  previewsKeptHours: 168,
  previewSidePixels: 512,
  previewSeconds: 10,
  syncWaitSeconds: 55,
  eventStreamsMax: 100,
  eventStreamSeconds: 3_600,
  eventsKeepAliveSeconds: 15,
  shutdownGraceSeconds: 25,

  // Memory that a process keeps between requests
  checkedWorkflowsBytesMax: 67_108_864,
  /** The largest document takes some 13 MB. */
  checkedWorkflowsAccountBytesMax: 16_777_216,
  idleFontsBytesMax: 67_108_864,
  idleFontsAccountBytesMax: 33_554_432,
  unstoredResultsBytesMax: 134_217_728,
  unstoredResultsAccountBytesMax: 67_108_864,

  // What AI models cost
  usageDaysMax: 366,
  usageListMax: 1_000,
} as const

/** What each is, for the reference. In capitals: the setting by which an operator moves it. */
export const limitSummaries: Record<string, Partial<Record<keyof typeof limits, string>>> = {
  Requests: {
    jsonBodyBytesMax: 'Bytes of a JSON body.',
    jsonDepthMax: 'Levels of nesting in a JSON body.',
    signInBodyBytesMax: 'Bytes of the body of a request that signs in or out.',
    issuesMax: 'Problems told in one answer.',
    nameCharsMax: 'Characters of the name of an image, a workflow or a project.',
    descriptionCharsMax: 'Characters of a description.',
    versionNoteCharsMax: 'Characters of the note of a version.',
    pageSizeDefault: 'Items of a page of a list when `limit` is not given.',
    pageSizeMax: 'Items of a page of a list.',
    pageOffsetMax: 'Largest `offset` of a list.',
    idempotencyKeyCharsMax: 'Characters of an `Idempotency-Key`.',
    sessionSeconds: 'Seconds after which whoever is signed in to the console has to sign in again.',
    sessionUnusedSeconds: 'Seconds after which a session ends that nothing was asked in.',
    sessionsOfKeyMax: 'Sessions of a key at once; past it, the oldest ends.',
  },
  Clients: {
    connectionsMax: 'Open connections of each process: `CONNECTIONS_MAX`.',
    connectionsPerAddressMax: 'Open connections of one client address: `CONNECTIONS_PER_ADDRESS_MAX`.',
    wrongKeysPerMinuteMax:
      'Requests with a wrong key from one client address in a minute: `WRONG_KEYS_PER_MINUTE_MAX`.',
    signInsPerMinuteMax: 'Sign-ins to the console from one client address in a minute: `SIGN_INS_PER_MINUTE_MAX`.',
    stalledResponseSeconds: 'Seconds in which a client may read nothing of a response before its connection is closed.',
    addressCountersMax:
      'Counters of client addresses in the memory of a process; with more addresses, some share a counter.',
  },
  'Keys of an account': {
    keysMax: 'Keys that hold, past which the account itself makes no more.',
    keyDaysMax: 'Days after which a key expires, where it is made with an expiry over the API.',
    keyOverlapSecondsMax: 'Seconds for which a key goes on that is rotated over the API.',
  },
  'Workflow documents': {
    documentBytesMax: 'Bytes of a document as JSON.',
    nodesMax: 'Nodes.',
    parametersMax: 'Declared parameters.',
    parameterCharsMax: 'Characters of a string that is passed as a parameter.',
    examplesMax: 'Examples of a workflow.',
    socketWiresMax: 'Nodes wired to a socket that takes many.',
    eachMax: 'Images that a node makes which runs over a list (`each`).',
    documentValuesMax: 'Values of a document: texts, numbers, lists and objects, at every level.',
  },
  Templates: {
    templatesMax: 'Templates of a document.',
    templatesCharsMax: 'Characters of all templates of a document together.',
    templateCharsMax: 'Characters of one template.',
    templateOperatorsMax: 'Operators and filters of one expression.',
    templateUnitsMax: 'Work of one rendering, in units of about 0.1 µs.',
    templatesUnitsMax: 'Work of all renderings of a plan together, and of a step for one item, in the same units.',
    executionTemplateUnitsMax: 'Work of all renderings of an execution together, in the same units.',
    templateMemoryUnitsMax: 'Memory of one rendering, as LiquidJS counts it: about one per character or array item.',
    templateRenderMsMax:
      'Milliseconds of the processor for one rendering: a second bound, which the work limit comes before.',
    templateOutputCharsMax: 'Characters that one template gives.',
    templateOutputValuesMax: 'Values of the list or object that one template gives, at every level.',
  },
  Images: {
    uploadBytesMax: 'Bytes of an upload, and of a source fetched by URL: `UPLOAD_MAX_BYTES`.',
    imagePixelsMax: 'Pixels of a picture: `IMAGE_MAX_PIXELS`.',
    pixelsInFlightMax: 'Pixels that all running executions hold at once: `PIXELS_IN_FLIGHT_MAX`.',
    pixelsInFlightMemoryPart:
      'Part of the memory of the container or machine that `PIXELS_IN_FLIGHT_MAX` is at most when it is not set.',
    executionMemoryPart: 'Part of that memory that `EXECUTION_MEMORY_MAX_BYTES` is when it is not set.',
    longJobPixels:
      'Pixels above which a step or a decoding counts as long, at 4 bytes each: one account never has all slots of the image work with long ones.',
    sidePixelsMax: 'Pixels of a side of a picture.',
    framesMax: 'Frames of an animation.',
    animationPixelsMax: 'Pixels of all frames of an animation together; never more than those of a picture.',
    frameMsMax: 'Milliseconds for which a frame of an animation is shown.',
    pngChunksMax: 'Chunks of a PNG.',
    blobGraceSeconds: 'Seconds after which stored bytes are removed that no record names, as a crash can leave them.',
    avifPixelsMax: 'Pixels of an AVIF, read or written.',
    avifEffortPixelsMax: 'Pixels of an AVIF that is written with `effort: high`: 4096 x 2160.',
    inspectSeconds: 'Seconds that an upload may take to be decoded.',
    imageProcessWaitSeconds:
      'Seconds that an upload or a comparison waits while the image process starts (`IMAGE_PROCESS=separate`). After that, the response is 503.',
    imageProcessPauseSecondsMax:
      'Seconds of pause before the next image process, if several ended soon after their start.',
    imageTurnWaitSeconds:
      'Seconds that an upload or a comparison waits while an execution runs alone because it ended its process before. After that, the response is 503.',
    svgBytesMax: 'Bytes of an SVG.',
    svgTextCharsMax: 'Characters of text in an SVG.',
    svgSeconds: 'Seconds that an SVG may take to be drawn.',
    svgUsualMemoryBytes: 'Bytes of memory that an SVG is drawn with first; one that needs more is drawn again.',
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
    fetchesOfAccountMax:
      'Sources that are fetched at the same time for one account, in each process; others wait: `FETCHES_PER_ACCOUNT_MAX`.',
    lookupTryMs: 'Milliseconds for the first try of a DNS query; each further try has twice as long.',
    lookupTriesMax: 'Tries of a DNS query at each name server.',
    lookupOtherFamilyMs: 'Milliseconds to wait for IPv6 addresses after the IPv4 addresses, or the other way round.',
    lookupSearchDomainsMax: 'Search domains of `/etc/resolv.conf` that are used.',
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
    providerTextSeconds: 'Seconds that a call may take which looks at images or writes a text, and that it may wait.',
    providerImageSeconds: 'Seconds that a call may take which makes or changes an image.',
    providerCutOutSeconds: 'Seconds that a call may take which takes the background away.',
    providerUpscaleSeconds: 'Seconds that a call may take which makes an image larger.',
    providerCancelSeconds: 'Seconds for which a provider is asked to give a job up.',
    providerTriesMax: 'Tries of a call that was certainly not carried out, at one model.',
    providerHandleBytesMax: 'Bytes of what a provider has its job found again by.',
  },
  'Images on S3': {
    s3ConnectSeconds: 'Seconds that a connection may take to be made.',
    s3IdleSeconds: 'Seconds for which nothing may move on a connection.',
    s3RequestSeconds: 'Seconds that one try of a request may take, for 8 MiB at most.',
    s3AttemptsMax: 'Tries of a request, further and further apart.',
    storageStartSeconds: 'Seconds that a starting process waits for storage that is unavailable.',
    s3SocketsMax: 'Connections of a process.',
  },
  Executions: {
    executionSeconds: 'Seconds that an execution may run: `EXECUTION_TIMEOUT_SECONDS`.',
    executionPicturesMax: 'Pixels that one execution may hold in memory, in pictures of the largest size.',
    executionsWaitingMax:
      'Executions of all accounts that may wait: `EXECUTIONS_WAITING_MAX`. Beyond it, an account may still fill its fair share. One account may have half of them waiting, and at most 200 (Starter), 2,000 (Pro) or 10,000 (Enterprise).',
    executionAttemptsMax:
      'Attempts of an execution whose process dies while a step of it runs. An attempt that only waits for a provider, or that a shutdown gives back, does not count.',
    executionStartsMax: 'Attempts of an execution in all, whatever ends them.',
    executionsAwayMax:
      'Executions that wait for AI models beside those that run, in each process; past it, others wait for them.',
    comparisonsRunningMax:
      'Comparisons of a workflow with what is saved that run at the same time, one of each account. Accounts take turns after each example.',
    comparisonsWaitingMax: 'Comparisons that wait for their turn, one of each account.',
    cacheBytesMax: 'Bytes of the step cache of an account: `CACHE_MAX_BYTES`.',
    keptStepsSeconds: 'Seconds for which the finished steps of a failed execution are kept, to resume it.',
    executionEventsKeptSeconds:
      'Seconds for which the events of an execution are kept after its end, to resume a stream; after that a stream is a snapshot.',
    keptStepsBytesMax: 'Bytes of finished steps that are kept for an account.',
    providerCallKeptSeconds:
      'Seconds for which calls of AI providers are kept after their end, with their answers: none is made, and paid, again.',
    previewsKeptHours:
      'Hours for which previews of steps are kept after an execution has shown them last: `PREVIEWS_KEEP_HOURS`.',
    previewSidePixels: 'Pixels of the longer side of a preview of a step.',
    previewSeconds:
      'Seconds that an execution waits for its previews when all else is done; it ends without the others.',
    syncWaitSeconds: 'Seconds that a synchronous execution is waited for before 202 is answered: `SYNC_WAIT_SECONDS`.',
    eventStreamsMax:
      'Streams of events that an account may have open, at each process; past it 429 is answered: `EVENT_STREAMS_MAX`.',
    eventStreamSeconds: 'Seconds after which a stream of events ends; the client goes on with `Last-Event-ID`.',
    eventsKeepAliveSeconds: 'Seconds without an event after which a stream sends a comment, to stay open.',
    shutdownGraceSeconds: 'Seconds that running executions may go on after SIGTERM: `SHUTDOWN_GRACE_SECONDS`.',
  },
  'Memory that a process keeps between requests': {
    checkedWorkflowsBytesMax:
      'Bytes of workflows that were checked for an execution, estimated. The least recently used leave first.',
    checkedWorkflowsAccountBytesMax: 'The share of an account.',
    idleFontsBytesMax: 'Bytes of uploaded fonts that no running step draws with.',
    idleFontsAccountBytesMax: 'The share of an account.',
    unstoredResultsBytesMax:
      'Bytes of step results that wait to be written to the cache. Further results are not cached.',
    unstoredResultsAccountBytesMax: 'The share of an account.',
  },
  'What AI models cost': {
    usageDaysMax: 'Days that are added up at once.',
    usageListMax: 'Workflows, keys or models that are told of: the dearest.',
  },
}

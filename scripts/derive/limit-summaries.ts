import type { limits } from '../../src/limits.ts'

/** For the reference. A name in capitals is the setting that changes the limit. */
export const limitSummaries: Record<string, Partial<Record<keyof typeof limits, string>>> = {
  Requests: {
    jsonBodyBytesMax: 'Bytes of a JSON body.',
    jsonDepthMax: 'Levels of nesting in a JSON body.',
    signInBodyBytesMax: 'Bytes of the body of a request that signs in or out.',
    issuesMax: 'Problems listed in one error response.',
    nameCharsMax: 'Characters of the name of an image, workflow or project.',
    descriptionCharsMax: 'Characters of a description.',
    versionNoteCharsMax: 'Characters of a version note.',
    pageSizeDefault: 'Items on a page of a list by default.',
    pageSizeMax: 'Items on a page of a list (`limit`).',
    pageOffsetMax: 'Largest `offset` of a list.',
    idempotencyKeyCharsMax: 'Characters of an `Idempotency-Key`.',
    sessionSeconds: 'Seconds after which a console session expires.',
    sessionUnusedSeconds: 'Seconds after which an unused session expires.',
    sessionsPerKeyMax: 'Sessions of one key at the same time. A new session ends the oldest.',
  },
  Clients: {
    connectionsMax: 'Open connections of each process: `CONNECTIONS_MAX`.',
    connectionsPerAddressMax: 'Open connections of one client address: `CONNECTIONS_PER_ADDRESS_MAX`.',
    wrongKeysPerMinuteMax:
      'Requests with a wrong key from one client address in a minute: `WRONG_KEYS_PER_MINUTE_MAX`.',
    signInsPerMinuteMax: 'Sign-ins to the console from one client address in a minute: `SIGN_INS_PER_MINUTE_MAX`.',
    stalledResponseSeconds: 'Seconds without progress of a response before its connection is closed.',
    addressCountersMax:
      'Counters of client addresses in the memory of a process. With more addresses, some share a counter.',
  },
  'Keys of an account': {
    keysMax: 'Valid keys of an account. With as many, the API creates no further keys.',
    keyDaysMax: 'Days until a key that is created over the API expires, at most.',
    keyOverlapSecondsMax: 'Seconds that a rotated key stays valid, at most.',
  },
  'Workflow documents': {
    documentBytesMax: 'Bytes of a workflow document as JSON.',
    nodesMax: 'Nodes of a workflow.',
    madeFromMax: 'Sources, and models, that the Content Credentials of an output name.',
    variationCharsMax: 'Characters of the variation of a node.',
    parametersMax: 'Declared parameters.',
    parameterCharsMax: 'Characters of a parameter value; for `format: json`, as JSON and without `data:` URLs.',
    parameterValuesMax:
      'Fields and items of all parameters of `format: json` of a request together, with declared fields that are not passed.',
    parameterSchemaDepthMax: 'Nested levels of the `schema` of a parameter.',
    parameterSchemaValuesMax: 'Schemas (of fields and items) in the `schema` of a parameter.',
    parameterImagesMax: 'Images of format `image` in the parameters of a request.',
    examplesMax: 'Examples of a workflow.',
    channelsMax: 'Channels of a workflow.',
    channelMovesMax: 'Moves of a channel that are kept.',
    outputFilesMax: 'Files of an execution: the output, and all files of `outputs`.',
    outputsPixelsMax: 'Pixels of all files of `outputs` together.',
    outputPagesMax: 'Pages of a PDF.',
    outputPageMillimetresMax: 'Millimetres of a side of a PDF page.',
    inputWiresMax: 'Nodes connected to one input that accepts a list.',
    eachMax: 'Images that a node with `each` creates.',
    documentValuesMax: 'Values in a document: texts, numbers, lists and objects at every level.',
    imageUsesSearchedMax: 'Newest workflows, and newest drafts, that are searched for the uses of an image.',
    imageUsesBytesMax: 'Bytes of workflows, and of drafts, that are searched for the uses of an image.',
    imageUsesMax: 'Workflows, and drafts, that are found as uses of an image.',
  },
  Templates: {
    templatesMax: 'Templates in a document.',
    templatesCharsMax: 'Characters of all templates in a document together.',
    templateCharsMax: 'Characters of one template.',
    templateOperatorsMax: 'Operators and filters in one expression.',
    templateUnitsMax: 'Work to render one template, in units of about 0.1 µs.',
    templatesUnitsMax:
      'Work to render all templates of a plan together, and of a step for one item, in the same units.',
    executionTemplateUnitsMax: 'Work to render all templates of an execution together, in the same units.',
    templateMemoryUnitsMax:
      'Memory to render one template, as LiquidJS counts it: about one unit for each character or array item.',
    templateRenderMsMax:
      'Milliseconds of CPU to render one template. A second safeguard: the limit of work is reached first.',
    templateOutputCharsMax: 'Characters of the result of one template.',
    templateOutputValuesMax: 'Values of the list or object that one template returns, at every level.',
  },
  Images: {
    uploadBytesMax: 'Bytes of an upload, and of a source fetched by URL: `UPLOAD_MAX_BYTES`.',
    imagePixelsMax: 'Pixels of an image: `IMAGE_MAX_PIXELS`.',
    pixelsInFlightMax: 'Pixels of all running executions in memory at the same time: `PIXELS_IN_FLIGHT_MAX`.',
    pixelsInFlightMemoryPart:
      'Share of the memory of the container or machine that `PIXELS_IN_FLIGHT_MAX` uses at most by default.',
    executionMemoryPart: 'Share of that memory that `EXECUTION_MEMORY_MAX_BYTES` uses by default.',
    releasedMemoryPart: 'Share of that memory that released images occupy at most before the process collects garbage.',
    longJobPixels:
      'Pixels (4 bytes each) above which a step or a decoding counts as long. One account never occupies all slots with long work.',
    sidePixelsMax: 'Pixels of one side of an image.',
    framesMax: 'Frames of an animation.',
    animationPixelsMax: 'Pixels of all frames of an animation together.',
    frameMsMax: 'Milliseconds that one frame of an animation is shown.',
    pngChunksMax: 'Chunks of a PNG.',
    blobGraceSeconds: 'Seconds after which stored bytes without a record, such as a crash can leave, are deleted.',
    gainMapBytesMax: 'Bytes of the gain map of an HDR photo. A larger one is not kept.',
    avifPixelsMax: 'Pixels of an AVIF that is decoded or encoded.',
    avifEffortPixelsMax: 'Pixels of an AVIF that is encoded with `effort: high`: 4096 x 2160.',
    inspectSeconds: 'Seconds to decode an upload.',
    imageProcessWaitSeconds:
      'Seconds that an upload, a thumbnail or a comparison waits while the image process starts (`IMAGE_PROCESS=separate`). After that, the response is 503.',
    imageProcessPauseSecondsMax:
      'Seconds of pause before the next image process, if several ended soon after their start.',
    imageTurnWaitSeconds:
      'Seconds that an upload, a thumbnail or a comparison waits while an execution runs alone because it ended its process before. After that, the response is 503.',
    thumbnailSeconds:
      'Seconds that a request waits for a thumbnail that is not stored yet. After that, the response is 503.',
    thumbnailsPerAccountMax: 'Thumbnails that each process renders for one account at the same time. Others wait.',
    svgBytesMax: 'Bytes of an SVG.',
    svgTextCharsMax: 'Characters of text in an SVG.',
    svgSeconds: 'Seconds to draw an SVG.',
    svgUsualMemoryBytes: 'Bytes of memory for the first try to draw an SVG. If it needs more, it is drawn again.',
    svgMemoryBytesMax: 'Bytes of memory to draw an SVG.',
    pdfDpi: 'Pixels per inch of a PDF page without another resolution, and of the size of a stored PDF.',
    pdfDpiMax: 'Maximum resolution of a PDF page, in pixels per inch.',
    pdfPageMax: 'Maximum number of a PDF page.',
    pdfSeconds: 'Seconds to draw a PDF page.',
    pdfUsualMemoryBytes: 'Bytes of memory for the first try to draw a PDF page. If it needs more, it is drawn again.',
    pdfMemoryBytesMax: 'Bytes of memory to draw a PDF page.',
    textCharsMax: 'Characters that the operation `text` draws.',
    stepWarningsMax: 'Different warnings of one step.',
    markupDepthMax: 'Levels of nesting in the markup of a text.',
    qrCharsMax: 'Characters in a QR code.',
    barcodeCharsMax: 'Characters in a barcode.',
    chartDataCharsMax: 'Characters of the data of a chart that is passed as text.',
    chartSeriesMax: 'Series of a chart.',
    chartPointsMax: 'Values of a series of a chart.',
    chartValuesMax: 'Values of all series of a chart together.',
    chartSidePixelsMax: 'Pixels of one side of a chart.',
    lutCharsMax: 'Characters of the text of a look-up table.',
    lutBytesMax: 'Bytes of a .cube file.',
    lutCubeSizeMax: 'Entries along one side of a .cube file with three dimensions.',
    lutCurveSizeMax: 'Entries of a .cube file with one dimension.',
    labelCharsMax: 'Characters of a caption, label, title or watermark.',
  },
  'Fonts of an account': {
    fontBytesMax: 'Bytes of a font file.',
    fontUnpackedBytesMax: 'Bytes of a WOFF2 font after decompression.',
    fontCharactersBytesMax: 'Length of the list of the characters of a font, as ranges.',
    fontsMax: 'Fonts of an account.',
    fontFamilyCharsMax: 'Characters of the name of a font family.',
    fontSeconds: 'Seconds to draw all characters of a font once, when it is uploaded.',
    fontMemoryBytesMax: 'Bytes of memory for this test.',
  },
  'Local models': {
    modelIdleSeconds: 'Seconds without work after which the process for local models ends and releases its memory.',
    ocrLinesMax: 'Text regions that the operation `ocr` reads.',
    upscalePixelsMax: 'Pixels of the result of the operation `upscale`.',
  },
  'AI models': {
    promptCharsMax: 'Characters of a prompt.',
    questionCharsMax: 'Characters of a question about images.',
    textAnswerCharsMax: 'Characters of a text that a model returns.',
    modelNameCharsMax: 'Characters of `provider/model`.',
    fallbackModelsMax: 'Models of a `fallback` list.',
    modelInputImagesMax: 'Images in one model call. Most models accept fewer.',
    modelInputSidePixelsMax:
      'Pixels of the longer side of an image that a model only describes or judges. Larger images are sent at this size.',
  },
  'Content Credentials': {
    credentialsFileBytesMax: 'Bytes of a file that is signed, or whose credentials are read.',
    credentialsTotalBytesMax: 'Bytes of a file that is signed, together with its sources.',
    credentialIngredientsMax: 'Sources of a file that is signed.',
    credentialsSourceBytesMax: 'Bytes of the sources whose credentials are copied into one output.',
    credentialsDownloadedBytesMax:
      'Bytes of downloaded sources with credentials that an execution keeps until it ends.',
    credentialsSeconds: 'Seconds to sign one file, without the wait for a signer or a time-stamp server.',
    credentialsReadSeconds:
      'Seconds to read the credentials of one file. After that, they are invalid: `tintype.tooSlow`.',
    credentialsRequestSeconds: 'Seconds for a request to a signer or a time-stamp server.',
    credentialsResponseBytesMax: 'Bytes of a signature or a time stamp in the response of such a server.',
    credentialsExpiryDays: 'Days before the certificate expires from which on the log reports it.',
    credentialsRunningMax:
      'Files that each process signs at the same time, one for each account. Most of them wait for a signer.',
    credentialsReadingMax: 'Files whose credentials each process reads at the same time, one for each account.',
    verificationsWaitingMax:
      'Files of an account that are verified or wait for it in each process. Beyond it, the response is 429.',
    credentialsThreadsMax: 'Threads of each process: one signs, the others read.',
    credentialsIdleSeconds: 'Seconds without work after which a thread ends and releases its memory.',
    credentialsMemoryBytesMax: 'Bytes of memory of a thread after which it is replaced.',
    credentialsMemoryPagesMax:
      'Pages of 64 KiB that a thread can use for one file. A file that needs more is unreadable.',
    credentialItemsMax: 'Actions and ingredients in a report.',
    credentialDepthMax: 'Levels of ingredients in a report.',
    credentialTextCharsMax: 'Characters of a text in a report, which is cut there.',
    credentialDataCharsMax: 'Characters of the facts of one manifest in a report, as JSON. More are left out.',
    credentialReportCharsMax: 'Characters of all parts of a report together, as JSON. More are left out.',
  },
  'Outside hosts': {
    fetchSeconds: 'Seconds to fetch a source, including redirects: `FETCH_TIMEOUT_SECONDS`.',
    fetchesPerAccountMax:
      'Sources that each process fetches for one account at the same time: `FETCHES_PER_ACCOUNT_MAX`. Others wait.',
    lookupTryMs: 'Milliseconds for the first try of a DNS query. Each further try has twice the time.',
    lookupTriesMax: 'Tries of a DNS query at each name server.',
    lookupOtherFamilyMs: 'Milliseconds to wait for IPv6 addresses after the IPv4 addresses arrived, and vice versa.',
    lookupSearchDomainsMax: 'Search domains of `/etc/resolv.conf` that are used.',
    fetchRedirectsMax: 'Redirects that are followed.',
    fetchHeaderBytesMax: 'Bytes of the headers of a response.',
    urlCharsMax: 'Characters of a URL.',
  },
  'AI providers': {
    providerConnectSeconds: 'Seconds to connect to a provider.',
    providerPollSeconds: 'Seconds for a request that polls or cancels a job of a provider.',
    providerDownloadSeconds: 'Seconds for one try to download a result.',
    providerDownloadTriesMax: 'Tries to download a result.',
    providerEnvelopeBytesMax:
      'Bytes of a response of a provider, in addition to an image of at most `UPLOAD_MAX_BYTES` in it.',
    providerTextSeconds: 'Seconds for a model call that returns text, and for its wait before.',
    providerImageSeconds: 'Seconds for a model call that generates or edits an image.',
    providerBackgroundSeconds: 'Seconds for a model call that removes a background.',
    providerUpscaleSeconds: 'Seconds for a model call that upscales an image.',
    providerCancelSeconds: 'Seconds for the tries to cancel a job of a provider.',
    providerTriesMax: 'Tries of a model call, if the provider certainly did not run it.',
    providerHandleBytesMax: 'Bytes of the job handle that a provider returns.',
  },
  'Images on S3': {
    s3ConnectSeconds: 'Seconds to connect.',
    s3IdleSeconds: 'Seconds without data on a connection.',
    s3RequestSeconds: 'Seconds for one try of a request, which has at most 8 MiB.',
    s3AttemptsMax: 'Tries of a request, with growing pauses.',
    storageStartSeconds: 'Seconds that a starting process waits for storage that is unavailable.',
    s3SocketsMax: 'Connections of a process.',
  },
  Executions: {
    executionSeconds: 'Seconds that an execution can run: `EXECUTION_TIMEOUT_SECONDS`.',
    executionImagesMax: 'Memory of one execution, counted in images of the largest size.',
    executionsWaitingMax:
      'Executions of all accounts that may wait: `EXECUTIONS_WAITING_MAX`. Beyond it, an account may still fill its fair share. One account may have half of them waiting, and at most 200 (Starter), 2,000 (Pro) or 10,000 (Enterprise).',
    executionAttemptsMax:
      'Attempts of an execution whose process ends while one of its steps runs. An attempt that waits for a provider, or that a shutdown returns to the queue, does not count.',
    executionStartsMax: 'Attempts of an execution in total.',
    executionsParkedMax:
      'Executions that wait for AI models in each process, in addition to those that run. With as many, no further execution starts.',
    comparisonsRunningMax:
      'Comparisons of a draft with the saved workflow that run at the same time, one for each account. Accounts take turns after each example.',
    comparisonsWaitingMax: 'Comparisons that wait for their turn, one for each account.',
    cacheBytesMax: 'Bytes of the step cache of an account: `CACHE_MAX_BYTES`.',
    checkpointSeconds: 'Seconds that checkpoints of a failed execution are stored, to resume it.',
    executionEventsKeptSeconds:
      'Seconds for which the events of an execution are kept after its end, to resume a stream; after that a stream is a snapshot.',
    checkpointBytesMax: 'Bytes of checkpoints of an account.',
    providerCallSeconds:
      'Seconds that model calls and their results are stored after their end, so that a resumed execution does not pay again.',
    previewHours:
      'Hours that step previews and thumbnails are stored after they were last used: `PREVIEWS_KEEP_HOURS`.',
    previewSidePixels: 'Pixels of the longer side of a step preview, and of the thumbnail of an image.',
    previewSeconds: 'Seconds that a finished execution waits for its previews. It ends without the missing ones.',
    syncWaitSeconds: 'Seconds after which a synchronous execute request returns 202: `SYNC_WAIT_SECONDS`.',
    eventStreamsMax:
      'Event streams that an account can have open at each process: `EVENT_STREAMS_MAX`. Beyond it, the response is 429.',
    eventStreamSeconds: 'Seconds after which an event stream ends. The client reconnects with `Last-Event-ID`.',
    eventsKeepAliveSeconds:
      'Seconds without an event after which a stream sends a comment, to keep the connection open.',
    shutdownGraceSeconds: 'Seconds that running executions have to finish after SIGTERM: `SHUTDOWN_GRACE_SECONDS`.',
  },
  Batches: {
    batchesMax: 'Batches of an account.',
    batchesRunningMax: 'Batches of an account that run at the same time.',
    batchRowsMax: 'Rows of a batch.',
    batchOpenRowsMax: 'Rows of all batches of an account that have not ended.',
    batchUploadBytesMax: 'Bytes of an uploaded CSV or NDJSON file.',
    batchRowBytesMax: 'Bytes of a row or a line of it.',
    batchKeyCharsMax: 'Characters of the key of a row.',
    batchUploadsMax: 'Uploads of rows to one process at the same time; one for each account.',
    batchUploadSeconds:
      'Seconds without a stored row after which another upload may replace an upload whose process was lost.',
    batchPlanSeconds:
      'Seconds of CPU for planning the rows of an upload. Later rows are checked against the parameters only, and their executions report the other problems.',
    batchSampleRows: 'Rows that an estimate plans.',
    batchRetryKeysMax: 'Keys in a request to retry rows.',
    batchWindowMax:
      'Executions of the batches of an account that wait or run at the same time. At most a quarter of the waiting executions of its plan.',
    batchKeptSeconds:
      'Seconds until a batch is deleted after its end, or after its creation if it is never started (30 days).',
  },
  'Memory that a process keeps between requests': {
    checkedWorkflowsBytesMax:
      'Bytes of checked workflows in memory, estimated. The least recently used are removed first.',
    checkedWorkflowsAccountBytesMax: 'The share of one account.',
    docsBytesMax:
      'Bytes of pages and images of the documentation site in memory. The least recently used are removed first.',
    idleFontsBytesMax: 'Bytes of uploaded fonts in memory that no running step uses.',
    idleFontsAccountBytesMax: 'The share of one account.',
    unstoredResultsBytesMax:
      'Bytes of step results that wait to be written to the cache. Further results are not cached.',
    unstoredResultsAccountBytesMax: 'The share of one account.',
  },
  'Usage reports': {
    usageDaysMax: 'Days in one usage report.',
    usageListMax: 'Workflows, keys or models in one usage report, those with the highest cost.',
  },
}

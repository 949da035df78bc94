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
  socketWiresMax: 100,

  // Templates (LiquidJS counts memory in its own units: about one per character or array item)
  templateCharsMax: 20_000,
  templateMemoryUnitsMax: 1_000_000,
  templateRenderMsMax: 100,
  templateOutputCharsMax: 200_000,

  // Images
  uploadBytesMax: 33_554_432,
  imagePixelsMax: 100_000_000,
  sidePixelsMax: 16_384,
  framesMax: 1_000,
  /** Of all frames of one animation together. */
  animationPixelsMax: 200_000_000,
  /** AVIF is decoded and encoded all at once, in some 18 bytes a pixel, and nothing stops it once it runs. */
  avifPixelsMax: 50_000_000,
  inspectSeconds: 30,
  svgBytesMax: 262_144,
  svgTextCharsMax: 2_000,
  svgSeconds: 5,
  svgMemoryBytesMax: 1_073_741_824,
  textCharsMax: 5_000,
  qrCharsMax: 2_000,

  // Outside hosts
  fetchSeconds: 20,
  fetchRedirectsMax: 5,
  fetchHeaderBytesMax: 16_384,
  urlCharsMax: 4_096,

  // Executions
  executionSeconds: 300,
  executionsWaitingMax: 1_000,
  executionAttemptsMax: 3,
  syncWaitSeconds: 55,
  shutdownGraceSeconds: 25,
} as const

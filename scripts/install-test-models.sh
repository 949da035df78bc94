#!/usr/bin/env bash
# Installs the local models and the runtime that tests run (360 MB), in models/. Without them those tests are skipped.
set -euo pipefail
cd "$(dirname "$0")/../models"
# The script of onnxruntime-node downloads CUDA. @upscalerjs/* names TensorFlow.js, which isn't used, as a peer.
npm ci --ignore-scripts --legacy-peer-deps --no-audit --no-fund --no-update-notifier --loglevel=error

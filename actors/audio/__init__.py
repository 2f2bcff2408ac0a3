"""Sound as numbers: finding the codec, mixing, measuring and resampling PCM."""

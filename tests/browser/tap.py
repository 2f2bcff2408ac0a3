"""A second pair of ears at the loudspeaker of a page: what it plays, as samples that a test can look at."""

from __future__ import annotations

import base64
from array import array
from typing import Final

from playwright.sync_api import Page

_TAP: Final = """
() => {
  const plug = AudioNode.prototype.connect, waiting = [];
  window.played = [];
  window.playedSamples = 0;
  window.plays = (samples) => new Promise((resolve) => {
    waiting.push([window.playedSamples + samples, resolve]);
  });
  const listen = async (track) => {
    const reader = new MediaStreamTrackProcessor({ track, maxBufferSize: 1000 }).readable.getReader();
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      const sound = new Float32Array(read.value.numberOfFrames);
      read.value.copyTo(sound, { planeIndex: 0, format: "f32-planar" });
      read.value.close();
      window.played.push(sound);
      window.playedSamples += sound.length;
      while (waiting.length && waiting[0][0] <= window.playedSamples) waiting.shift()[1]();
    }
  };
  AudioNode.prototype.connect = function (to, ...rest) {
    if (to instanceof AudioDestinationNode && this.context instanceof AudioContext) {
      const ears = this.context.createMediaStreamDestination();
      plug.call(this, ears);
      listen(ears.stream.getAudioTracks()[0]);
    }
    return plug.call(this, to, ...rest);
  };
}
"""
_TAKE: Final = """
() => {
  const whole = (sample) => Math.round(sample * 32767);
  const samples = window.played.splice(0).flatMap((frame) => Array.from(frame, whole));
  const bytes = new Uint8Array(new Int16Array(samples).buffer), most = 8192;
  let text = "";
  for (let at = 0; at < bytes.length; at += most) {
    text += String.fromCharCode(...bytes.subarray(at, at + most));
  }
  return btoa(text);
}
"""


def listen_in(page: Page) -> None:
    """Be there before anybody sits down."""
    page.evaluate(_TAP)


def wait(page: Page, samples: int) -> None:
    """Until it has played so much more, silence included."""
    page.evaluate("(samples) => window.plays(samples)", samples)


def played(page: Page) -> bytes:
    """What the page has played since the last time, silence included: 24 kHz mono s16le."""
    taken: str = page.evaluate(_TAKE)
    return base64.b64decode(taken)


def loudest(pcm: bytes) -> int:
    """The greatest amplitude, of 32,767."""
    return max((abs(sample) for sample in array("h", pcm)), default=0)

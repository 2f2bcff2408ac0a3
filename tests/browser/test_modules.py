"""The parts of the page that can be tried without it: what is played when, and how an evening is folded."""

from __future__ import annotations

import time
from array import array
from typing import Any, Final

from playwright.sync_api import Page

from tests.browser.evening import ANNA, BEN, scene, view
from tests.browser.stub import Stub

RATE: Final = 24_000
FRAME: Final = 480
PLAY: Final = """
async ([frames, seconds]) => {
  const context = new OfflineAudioContext(1, seconds * 24000, 24000);
  await context.audioWorklet.addModule("/assets/playback-worklet.js");
  const node = new AudioWorkletNode(context, "playback", { numberOfInputs: 0, outputChannelCount: [1] });
  node.connect(context.destination);
  const give = (level) => {
    const pcm = new Int16Array(480).fill(level).buffer;
    node.port.postMessage({ slot: 1, pcm }, [pcm]);
  };
  for (const [at, levels] of frames) {
    if (at === 0) levels.forEach(give);
    else context.suspend(at).then(async () => {
      levels.forEach(give);
      await new Promise((then) => setTimeout(then, 60));
      context.resume();
    });
  }
  await new Promise((then) => setTimeout(then, 60));
  const sound = (await context.startRendering()).getChannelData(0);
  return Array.from(sound, (sample) => Math.round(sample * 32768));
}
"""
FOLD: Final = """
async (views) => {
  const { Evening } = await import("/assets/evening.js");
  const evening = new Evening();
  for (const { view, receipt, ...words } of views) {
    if (view === "words") evening.words(words);
    else evening.receipt(receipt, Date.parse(receipt.occurredAt) / 1000);
  }
  const { ducks, cuts, floor } = evening, lanes = Object.fromEntries(evening.lanes);
  const told = structuredClone({ lanes, ducks, cuts, floor });
  const marks = () => [...evening.lanes.values(), evening.floor].flat();
  evening.lost(Date.now() / 1000);
  const open = marks().filter((mark) => mark.to === undefined).length;
  evening.prune(Date.now() / 1000 + 300);
  return { ...told, open, kept: marks().length };
}
"""


def rendered(page: Page, stub: Stub, seconds: float, *frames: tuple[float, list[int]]) -> array[int]:
    """What is played of frames of these levels, each list of which comes at its second."""
    page.goto(stub.bare)
    return array("h", page.evaluate(PLAY, [frames, seconds]))


def test_a_single_frame_waits_for_more_no_longer_than_the_buffer_is(page: Page, stub: Stub) -> None:
    sound = rendered(page, stub, 0.3, (0, [8000]))
    first = next(at for at, sample in enumerate(sound) if sample > 7000)
    assert 0.05 * RATE < first < 0.08 * RATE
    assert sum(sample > 7000 for sample in sound) - FRAME < 100
    assert abs(sound[-1]) < 50


def test_speech_begins_at_once_where_enough_is_there_and_never_waits_for_more_than_it_keeps(
    page: Page, stub: Stub
) -> None:
    sound = rendered(page, stub, 0.8, (0, [*[2000] * 20, *[8000] * 20]))
    assert sound[200] == 8000
    assert sum(sample > 7000 for sample in sound) - 0.4 * RATE < 100


def test_after_a_gap_it_buffers_again_and_goes_on_in_order(page: Page, stub: Stub) -> None:
    sound = rendered(page, stub, 0.8, (0, [4000] * 4), (0.32, [6000, 6000, 6000, 8000]))
    assert abs(sound[int(0.25 * RATE)]) < 50
    levels = [sample for sample in sound if sample in {4000, 6000, 8000}]
    assert levels == [4000] * 4 * FRAME + [6000] * 3 * FRAME + [8000] * FRAME


def test_speech_that_stutters_is_buffered_longer_until_it_ran_well_for_a_while(
    page: Page, stub: Stub
) -> None:
    words: list[tuple[float, list[int]]] = [(0.5 * at, [4000] * 4) for at in range(2, 7)]
    sound = rendered(page, stub, 4.0, (0, [2000] * 4), (0.16, [6000] * 4), *words, (3.5, [8000] * 4))
    begun = {
        level: next(at for at, sample in enumerate(sound) if sample == level) / RATE for level in (6000, 8000)
    }
    assert 0.16 + 0.1 < begun[6000] < 0.16 + 0.13
    assert begun[8000] < 3.5 + 0.02


def test_of_those_who_are_not_in_the_room_nothing_is_remembered(page: Page, stub: Stub) -> None:
    page.goto(stub.bare)
    notes = page.evaluate("""async () => {
      const { People } = await import("/assets/people.js"), { Names } = await import("/assets/names.js");
      const people = new People(new Names()), ben = { person: "ben", name: "Ben", slot: 1 };
      const note = () => people.element.querySelector("small").textContent, notes = [];
      people.hears("ben", true);
      for (const here of [[ben], [], [ben]]) {
        people.here({ people: here, present: true });
        if (here.length) notes.push(note());
        people.hears("ben", true);
      }
      return [...notes, note()];
    }""")
    assert notes == ["", "", "heard"]


def test_an_evening_becomes_marks_on_lanes(page: Page, stub: Stub) -> None:
    now = time.time()
    page.goto(stub.bare)
    evening: dict[str, Any] = page.evaluate(FOLD, [view(told, at) for at, told in scene(now)])
    lanes = evening["lanes"]
    assert set(lanes) == {"him", ANNA, BEN}
    speech = [mark for mark in lanes["him"] if mark["kind"] == "speech"]
    assert [mark.get("cut", False) for mark in speech] == [False, True, False, False]
    assert [bool(mark["text"]) for mark in speech] == [True, True, True, False]
    assert "to" not in speech[-1]
    assert (evening["open"], evening["kept"]) == (0, 0), "the house was lost, and five minutes went by"
    thinks = [mark for mark in lanes["him"] if mark["kind"] == "thinks"]
    assert len(thinks) == 4
    assert all(mark["to"] > mark["from"] for mark in thinks)
    heard = [mark for mark in lanes[BEN] if mark["kind"] == "heard"]
    assert [mark["empty"] for mark in heard] == [False, True, False, False]
    assert abs(heard[0]["to"] - heard[0]["from"] - 3.4) < 0.01
    assert [cut["person"] for cut in evening["cuts"]] == [ANNA]
    assert all("to" in duck for duck in evening["ducks"])
    assert [(stretch["state"], stretch["holder"]) for stretch in evening["floor"]] == [
        ("engaged", ANNA),
        ("engaged", BEN),
    ]

"""What is wrong with the looks of a page, found by the browser that shows it."""

from __future__ import annotations

from typing import Final

NAMELESS: Final = """
() => {
  const roles = "[role]:not([role=status], [role=alert])", controls = "button, input, select, textarea";
  const wanted = document.querySelectorAll(`${controls}, meter, canvas, dialog, ${roles}`);
  const name = (one) => {
    const by = one.getAttribute("aria-labelledby");
    return one.getAttribute("aria-label") || (by && document.getElementById(by)?.textContent)
      || one.labels?.[0]?.textContent || (one.matches("button, [role=tab]") && one.textContent);
  };
  return [...wanted].filter((one) => one.checkVisibility() && !name(one)?.trim())
    .map((one) => one.outerHTML.slice(0, 120));
}
"""
"""Controls that a screen reader could say nothing about."""

FAINT: Final = """
() => {
  const pen = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const mix = (below, colour) => {
    for (const each of [`rgb(${below.join(" ")})`, colour]) {
      pen.fillStyle = each;
      pen.fillRect(0, 0, 1, 1);
    }
    return [...pen.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const linear = (part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
  const light = (rgb) => rgb.map((part) => linear(part / 255))
    .reduce((sum, part, at) => sum + part * [0.2126, 0.7152, 0.0722][at], 0);
  const ground = (one) => {
    return one ? mix(ground(one.parentElement), getComputedStyle(one).backgroundColor) : [255, 255, 255];
  };
  const contrast = (one) => {
    const below = ground(one), lights = [light(below), light(mix(below, getComputedStyle(one).color))];
    return (Math.max(...lights) + 0.05) / (Math.min(...lights) + 0.05);
  };
  const needed = (one) => {
    const { fontSize, fontWeight } = getComputedStyle(one), size = parseFloat(fontSize);
    return size >= 24 || (size >= 18.6 && fontWeight >= 700) ? 3 : 4.5;
  };
  const exempt = ":disabled, [aria-disabled=true], .unseen, .skip, option, noscript, script";
  const faint = [], walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = walk.nextNode(); text; text = walk.nextNode()) {
    const one = text.parentElement;
    if (!text.textContent.trim() || !one.checkVisibility() || one.closest(exempt)) continue;
    if (contrast(one) < needed(one)) faint.push(`${contrast(one).toFixed(2)}: ${text.textContent.trim()}`);
  }
  return faint;
}
"""
"""Texts with less contrast than WCAG 2.2 wants at level AA; what cannot be used now may be fainter."""

TOO_WIDE: Final = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
"""How far it could be moved to the side."""

TWICE: Final = """
() => {
  const ids = [...document.querySelectorAll("[id]")].map(({ id }) => id);
  return ids.filter((id, at) => ids.indexOf(id) !== at);
}
"""
"""Ids that are not."""

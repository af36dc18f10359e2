"""Record the animations of a page."""

from __future__ import annotations

WATCH = """
window.captions = [];
window.covered = [];
window.ways = [];
window.sounds = [];
const animate = Element.prototype.animate;
Element.prototype.animate = function (...how) {
  const way = animate.apply(this, how);
  way.pause();
  window.ways.push(way);
  return way;
};
document.addEventListener('spieltisch:sound-played', ({ detail }) => window.sounds.push(detail));
document.addEventListener('DOMContentLoaded', () => {
  const said = document.getElementById('move-caption');
  if (!said) return;
  new MutationObserver(() => {
    const text = said.hidden ? '' : said.textContent.trim();
    if (text && window.captions.at(-1) !== text) window.captions.push(text);
    const own = said.getBoundingClientRect();
    const parts = '#map-frame, #panel, #prompt, #log-panel, #player-list, #playback-bar';
    for (const part of text ? document.querySelectorAll(parts) : []) {
      const { left, right, top, bottom } = part.getBoundingClientRect();
      if (own.left < right && own.right > left && own.top < bottom && own.bottom > top) window.covered.push(part.id);
    }
  }).observe(said, { attributes: true, childList: true });
});
"""
"""A script that records captions, moving pieces (held at their start), and announcements."""
ENDS = """async () => {
  const [way] = window.ways;
  const middle = (part) => {
    const box = part.getBoundingClientRect();
    return [box.left + Math.min(box.width / 2, 80), box.top + Math.min(box.height / 2, 60)];
  };
  const found = [];
  for (const time of [0, way.effect.getComputedTiming().endTime]) {
    way.currentTime = time;
    found.push(middle(way.effect.target));
  }
  const [long, icon] = [way.effect.getTiming().duration, way.effect.target.querySelector('use').getAttribute('href')];
  const over = way.finished;
  way.finish();
  await over;
  await new Promise(requestAnimationFrame);
  return { found, long, icon, left: document.querySelectorAll('.moving-piece').length };
}"""
"""A script that returns the start, end and duration of the first moving piece, its kind, and what is left of it."""
PAUSE = """() => {
  const stage = document.getElementById('playback-bar'), pause = document.getElementById('playback-pause');
  const changes = new MutationObserver(() => {
    if (stage.hidden || pause.hidden) return;
    changes.disconnect();
    pause.click();
  });
  changes.observe(stage, { subtree: true, attributes: true, childList: true });
}"""
"""Press Pause as soon as it is there: on a busy machine all moves may have been shown before a test comes to it."""

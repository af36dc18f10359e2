// What has the focus by keys is not hidden behind parts that stay in their place: heading and foot of the prompt, "Done" above the foot,
// and on a phone the prompt, which lies over the page.
const FOCUS_RING_WIDTH = 6; // pixels around the focused element

// How far a part between two heights must be moved up; negative: down.
function getScrollDistance({ top, bottom }, visibleTop, visibleBottom) {
  if (bottom + FOCUS_RING_WIDTH > visibleBottom && bottom - top < visibleBottom - visibleTop) return bottom + FOCUS_RING_WIDTH - visibleBottom;
  return top - FOCUS_RING_WIDTH < visibleTop || bottom + FOCUS_RING_WIDTH > visibleBottom ? top - FOCUS_RING_WIDTH - visibleTop : 0;
}

export function scrollIntoSight(target) {
  const prompt = document.getElementById('prompt');
  if (!prompt || !target.matches('[data-is-key-used] :focus-visible') || target.closest('#prompt > :is(.prompt-question, .prompt-foot), #map-drawing')) return;
  const [targetBox, promptBox] = [target, prompt].map((element) => element.getBoundingClientRect());
  if (prompt.contains(target)) {
    const questionBox = prompt.querySelector(':scope > .prompt-question')?.getBoundingClientRect();
    const coveringTops = [...prompt.querySelectorAll(':scope > .prompt-foot, #choices > .has-placeless-choice > .is-placeless')]
      .filter((element) => element !== target && getComputedStyle(element).bottom !== 'auto').map((element) => element.getBoundingClientRect().top);
    prompt.scrollTop += getScrollDistance(targetBox, Math.max(promptBox.top, questionBox?.bottom ?? 0), Math.min(promptBox.bottom, ...coveringTops));
  } else if (promptBox.width > innerWidth * 0.9 && promptBox.top > innerHeight * 0.3 && promptBox.top < innerHeight && targetBox.bottom + FOCUS_RING_WIDTH > promptBox.top) {
    scrollBy(0, getScrollDistance(targetBox, 0, promptBox.top));
  }
}

document.addEventListener('focusin', ({ target }) => scrollIntoSight(target));

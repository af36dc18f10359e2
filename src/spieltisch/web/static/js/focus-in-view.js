// What has the focus by keys is not hidden behind parts that stay in their place: heading and foot of the prompt, "Done" above the foot,
// and on a phone the prompt, which lies over the page.
const RING = 6; // pixels around the focused element

// How far a part between two heights must be moved up; negative: down.
function distance({ top, bottom }, from, to) {
  if (bottom + RING > to && bottom - top < to - from) return bottom + RING - to;
  return top - RING < from || bottom + RING > to ? top - RING - from : 0;
}

export function reveal(target) {
  const prompt = document.getElementById('prompt');
  if (!prompt || !target.matches(':focus-visible') || target.closest('#prompt > :is(.question, .foot), #map-static')) return;
  const [box, own] = [target, prompt].map((part) => part.getBoundingClientRect());
  if (prompt.contains(target)) {
    const question = prompt.querySelector(':scope > .question')?.getBoundingClientRect();
    const below = [...prompt.querySelectorAll(':scope > .foot, #choices > .with-way-out > .placeless')]
      .filter((part) => part !== target && getComputedStyle(part).bottom !== 'auto').map((part) => part.getBoundingClientRect().top);
    prompt.scrollTop += distance(box, Math.max(own.top, question?.bottom ?? 0), Math.min(own.bottom, ...below));
  } else if (own.width > innerWidth * 0.9 && own.top > innerHeight * 0.3 && own.top < innerHeight && box.bottom + RING > own.top) {
    scrollBy(0, distance(box, 0, own.top));
  }
}

document.addEventListener('focusin', ({ target }) => reveal(target));

// Marks on map and boards what a choice means: the elements that can be chosen, that are chosen, and that are pointed at.
import { markRepeatablePlace } from './repeat-mark.js';
import { updateTabStops } from './board-keys.js';
import { updateCollapsed } from './collapse.js';
import { drawReachIcons } from './reachability.js';

export function markPointed(places, isPointedAt) {
  for (const place of places) {
    for (const shape of document.querySelectorAll(`[data-place="${CSS.escape(place)}"]`)) shape.classList.toggle('is-pointed', isPointedAt);
  }
}

// `marks` is null while nothing can be chosen; `repeatedPlace` is the element at which one more click plays what is shown.
export function markBoards(marks, repeatedPlace) {
  for (const shape of document.querySelectorAll('#map-drawing [data-place], #panel [data-place], #own-summary [data-place]')) {
    const { place } = shape.dataset;
    shape.classList.toggle('is-target', Boolean(marks?.targets.has(place)));
    shape.classList.toggle('is-blocked', Boolean(marks) && !marks.targets.has(place));
    shape.classList.toggle('is-lesson-target', Boolean(marks?.asked.has(place)));
    shape.classList.toggle('is-chosen', Boolean(marks?.chosen.has(place)));
    shape.classList.remove('is-pointed');
  }
  drawReachIcons(marks?.reaching ?? []);
  markRepeatablePlace(repeatedPlace);
  updateCollapsed();
  updateTabStops();
}

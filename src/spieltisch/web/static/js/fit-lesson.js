// On a phone the text of a lesson has about a third of the screen, the moves that happened a fifth, and what does not fit is scrolled.
// Both boxes end below a whole line, so that no line is cut before one scrolls.

const phoneQuery = matchMedia('(max-width: 51.99rem)');

function findLineBottoms(box) {
  const textRange = document.createRange();
  const texts = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
  const bottoms = [];
  while (texts.nextNode()) {
    textRange.selectNodeContents(texts.currentNode);
    bottoms.push(...[...textRange.getClientRects()].filter(({ width }) => width > 1).map(({ bottom }) => bottom));
  }
  return bottoms;
}

function fitBox(box) {
  box.style.removeProperty('max-height');
  if (!phoneQuery.matches || box.scrollHeight <= box.clientHeight + 1) return;
  const { top, bottom } = box.getBoundingClientRect();
  const lineBottoms = findLineBottoms(box).map((lineBottom) => lineBottom + box.scrollTop);
  const lastBottom = Math.max(...lineBottoms.filter((lineBottom) => lineBottom <= bottom - box.clientTop));
  if (Number.isFinite(lastBottom)) box.style.setProperty('max-height', `${Math.ceil(lastBottom - top) + box.clientTop}px`);
}

const fitLesson = () => { for (const box of document.querySelectorAll('#lesson, .lesson-log')) fitBox(box); };

document.addEventListener('spieltisch:page-updated', fitLesson);
addEventListener('resize', fitLesson);
document.fonts.ready.then(fitLesson);
